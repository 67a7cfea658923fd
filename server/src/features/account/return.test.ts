// Signing in again after leaving for good: a new account, and no second welcome.

import { expect, it } from 'vitest'
import { useListeningDeps } from '../../../test/listening-server.ts'
import { Browser } from '../../../test/sign-in.ts'
import { demoPackTypes } from '../../demo/catalogue.ts'

const { t, origin } = await useListeningDeps()

const packsOf = async () =>
  t.rows<{ username: string; packs: number }>(
    `SELECT u.username, coalesce(sum(h.quantity), 0)::int AS packs
     FROM users u LEFT JOIN user_packs h ON h.user_id = u.id GROUP BY u.id ORDER BY u.id`,
  )

it('starts anew without the packs of a newcomer, while others still get them', async () => {
  await t.insert('pack_types', { name: 'Starter', image_url: demoPackTypes[0]!.imageUrl })
  const browser = new Browser(origin)
  expect(await browser.signIn('Ana')).toBe('/dashboard')
  const [first] = await packsOf()
  expect(first!.packs).toBeGreaterThan(0)
  await browser.json('/api/user', { confirm: 'ana' }, { method: 'DELETE' })
  expect(browser.cookies.has('sid')).toBe(false)

  expect(await browser.signIn('Ana')).toBe('/dashboard')
  expect(await new Browser(origin).signIn('Ben')).toBe('/dashboard')
  const people = await packsOf()
  expect(people.map(({ username, packs }) => [username.replace(/\d+/, 'N'), packs])).toEqual([
    ['deleted-N', first!.packs],
    ['ana', 0],
    ['ben', first!.packs],
  ])
})
