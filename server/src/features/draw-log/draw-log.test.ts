// The public draw log: an entry per opening request, a chain anyone can follow, and sums that
// agree.

import { createHash } from 'node:crypto'
import type { DrawLogEntry, DrawLogResponse, ObservedResponse } from '@redpack/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { isPostgresReachable, postgresTestDatabase } from '../../../test/test-database.ts'
import { createTestWorld, type Person, useTestWorld } from '../../../test/world.ts'
import { brokenInvariants, runInvariants } from '../overview/invariants.ts'
import { appendDrawLog } from './append-draw-log.ts'

const t = useTestWorld()
const path = '/api/fairness/log'
let gold: number
let ana: Person
let ben: Person

beforeEach(async () => {
  gold = await t.packType('Gold')
  await t.prize('Cap', { packTypeIds: [gold], winFrequency: 1, totalPacks: 2, stock: 3 })
  await t.prize('Coins', { packTypeIds: [gold], winFrequency: 1, totalPacks: 4, redCoinAmount: 9 })
  ana = await t.person('ana', { packs: { [gold]: 100 } })
  ben = await t.person('ben', { packs: { [gold]: 100 } })
  // Answers are kept for a second of the test's clock.
  t.clock.advance(2)
})

const open = (person: Person, quantity: number) =>
  person.send('POST', '/api/packs/open', { packTypeId: gold, quantity })
const read = async (query = ''): Promise<DrawLogResponse> =>
  (await t.app.inject(`${path}${query}`)).json()
const observed = async (): Promise<ObservedResponse> =>
  (await t.app.inject('/api/fairness/observed')).json()

/** What a stranger does who has only the answer: every hash again, from the published fields. */
function followChain(entries: readonly DrawLogEntry[]): string {
  let previous = '0'.repeat(64)
  for (const { hash, ...fields } of entries) {
    if (fields.previousHash !== previous) return `broken before ${fields.position}`
    const found = createHash('sha256').update(JSON.stringify(fields)).digest('hex')
    if (found !== hash) return `wrong hash at ${fields.position}`
    previous = hash
  }
  return previous
}

describe('GET /api/fairness/log', () => {
  it('is empty before the first opening', async () => {
    expect(await read()).toEqual({ entries: [], latest: null })
    expect(await observed()).toEqual({ packTypes: [] })
  })

  it('tells everyone what each request drew, and nothing about who opened', async () => {
    const { results } = (await open(ana, 5)).json<{ results: { prizeId: number | null }[] }>()
    const answer = await t.app.inject(path)
    expect(answer.statusCode).toBe(200)
    const [request] = await t.rows<{ created_at: Date; table_hash: string; seed: string }>(
      `SELECT r.created_at, t.table_hash, s.server_seed_hash AS seed FROM opening_requests r
       JOIN odds_tables t ON t.id = r.odds_table_id JOIN seed_pairs s ON s.id = r.seed_pair_id`,
    )
    const minute = `${request!.created_at.toISOString().slice(0, 16)}:00.000Z`
    const { entries, latest } = answer.json<DrawLogResponse>()
    expect(entries).toEqual([
      {
        position: 1,
        openingRequestAt: minute,
        packTypeId: gold,
        tableHash: request!.table_hash,
        serverSeedHash: request!.seed,
        firstNonce: 0,
        quantity: 5,
        prizeIds: results.map(({ prizeId }) => prizeId),
        previousHash: '0'.repeat(64),
        hash: entries[0]!.hash,
      },
    ])
    expect(latest).toEqual({ position: 1, hash: entries[0]!.hash })
    expect(answer.body).not.toMatch(/ana|userId|username|clientSeed|serverSeed"/)
  })

  it('is a chain that a stranger can follow, page by page', async () => {
    for (const person of [ana, ben, ana, ben, ana]) await open(person, 3)
    const first = await read('?limit=2')
    const second = await read('?after=2&limit=500')
    expect(first.entries.map(({ position }) => position)).toEqual([1, 2])
    expect(second.entries.map(({ position }) => position)).toEqual([3, 4, 5])
    expect(first.latest).toEqual(second.latest)
    expect(followChain([...first.entries, ...second.entries])).toBe(second.latest!.hash)
    expect(await read('?after=5')).toEqual({ entries: [], latest: second.latest })
  })

  it('takes a bad position for the beginning and a bad limit for 100', async () => {
    await open(ana, 1)
    for (const query of ['?after=-1', '?after=x', '?after[]=1', '?limit=501', '?limit=0']) {
      expect((await read(query)).entries).toHaveLength(1)
    }
  })

  it('goes on after a statistics reset, and keeps what it says', async () => {
    await open(ana, 4)
    const before = await read()
    await t.db.script(`
      INSERT INTO pack_openings_archive SELECT *, now() FROM pack_openings;
      DELETE FROM pack_openings;`)
    await open(ana, 2)
    const after = await read()
    expect(after.entries[0]).toEqual(before.entries[0])
    expect(after.entries).toHaveLength(2)
    expect(brokenInvariants(await runInvariants(t.db))).toEqual([])
  })
})

describe('appending to the draw log', () => {
  it('takes each request once, however often it runs', async () => {
    for (const person of [ana, ben, ana]) await open(person, 1)
    expect(await appendDrawLog(t.world)).toBe(3)
    expect(await appendDrawLog(t.world)).toBe(0)
    await open(ben, 1)
    expect(await appendDrawLog(t.world)).toBe(1)
    expect(await t.rows('SELECT position FROM draw_log ORDER BY 1')).toEqual(
      [1, 2, 3, 4].map((position) => ({ position })),
    )
    expect(brokenInvariants(await runInvariants(t.db))).toEqual([])
  })

  it('also takes a request that is older than the last entry', async () => {
    await open(ana, 1)
    await appendDrawLog(t.world)
    await open(ben, 1)
    await t.db.script(`SET session_replication_role = replica;
      UPDATE opening_requests SET created_at = created_at - interval '3 hours'
        WHERE user_id = ${ben.id};
      SET session_replication_role = origin;`)
    const { entries } = await read()
    expect(entries.map(({ position }) => position)).toEqual([1, 2])
    expect(entries[1]!.openingRequestAt < entries[0]!.openingRequestAt).toBe(true)
    expect(brokenInvariants(await runInvariants(t.db))).toEqual([])
  })

  it('goes through a long queue in batches', async () => {
    await open(ana, 1)
    await t.db.script(`
      SET session_replication_role = replica;
      INSERT INTO opening_requests (id, user_id, pack_type_id, seed_pair_id, odds_table_id,
        first_nonce, quantity, consolation_red_coin, created_at)
      SELECT gen_random_uuid(), user_id, pack_type_id, seed_pair_id, odds_table_id, n, 1, 5,
        created_at FROM opening_requests, generate_series(1, 450) n;
      INSERT INTO draw_log_queue SELECT id FROM opening_requests ON CONFLICT DO NOTHING;
      SET session_replication_role = origin;`)
    expect(await appendDrawLog(t.world, 1)).toBe(200)
    expect(await appendDrawLog(t.world)).toBe(251)
  })

  it('leaves no way to change or remove an entry', async () => {
    await open(ana, 1)
    await appendDrawLog(t.world)
    for (const sql of [`UPDATE draw_log SET hash = repeat('0', 64)`, 'DELETE FROM draw_log']) {
      await expect(t.rows(sql)).rejects.toMatchObject({ code: '23001' })
    }
  })

  it.each([
    ['a changed entry', `UPDATE draw_log SET body = replace(body, '"quantity":2', '"quantity":3')`],
    ['a changed hash', `UPDATE draw_log SET hash = repeat('0', 64) WHERE position = 2`],
    ['a removed entry', 'DELETE FROM draw_log WHERE position = 2'],
    ['a changed opening', 'UPDATE pack_openings SET prize_id = NULL, sold_out_prize_id = NULL'],
    ['a wrong sum', 'UPDATE draw_counts SET wins = wins + 1'],
  ])('is checked: %s is found', async (_what, sql) => {
    for (const person of [ana, ben, ana]) await open(person, 2)
    await appendDrawLog(t.world)
    expect(brokenInvariants(await runInvariants(t.db))).toEqual([])
    await t.db.script(`SET session_replication_role = replica; ${sql};
      SET session_replication_role = origin;`)
    expect(brokenInvariants(await runInvariants(t.db))).toContain('I27')
  })
})

describe('GET /api/fairness/observed', () => {
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

  it('is not sent twice to a browser that has it', async () => {
    await open(ana, 1)
    const first = await t.app.inject('/api/fairness/observed')
    const again = await t.app.inject({
      url: '/api/fairness/observed',
      headers: { 'if-none-match': String(first.headers.etag) },
    })
    expect([first.statusCode, again.statusCode]).toEqual([200, 304])
  })
})

describe.runIf(await isPostgresReachable())('on PostgreSQL, with openings under way', () => {
  it('logs each request once while several processes append', async () => {
    const { db, drop } = await postgresTestDatabase()
    const w = await createTestWorld({ ...db, close: async () => undefined })
    try {
      const type = await w.packType('Gold')
      await w.prize('Cap', { packTypeIds: [type], winFrequency: 1, totalPacks: 2 })
      const people = await Promise.all(
        Array.from({ length: 6 }, (_, n) => w.person(`p${n}`, { packs: { [type]: 20 } })),
      )
      const openings = people.map(async (person) => {
        for (let n = 0; n < 8; n += 1) {
          await person.send('POST', '/api/packs/open', { packTypeId: type, quantity: 1 })
        }
      })
      const appending = Array.from({ length: 3 }, async () => {
        for (let n = 0; n < 12; n += 1) await appendDrawLog(w.world)
      })
      await Promise.all([...openings, ...appending])
      await appendDrawLog(w.world)
      const { entries } = (await w.app.inject(`${path}?limit=500`)).json<DrawLogResponse>()
      expect(entries).toHaveLength(48)
      expect(followChain(entries)).toBe(entries.at(-1)!.hash)
      expect(brokenInvariants(await runInvariants(w.db))).toEqual([])
    } finally {
      await w.close()
      await drop()
    }
  }, 60_000)
})
