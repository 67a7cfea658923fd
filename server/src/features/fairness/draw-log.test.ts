// What the logged draws gave beside the published odds.

import type { ObservedResponse } from '@redpack/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Person, useTestDeps } from '../../../test/deps.ts'
import type { Database } from '../../adapters/db/database.ts'
import { noEntries, observed as observedIn } from './draw-views.ts'
import { appendLogEntries } from './public-log.ts'

const t = useTestDeps()
let gold: number
let ana: Person

beforeEach(async () => {
  gold = await t.packType('Gold')
  await t.prize('Cap', { packTypeIds: [gold], totalPacks: 2, stock: 3 })
  await t.prize('Coins', { packTypeIds: [gold], totalPacks: 4, redCoinAmount: 9 })
  ana = await t.person('ana', { packs: { [gold]: 100 } })
  // Answers are kept for a second of the test's clock.
  t.clock.advance(2)
})

const open = (person: Person, quantity: number) => person.open(gold, quantity)
const observed = async (): Promise<ObservedResponse> => {
  await appendLogEntries(t.deps)
  return (await t.app.inject('/api/fairness/observed')).json()
}

describe('GET /api/fairness/observed', () => {
  it('is empty before the first opening', async () => {
    expect(await observed()).toEqual({ packTypes: [] })
  })

  it('sets what was drawn beside what was published, for everyone', async () => {
    const opened = (await open(ana, 40)).json<{ results: { prizeId: number | null }[] }>()
    const [{ packTypes }, prizes] = [
      await observed(),
      await t.rows<{ id: number; name: string; sold_out: number }>(
        `SELECT p.id, p.name, (SELECT count(*) FROM pack_openings o
           WHERE o.sold_out_prize_id = p.id)::int AS sold_out FROM prizes p ORDER BY p.id`,
      ),
    ]
    const winsOf = (id: number) => opened.results.filter(({ prizeId }) => prizeId === id).length
    expect(packTypes).toHaveLength(1)
    expect(packTypes[0]).toMatchObject({ packTypeId: gold, name: 'Gold', draws: 40 })
    expect(
      packTypes[0]!.prizes.map(({ low, high, isOutside, ...rest }) => {
        expect(isOutside).toBe(rest.publishedChance < low || rest.publishedChance > high)
        return rest
      }),
    ).toEqual(
      prizes.map(({ id, name, sold_out }, index) => ({
        prizeId: id,
        name,
        publishedChance: [0.5, 0.25][index],
        draws: 40,
        observedWins: winsOf(id),
        soldOutDraws: sold_out,
      })),
    )
    expect(prizes[0]!.sold_out).toBeGreaterThan(0)
  })

  it('shares one allowance of false alarms among all prizes, in the order in which they came', async () => {
    const silver = await t.packType('Silver')
    /** A table, and what was drawn from it when `wins` are given. */
    const table = async (hash: string, packTypeId: number, ids: number[], wins?: number) => {
      const entries = ids.map((prizeId) => ({
        ...{ prizeId, name: `P${prizeId}`, winFrequency: 1, totalPacks: 10, redCoinAmount: 0 },
      }))
      const id = await t.value<number>(
        `INSERT INTO odds_tables (pack_type_id, table_hash, body) VALUES ($1, repeat($2, 64), $3)
         RETURNING id`,
        [packTypeId, hash, JSON.stringify({ packTypeId, entries })],
      )
      if (wins === undefined) return
      const sums = 'INSERT INTO draw_counts VALUES ($1, 0, 850, 0), ($1, $2, $3, 0)'
      await t.rows(sums, [id, ids[0], wins])
    }
    await table('a', gold, [1], 150)
    // Stands between them without a draw.
    const hundred = Array.from({ length: 100 }, (_, index) => 1000 + index)
    await table('b', gold, hundred)
    await table('c', silver, [1], 150)
    const alarms = (await observed()).packTypes.map(({ name, draws, prizes }) => [
      name,
      draws,
      prizes.map(({ prizeId, isOutside }) => [prizeId, isOutside]),
    ])
    expect(alarms).toEqual([
      ['Gold', 1000, [[1, true]]],
      ['Silver', 1000, [[1, false]]],
    ])
  })

  it('reads no table twice, and says the same of one whose chances were scaled', async () => {
    await t.prize('Sure', { packTypeIds: [gold], winFrequency: 3, totalPacks: 7 })
    await open(ana, 40)
    await observed()
    const read: string[] = []
    const run: Database['run'] = (statement, values) => {
      read.push(statement.name)
      return t.db.run(statement, values)
    }
    const db = { ...t.db, run }
    const known = noEntries()
    const first = await observedIn(db, known)
    expect(await observedIn(db, known)).toEqual(first)
    expect(read).toEqual(['read_draw_counts', 'read_odds_table', 'read_draw_counts'])
    const chances = first.packTypes[0]!.prizes.map(({ publishedChance }) => publishedChance)
    const shares = [1 / 2, 1 / 4, 3 / 7]
    const sum = 1 / 2 + 1 / 4 + 3 / 7
    for (const [index, share] of shares.entries()) expect(chances[index]).toBeCloseTo(share / sum)
  })

  it('is not sent twice to a browser that has it', async () => {
    await open(ana, 1)
    const first = await t.app.inject('/api/fairness/observed')
    const again = await t.visitor.get('/api/fairness/observed', {
      'if-none-match': String(first.headers.etag),
    })
    expect([first.statusCode, again.statusCode]).toEqual([200, 304])
  })
})
