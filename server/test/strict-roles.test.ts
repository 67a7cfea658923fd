// Strict roles, on and off: what super users alone may do, asked of every endpoint that says so.

import type { Batch } from '@redpack/contract'
import { describe, expect, it } from 'vitest'
import { useTestDeps } from './deps.ts'
import { addressOf, placesOf } from './registered-endpoints.ts'
import { sessionCookie } from './sessions.ts'

const everybodyPlaces = [
  'DELETE /api/admin/prize-claims',
  'POST /api/admin/remove-all-packs',
  'POST /api/admin/remove-all-redcoin',
  'POST /api/admin/reset-pack-openings',
]

describe.each(['off', 'on'])('with STRICT_ROLES=%s', (strict) => {
  const t = useTestDeps({ SEED_DEMO: 'off', STRICT_ROLES: strict })
  const isStrict = strict === 'on'

  it.each([
    ['user', 403],
    ['admin', isStrict ? 403 : 200],
    ['super_user', 200],
  ] as const)('what concerns everybody answers %s with %i', async (role, status) => {
    const person = await t.person(`matrix-${role}`, { role })
    const places = placesOf(t.app).served.filter(
      ({ endpoint }) => endpoint.concernsEverybody === true,
    )
    const names = places.map(({ method, path }) => `${method} ${path}`).toSorted()
    expect(names).toEqual(everybodyPlaces)
    for (const place of places) {
      const answer = await person.send(place.method as 'POST', addressOf(place))
      expect([place.path, answer.statusCode]).toEqual([place.path, status])
      if (status === 403) expect(answer.json().code).toBe('forbidden')
    }
  })

  it('a grant to everybody is taken back by who may take from everybody', async () => {
    const boss = await t.person('boss', { role: 'admin' })
    const chief = await t.person('chief', { role: 'super_user' })
    const amount = { amount: 5, description: 'x' }
    const reverse = async (who: typeof boss, to: string, target: object) => {
      await boss.send('POST', '/api/admin/distribute-redcoin', { ...target, ...amount })
      const { batches } = await boss.read(`/api/admin/batches?recipients=${to}`)
      const id = batches.find(
        (batch: Batch) => batch.reverses === null && batch.reversedBy === null,
      ).id
      return (await who.send('POST', `/api/admin/batches/${id}/reverse`)).statusCode
    }
    expect(await reverse(boss, 'everyone', { allUsers: true })).toBe(isStrict ? 403 : 200)
    expect(await reverse(boss, 'named', { usernames: ['boss'] })).toBe(200)
    t.clock.advance(1)
    expect(await reverse(chief, 'everyone', { allUsers: true })).toBe(200)
  })

  const changes = [
    ['user', 'admin', false],
    ['admin', 'user', false],
    ['user', 'super_user', true],
    ['super_user', 'user', true],
    ['super_user', 'admin', true],
  ] as const

  it.each(['/api/admin/users', '/api/test/admin-users'])(
    'a role changed at %s is the business of the roles that may',
    async (base) => {
      const boss = await t.person('boss', { role: 'admin' })
      const chief = await t.person('chief', { role: 'super_user' })
      const viewer = await t.person('viewer')
      const ana = await t.person('ana')
      for (const [from, to, isOfSuperUser] of changes) {
        for (const [who, status] of [
          [viewer, 403],
          [boss, isStrict && isOfSuperUser ? 403 : 200],
          [chief, 200],
        ] as const) {
          await t.rows('UPDATE users SET role = $2 WHERE id = $1', [ana.id, from])
          const answer = await who.send('PUT', `${base}/${ana.id}/role`, { role: to })
          const named = [who.name, from, to]
          expect([...named, answer.statusCode]).toEqual([...named, status])
          const [row] = await t.rows('SELECT role FROM users WHERE id = $1', [ana.id])
          expect([...named, row]).toEqual([...named, { role: status === 200 ? to : from }])
        }
      }
    },
  )

  it('nobody makes themselves a super user where that is not theirs to give', async () => {
    const boss = await t.person('boss', { role: 'admin' })
    const answer = await boss.send('PUT', `/api/admin/users/${boss.id}/role`, {
      role: 'super_user',
    })
    const refused = 'Only a super user can give or take this role'
    expect(answer.json().message).toBe(isStrict ? refused : undefined)
  })

  it('the panel knows what to offer', async () => {
    const boss = await t.person('boss', { role: 'admin' })
    const chief = await t.person('chief', { role: 'super_user' })
    const all = { mayActOnEverybody: true, mayChangeSuperUsers: true }
    const less = { mayActOnEverybody: false, mayChangeSuperUsers: false }
    expect(await boss.read('/api/admin/powers')).toEqual(isStrict ? less : all)
    expect(await chief.read('/api/admin/powers')).toEqual(all)
  })

  it('a super user who was just lowered is asked as what they are now', async () => {
    const chief = await t.person('chief', { role: 'super_user' })
    const other = await t.person('other', { role: 'super_user' })
    await other.send('PUT', `/api/admin/users/${chief.id}/role`, { role: 'admin' })
    const url = '/api/admin/remove-all-redcoin'
    expect((await chief.send('POST', url)).statusCode).toBe(401)
    const cookie = await sessionCookie(t, chief.id)
    const answer = await t.visitor.send('POST', url, undefined, { cookie })
    expect(answer.statusCode).toBe(isStrict ? 403 : 200)
  })
})
