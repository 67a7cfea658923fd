// The public log grows: every event once, in order, with hashes that a stranger can make again.

import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  createTestDeps,
  nextDay,
  type Person,
  type TestDeps,
  useTestDeps,
} from '../../../test/deps.ts'
import { isPostgresReachable, postgresTestDatabase } from '../../../test/test-database.ts'
import { endPastChains } from './chains.ts'
import { appendLogEntries } from './public-log.ts'

const t = useTestDeps()
let gold: number
let cap: number
let ana: Person
let ben: Person

beforeEach(async () => {
  gold = await t.packType('Gold')
  cap = await t.prize('Cap', { packTypeIds: [gold], totalPacks: 2, stock: 3 })
  await t.prize('Coins', { packTypeIds: [gold], totalPacks: 4, redCoinAmount: 9 })
  ana = await t.person('ana', { packs: { [gold]: 100 } })
  ben = await t.person('ben', { packs: { [gold]: 100 } })
})

const open = (person: Person, quantity: number) => person.open(gold, quantity)

type Entry = Record<string, unknown> & { type: string }
async function entriesOf(w: Pick<TestDeps, 'rows'>): Promise<Entry[]> {
  const rows = await w.rows<{ body: string }>('SELECT body FROM log_entries ORDER BY index')
  return rows.map(({ body }) => JSON.parse(body) as Entry)
}
const ofType = (entries: readonly Entry[], type: string) =>
  entries.filter((entry) => entry.type === type)
const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')

describe('the entries of openings', () => {
  it('are a chain, its table and stock, one line for each request, and the end', async () => {
    await open(ana, 5)
    await open(ana, 2)
    nextDay(t.clock)
    await endPastChains(t.deps)
    await appendLogEntries(t.deps)
    const entries = await entriesOf(t)
    const [chain] = await t.rows<{ id: number; first_commitment: string; end_seed: string }>(
      'SELECT id, first_commitment, end_seed FROM draw_chains',
    )
    const chainId = chain!.id
    const [table] = await t.rows<{ table_hash: string; body: string }>(
      'SELECT table_hash, body FROM odds_tables',
    )
    const requests = await t.rows<Record<string, unknown>>(
      'SELECT * FROM opening_requests ORDER BY chain_index',
    )
    const packs = await t.rows<Record<string, unknown>>(
      'SELECT * FROM pack_openings ORDER BY request_id, position',
    )
    const shipped = ({ id }: Record<string, unknown>) =>
      packs.flatMap((pack) => {
        const isSent = pack['request_id'] === id && pack['prize_id'] === cap
        const step = { step: 'wanted', day: '2026-11-24', due: null }
        return isSent
          ? [{ type: 'shipment', opening: id, position: pack['position'], ...step }]
          : []
      })
    expect(entries).toEqual([
      { type: 'stock', prizeId: cap, delta: 3, after: 3 },
      { type: 'table', tableHash: table!.table_hash, table: JSON.parse(table!.body) },
      { type: 'chain', chainId, commitment: chain!.first_commitment },
      ...requests.flatMap((row, index) => [
        {
          type: 'opening',
          id: row['id'],
          at: `${(row['created_at'] as Date).toISOString().slice(0, 16)}:00.000Z`,
          packTypeId: gold,
          tableHash: table!.table_hash,
          chainId,
          index,
          serverSeed: row['server_seed'],
          entropy: row['entropy'],
          entropyFrom: 'server',
          next: row['next_commitment'],
          results: packs
            .filter((pack) => pack['request_id'] === row['id'])
            .map((pack) => [
              pack['prize_id'],
              pack['sold_out_prize_id'],
              pack['stock_after'],
              pack['red_coin_earned'],
            ]),
        },
        ...shipped(row),
      ]),
      { type: 'end', chainId, index: 2, serverSeed: chain!.end_seed },
    ])
    const seeds = [...requests.map((row) => row['server_seed']), chain!.end_seed]
    const hashes = seeds.map((seed) => sha256(Buffer.from(String(seed), 'hex')))
    expect(hashes).toEqual([
      chain!.first_commitment,
      ...requests.map((row) => row['next_commitment']),
    ])
    expect(JSON.stringify(entries)).not.toMatch(/ana|userId|username/)
  })

  it('are none of who only looks, and name their place', async () => {
    await ben.get('/api/fairness')
    nextDay(t.clock)
    await ben.get('/api/fairness')
    for (let count = 0; count < 3; count += 1) await open(ana, 1)
    await appendLogEntries(t.deps)
    const entries = await entriesOf(t)
    expect(ofType(entries, 'chain')).toHaveLength(1)
    expect(ofType(entries, 'end')).toEqual([])
    const requests = await t.rows<{ index: number; request_id: string }>(
      'SELECT * FROM log_requests',
    )
    expect(requests).toHaveLength(3)
    for (const { index, request_id: id } of requests) {
      expect(entries[index]).toMatchObject({ type: 'opening', id })
    }
  })

  it('tell every change of a limited stock by staff, also those without a difference', async () => {
    const boss = await t.person('boss', { role: 'super_user' })
    const set = (quantity: number | null) =>
      boss.send('POST', `/api/admin/prizes/${cap}/set-inventory`, { inventoryQuantity: quantity })
    await appendLogEntries(t.deps)
    const answers = [await set(0), await set(null), await set(0), await set(7), await set(null)]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200])
    await appendLogEntries(t.deps)
    const told = ofType(await entriesOf(t), 'stock').map(({ delta, after }) => [delta, after])
    expect(told).toEqual([
      [3, 3],
      [-3, 0],
      [0, null],
      [0, 0],
      [7, 7],
      [-7, null],
    ])
  })
})

describe('appending', () => {
  it('takes each row once, however often it runs, and leaves an empty queue', async () => {
    for (const person of [ana, ben, ana]) await open(person, 1)
    // A stock, a table, two chains and three requests, and what they won to be sent.
    const [won] = await t.rows<{ n: number }>('SELECT count(*)::int AS n FROM shipments')
    expect(await appendLogEntries(t.deps)).toBe(7 + won!.n)
    expect(await appendLogEntries(t.deps)).toBe(0)
    await open(ben, 3)
    expect(await appendLogEntries(t.deps)).toBe(1)
    expect(await t.rows('SELECT * FROM log_queue')).toEqual([])
    await t.expectTrueBooks()
  })

  it('keeps hashes by which the tree can be made again, in batches of any size', async () => {
    await open(ana, 1)
    await t.db.script(`
      SET session_replication_role = replica;
      INSERT INTO log_queue (kind, ref, body)
      SELECT 'stock', 'filling ' || n, '{"type":"stock","prizeId":1,"delta":0,"after":' || n || '}'
      FROM generate_series(1, 2500) n;
      SET session_replication_role = origin;`)
    expect(await appendLogEntries(t.deps, { batches: 1 })).toBe(2001)
    await appendLogEntries(t.deps)
    const rows = await t.rows<{ index: number; body: string; leaf: string }>(
      `SELECT index, body, encode(leaf_hash, 'hex') AS leaf FROM log_entries ORDER BY index`,
    )
    expect(rows.map(({ index }) => index)).toEqual(rows.map((_row, index) => index))
    const hash = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest()
    const leaves = rows.map(({ body }) => hash(Buffer.of(0), Buffer.from(body)))
    expect(rows.map(({ leaf }) => leaf)).toEqual(leaves.map((leaf) => leaf.toString('hex')))
    const root = (list: Buffer[]): Buffer =>
      list.length === 1
        ? list[0]!
        : hash(
            Buffer.of(1),
            root(list.slice(0, list.length / 2)),
            root(list.slice(list.length / 2)),
          )
    const subtrees = await t.rows<{ level: number; position: number; hash: string }>(
      `SELECT level, position, encode(hash, 'hex') AS hash FROM log_subtrees
       ORDER BY level, position`,
    )
    expect(subtrees).toEqual(
      Array.from({ length: Math.floor(rows.length / 256) }, (_, position) => ({
        level: 1,
        position,
        hash: root(leaves.slice(position * 256, (position + 1) * 256)).toString('hex'),
      })),
    )
  })

  it('sets a row aside that cannot be logged, and goes on behind it', async () => {
    await open(ana, 1)
    await appendLogEntries(t.deps)
    await t.db.script(`
      INSERT INTO log_queue (kind, ref) VALUES ('opening', 'no id at all'), ('table', '999999'),
        ('opening', '00000000-0000-4000-8000-000000000000'), ('end', '-1'), ('stock', 'x');
      INSERT INTO log_queue (kind, ref, body) VALUES ('stock', '1', '{}'), ('stock', '2', 'not');
      INSERT INTO log_queue (kind, ref) SELECT 'opening', id::text FROM opening_requests;
      INSERT INTO log_queue (kind, ref) SELECT 'end', min(id)::text FROM draw_chains;`)
    await open(ben, 2)
    await appendLogEntries(t.deps)
    const entries = await entriesOf(t)
    expect(ofType(entries, 'opening')).toHaveLength(2)
    expect(await t.rows('SELECT * FROM log_queue WHERE set_aside IS NULL')).toEqual([])
    expect(await t.rows('SELECT * FROM log_queue')).toHaveLength(9)
  })

  it('cuts a table that is too long for one entry into parts that give its text', async () => {
    const name = '"€𝄞'.repeat(5000)
    await t.prize('Long', { packTypeIds: [gold], totalPacks: 100 })
    await t.rows('UPDATE prizes SET name = $1 WHERE id > $2', [name, cap])
    await open(ana, 1)
    await appendLogEntries(t.deps)
    const bodies = await t.rows<{ length: number }>(
      'SELECT octet_length(body) AS length FROM log_entries',
    )
    expect(Math.max(...bodies.map(({ length }) => length))).toBeLessThan(65_536)
    const parts = ofType(await entriesOf(t), 'table')
    expect(parts.length).toBeGreaterThan(1)
    expect(parts.map(({ part }) => part)).toEqual(parts.map((_part, index) => index + 1))
    expect(parts.every((entry) => entry['parts'] === parts.length)).toBe(true)
    const text = parts.map((entry) => entry['text']).join('')
    expect(parts[0]!['tableHash']).toBe(sha256(text))
  })

  it('leaves no way to change or remove an entry', async () => {
    await open(ana, 1)
    await appendLogEntries(t.deps)
    for (const sql of [`UPDATE log_entries SET body = 'x'`, 'DELETE FROM log_entries']) {
      await expect(t.rows(sql)).rejects.toMatchObject({ code: '23001' })
    }
  })
})

describe.runIf(await isPostgresReachable())('on PostgreSQL, with openings under way', () => {
  it('logs each row once and in order while several processes append', async () => {
    const { db, drop } = await postgresTestDatabase()
    const w = await createTestDeps({ ...db, close: async () => undefined })
    try {
      const type = await w.packType('Gold')
      await w.prize('Cap', { packTypeIds: [type], winFrequency: 1, totalPacks: 2, stock: 20 })
      const people = await Promise.all(
        Array.from({ length: 6 }, (_, n) => w.person(`p${n}`, { packs: { [type]: 50 } })),
      )
      const openings = people.map(async (person) => {
        for (let n = 0; n < 8; n += 1) {
          await person.open(type, 3)
        }
      })
      const appending = Array.from({ length: 3 }, async () => {
        for (let n = 0; n < 12; n += 1) await appendLogEntries(w.deps)
      })
      await Promise.all([...openings, ...appending])
      await appendLogEntries(w.deps)
      const entries = await entriesOf(w)
      expect(ofType(entries, 'opening')).toHaveLength(48)
      expectOrder(entries)
      await w.expectTrueBooks()
    } finally {
      await w.close()
      await drop()
    }
  }, 60_000)
})

/** Of each chain: its beginning, openings by index without gaps; tables before their use. */
function expectOrder(entries: readonly Entry[]): void {
  const due = new Map<unknown, number>()
  const tables = new Set<unknown>()
  for (const entry of entries) {
    if (entry.type === 'table') tables.add(entry['tableHash'])
    if (entry.type === 'chain') due.set(entry['chainId'], 0)
    if (entry.type !== 'opening') continue
    expect(tables).toContain(entry['tableHash'])
    expect(entry['index']).toBe(due.get(entry['chainId']))
    due.set(entry['chainId'], Number(entry['index']) + 1)
  }
}
