// Staff read where a prize goes: one by one and as a file, and the log of staff actions notes it.

import { beforeEach, describe, expect, it } from 'vitest'
import { type Person, useTestDeps } from '../../../test/deps.ts'

const t = useTestDeps({ SEED_DEMO: 'off' })
const path = '/api/admin/prize-claims'
let boss: Person
let claim: { readonly id: number; readonly claimId: string }

beforeEach(async () => {
  const gold = await t.packType('Gold')
  await t.prize('Hoodie', { packTypeIds: [gold], totalPacks: 1, claimInstructions: 'Say a size' })
  boss = await t.person('boss', { role: 'admin' })
  const ana = await t.person('ana', { packs: { [gold]: 1 } })
  await ana.open(gold)
  claim = (await boss.read(`${path}?page=1&contact=without`)).claims[0]
})

const read = (id: string | number = claim.id, person = boss) =>
  person.send('POST', `${path}/${id}/reading`)
const saveAddress = () =>
  boss.send('PATCH', `${path}/${claim.id}`, { contactInfo: { city: 'Porto' } })
/** A minute before the day in UTC ends. */
const advanceToMidnight = () => {
  const dayMs = 86_400_000
  t.clock.advance((dayMs - (t.clock.now().getTime() % dayMs)) / 1_000 - 60)
}
const readings = () =>
  t.rows(`SELECT actor_id, action, target_id, after FROM audit_log
    WHERE action LIKE 'claim.read%' ORDER BY id`)

describe('what it takes to send a prize', () => {
  it('is delivery, timeline and instructions, also of a deleted claim', async () => {
    await saveAddress()
    await boss.send('PATCH', `${path}/${claim.id}`, { status: 'processing' })
    const answer = await read(claim.claimId)
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      {
        claimId: claim.claimId,
        contactInfo: { city: 'Porto' },
        claimInstructions: 'Say a size',
        hasCode: false,
        imageData: null,
        imageType: null,
        timeline: [
          expect.objectContaining({ kind: 'created', status: null }),
          expect.objectContaining({ kind: 'delivery_saved' }),
          expect.objectContaining({ kind: 'status', status: 'processing' }),
        ],
      },
    ])
    await boss.send('DELETE', `${path}/${claim.id}`)
    expect((await read()).json().contactInfo).toEqual({ city: 'Porto' })
  })

  it('is noted once a day in UTC for each who reads it', async () => {
    await saveAddress()
    advanceToMidnight()
    const [cleo, dora] = await Promise.all(
      ['cleo', 'dora'].map((name) => t.person(name, { role: 'admin' })),
    )
    for (const reader of [cleo!, cleo!, dora!]) await read(claim.id, reader)
    t.clock.advance(120)
    await read(claim.id, cleo)
    const note = { action: 'claim.read', target_id: String(claim.id), after: null }
    expect(await readings()).toEqual(
      [cleo, dora, cleo].map((reader) => ({ actor_id: reader!.id, ...note })),
    )
  })

  it('is noted as read when the answer to a change tells it to who did not send it', async () => {
    await saveAddress()
    expect(await readings()).toEqual([])
    const cleo = await t.person('cleo', { role: 'admin' })
    for (const status of ['processing', 'completed']) {
      const changed = await cleo.send('PATCH', `${path}/${claim.id}`, { status })
      expect(changed.json().contactInfo).toEqual({ city: 'Porto' })
    }
    const note = { action: 'claim.read', target_id: String(claim.id), after: null }
    expect(await readings()).toEqual([{ actor_id: cleo.id, ...note }])
  })

  it('is noted only where there is an address', async () => {
    expect((await read()).json().contactInfo).toBeNull()
    expect((await read('PR-NONE')).statusCode).toBe(404)
    expect(await readings()).toEqual([])
  })
})

it('a list with addresses is noted once a day for each who asks, and one without has none', async () => {
  await saveAddress()
  advanceToMidnight()
  const cleo = await t.person('cleo', { role: 'admin' })
  const dora = await t.person('dora', { role: 'admin' })
  const asks = ['', '?page=1', '?page=1&contact=with', '?page=1&contact=without']
  const listOf = async (person: Person, query: string) => (await person.get(path + query)).body
  expect(await listOf(cleo, asks[3]!)).not.toContain('Porto')
  expect(await readings()).toEqual([])
  // The second time an answer is kept that is not the next one's to have.
  for (const person of [cleo, cleo, dora, cleo]) {
    for (const ask of asks.slice(0, 3)) expect(await listOf(person, ask)).toContain('Porto')
  }
  t.clock.advance(120)
  expect(await listOf(cleo, '')).toContain('Porto')
  const note = { action: 'claim.read_list', target_id: 'list', after: null }
  const readers = [cleo, dora, cleo].map(({ id }) => ({ actor_id: id, ...note }))
  expect(await readings()).toEqual(readers)
})

it('a file with addresses is noted with what it holds, and one without is not', async () => {
  await saveAddress()
  expect((await boss.get(`${path}.csv?search=ana`)).body).not.toContain('Porto')
  expect(await readings()).toEqual([])
  expect((await boss.get(`${path}.csv?search=ana&contact=with`)).body).toContain('Porto')
  const after = { search: 'ana', status: 'all' }
  expect(await readings()).toEqual([
    { actor_id: boss.id, action: 'claim.read_file', target_id: null, after },
  ])
})
