// Lists without pages: whoever asks for everything holds up nobody, on the one connection of the
// embedded database either.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type Person, useTestDeps } from './deps.ts'

const t = useTestDeps()
const rowsMany = 4_500

async function staffWithMany(): Promise<Person> {
  const keeper = await t.person('keeper', { role: 'admin' })
  const gold = await t.packType('Gold')
  const mug = await t.prize('Mug', { packTypeIds: [gold] })
  await t.rows(
    `INSERT INTO users (twitch_id, username, display_name)
     SELECT 'm' || n, 'many' || n, 'Many ' || n FROM generate_series(1, $1::int) n`,
    [rowsMany],
  )
  await t.rows(
    `INSERT INTO prize_claims (user_id, prize_id, claim_id, status, prize_name, prize_description,
       red_coin_amount, pack_quantity)
     SELECT id, $1, 'PR-' || id, 'pending', 'Mug', '', 0, 0 FROM users WHERE username LIKE 'many%'`,
    [mug],
  )
  return keeper
}

/** How often somebody else was answered while this one waited. */
async function answersBeside(work: Promise<unknown>): Promise<number> {
  let isDone = false
  let answers = 0
  const ended = work.finally(() => {
    isDone = true
  })
  while (!isDone) {
    await t.rows('SELECT 1')
    answers += 1
    // The embedded database answers without a turn of the event loop.
    await nextTurn()
  }
  await ended
  return answers
}

describe('a list without a page', () => {
  it.each([
    ['claims', '/api/admin/prize-claims'],
    ['users', '/api/admin/users-with-packs'],
  ])('of all %s lets others in between, and is whole', async (_what, path) => {
    const keeper = await staffWithMany()
    const asked = keeper.get(path)
    expect(await answersBeside(asked)).toBeGreaterThanOrEqual(6)
    const answer = await asked
    expect(answer.statusCode).toBe(200)
    const list = answer.json<{ id: number; username: string }[]>()
    const many = list.filter(({ username }) => username.startsWith('many'))
    expect(many).toHaveLength(rowsMany)
    expect(new Set(many.map(({ id }) => id)).size).toBe(rowsMany)
    // A browser that has it asks for nothing more.
    const etag = String(answer.headers.etag)
    const again = await t.visitor.get(path, { cookie: keeper.cookie, 'if-none-match': etag })
    expect(again.statusCode).toBe(304)
  })

  it.each([
    ['claims', '/api/admin/prize-claims'],
    ['users', '/api/admin/users-with-packs'],
  ])('of no %s but the asker is a list', async (what, path) => {
    const keeper = await t.person('keeper', { role: 'admin' })
    expect(await keeper.read(path)).toHaveLength(what === 'users' ? 1 : 0)
  })
})
