// Winners who meet at the last codes of a prize, on real PostgreSQL: one code for each, never two
// for one or one for two.

import { setTimeout as pause } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { statement } from '../src/adapters/db/database.ts'
import { type Person, usePostgresDeps } from './deps.ts'
import { openingProcess } from './opening.ts'
import { hasPostgres } from './test-database.ts'

describe.skipIf(!hasPostgres)('codes on PostgreSQL', () => {
  let boss: Person
  let people: Person[]
  let keys: number
  let prize: number

  const t = usePostgresDeps(16, { SEED_DEMO: 'off' })
  beforeEach(async () => {
    keys = await t.packType('Keys')
    boss = await t.person('boss', { role: 'admin' })
    const made = await boss.send('POST', '/api/admin/prizes', {
      ...{ name: 'Game key', packTypeIds: [keys], winFrequency: 1, totalPacks: 1 },
      deliversCodes: true,
    })
    prize = made.json().id
    people = await Promise.all(
      Array.from({ length: 8 }, (_, n) => t.person(`viewer${n}`, { packs: { [keys]: 4 } })),
    )
  })
  const add = (codes: readonly string[]) =>
    boss.send('POST', `/api/admin/prizes/${prize}/codes`, { codes })
  /** Each through a process of their own: within one, groups follow each other. */
  const open = async ({ id }: Person, process = openingProcess(t.deps)) => {
    const order = { packTypeId: keys, quantity: 1, idempotencyKey: undefined }
    const { body } = await process.open(id, order)
    return JSON.parse(body).results[0] as { won: boolean; claimId: string | null }
  }

  it('give the last one to one winner, however many open at once', async () => {
    await add(['LAST'])
    const results = await Promise.all(people.map((person) => open(person)))
    expect(results.filter(({ won }) => won)).toHaveLength(1)
    await t.expectTrueBooks()
    const at = results.findIndex(({ won }) => won)
    const shown = await people[at]!.get(`/api/user/prize-claims/${results[at]!.claimId}/code`)
    expect(shown.json()).toEqual({ code: 'LAST' })
  })

  it('are refused by an unlimited prize that is just being won', async () => {
    const cap = await t.prize('Cap', { packTypeIds: [keys] })
    const win = statement(
      'test_win_under_way',
      `WITH won AS (
         INSERT INTO prize_claims (user_id, prize_id, prize_name, prize_description,
           red_coin_amount, pack_quantity) VALUES ($1, $2, '', '', 0, 0) RETURNING id
       )
       INSERT INTO shipments (id, state, updated_at) SELECT id, 'address_wanted', now() FROM won`,
    )
    const turned = await t.db.transaction(async (tx) => {
      await tx.run(win, [people[0]!.id, cap])
      const turning = boss.send('PUT', `/api/admin/prizes/${cap}`, { deliversCodes: true })
      await Promise.race([turning, pause(1_000)])
      return { turning }
    })
    expect((await turned.turning).statusCode).toBe(409)
  })

  it('are each won once while more are added and the same are added twice', async () => {
    await add(['A1', 'A2'])
    const more = ['B1', 'B2', 'B3']
    const rounds = [0, 1, 2].map(async () => Promise.all(people.map((person) => open(person))))
    const [results, ...added] = await Promise.all([
      Promise.all(rounds),
      ...[more, more, more].map(async (codes) => (await add(codes)).json().added as number),
    ])
    expect(added.reduce((sum, count) => sum + count, 0)).toBe(3)
    const won = results.flat().filter((result) => result.won)
    const codes = await Promise.all(
      results.flatMap((round) =>
        round.flatMap(async ({ claimId }, index) =>
          claimId === null
            ? ''
            : (await people[index]!.read(`/api/user/prize-claims/${claimId}/code`)).code,
        ),
      ),
    )
    const seen = codes.filter((code) => code !== '')
    expect([seen.length, new Set(seen).size]).toEqual([won.length, won.length])
    await t.expectTrueBooks()
  })
})
