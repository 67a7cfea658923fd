// The public log grows: every event once, in order, with hashes that a stranger can make again.

import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { createTestDeps, type Person, type TestDeps, useTestDeps } from '../../../test/deps.ts'
import { isPostgresReachable, postgresTestDatabase } from '../../../test/test-database.ts'
import { brokenInvariants, runInvariants } from '../books/invariants.ts'
import { appendLogEntries } from './append-entries.ts'
import { logCatchUp } from './catch-up-log.ts'

const t = useTestDeps()
let gold: number
let cap: number
let ana: Person
let ben: Person

beforeEach(async () => {
  gold = await t.packType('Gold')
  cap = await t.prize('Cap', { packTypeIds: [gold], winFrequency: 1, totalPacks: 2, stock: 3 })
  await t.prize('Coins', { packTypeIds: [gold], winFrequency: 1, totalPacks: 4, redCoinAmount: 9 })
  ana = await t.person('ana', { packs: { [gold]: 100 } })
  ben = await t.person('ben', { packs: { [gold]: 100 } })
})

const open = (person: Person, quantity: number) =>
  person.send('POST', '/api/packs/open', { packTypeId: gold, quantity })

type Entry = Record<string, unknown> & { type: string }
async function entriesOf(w: Pick<TestDeps, 'rows'>): Promise<Entry[]> {
  const rows = await w.rows<{ body: string }>('SELECT body FROM log_entries ORDER BY index')
  return rows.map(({ body }) => JSON.parse(body) as Entry)
}
const ofType = (entries: readonly Entry[], type: string) =>
  entries.filter((entry) => entry.type === type)
const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')

describe('the entries of an opening', () => {
  it('are its commitments, its table and stock, one line for each pack, and the reveal', async () => {
    await open(ana, 5)
    await ana.send('POST', '/api/fairness/rotate', {})
    await appendLogEntries(t.deps)
    const entries = await entriesOf(t)
    const [pair] = await t.rows<Record<'server_seed' | 'server_seed_hash' | 'client_seed', string>>(
      `SELECT id, server_seed, server_seed_hash, client_seed FROM seed_pairs
       WHERE status = 'revealed'`,
    )
    const pairId = (pair as unknown as { id: number }).id
    const [table] = await t.rows<{ table_hash: string; body: string }>(
      'SELECT table_hash, body FROM odds_tables',
    )
    expect(ofType(entries, 'commitment')[0]).toMatchObject({
      pairId,
      serverSeedHash: pair!.server_seed_hash,
    })
    expect(ofType(entries, 'table')).toEqual([
      { type: 'table', tableHash: table!.table_hash, table: JSON.parse(table!.body) },
    ])
    expect(ofType(entries, 'stock')).toEqual([{ type: 'stock', prizeId: cap, delta: 3, after: 3 }])
    expect(ofType(entries, 'reveal')).toEqual([
      {
        type: 'reveal',
        pairId,
        serverSeed: pair!.server_seed,
        clientSeed: pair!.client_seed,
      },
    ])
    const openings = await t.rows<{ id: number; prize_id: number; sold_out_prize_id: number }>(
      `SELECT o.id, o.prize_id, o.sold_out_prize_id, o.stock_after, o.red_coin_earned, r.created_at
       FROM pack_openings o JOIN opening_requests r ON r.id = o.request_id ORDER BY o.nonce`,
    )
    expect(ofType(entries, 'opening')).toEqual(
      openings.map((row: Record<string, unknown>, nonce) => ({
        type: 'opening',
        id: row['id'],
        at: `${(row['created_at'] as Date).toISOString().slice(0, 16)}:00.000Z`,
        packTypeId: gold,
        tableHash: table!.table_hash,
        pairId,
        nonce,
        clientSeedHash: sha256(pair!.client_seed),
        prizeId: row['prize_id'],
        soldOutPrizeId: row['sold_out_prize_id'],
        stockAfter: row['stock_after'],
        redCoinEarned: row['red_coin_earned'],
      })),
    )
    expect(JSON.stringify(entries)).not.toMatch(/ana|userId|username/)
  })

  it('stand behind their commitment and their table, and tell where they stand', async () => {
    for (const person of [ana, ben, ana]) await open(person, 2)
    await appendLogEntries(t.deps)
    const entries = await entriesOf(t)
    const committed = new Map<unknown, number>()
    for (const [index, entry] of entries.entries()) {
      if (entry.type === 'commitment') committed.set(entry['pairId'], index)
      if (entry.type !== 'opening') continue
      expect(committed.get(entry['pairId'])).toBeLessThan(index)
      const table = entries.findIndex(({ tableHash }) => tableHash === entry['tableHash'])
      expect(entries[table]?.type).toBe('table')
    }
    const pairs = await t.rows<{ id: number; commitment_index: number }>(
      'SELECT id, commitment_index FROM seed_pairs',
    )
    for (const pair of pairs) expect(pair.commitment_index).toBe(committed.get(pair.id))
    const requests = await t.rows<{ first_index: number; first_nonce: number; pair: number }>(
      `SELECT l.first_index, r.first_nonce, r.seed_pair_id AS pair FROM log_requests l
       JOIN opening_requests r ON r.id = l.request_id`,
    )
    expect(requests).toHaveLength(3)
    for (const { first_index: index, first_nonce: nonce, pair: pairId } of requests) {
      expect(entries[index]).toMatchObject({ type: 'opening', pairId, nonce })
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
    // The first openings of the two have put their commitments there already.
    expect(await appendLogEntries(t.deps)).toBeGreaterThan(0)
    expect(await appendLogEntries(t.deps)).toBe(0)
    await open(ben, 3)
    expect(await appendLogEntries(t.deps)).toBe(3)
    expect(await t.rows('SELECT * FROM log_queue')).toEqual([])
    expect(brokenInvariants(await runInvariants(t.db, t.seeds))).toEqual([])
  })

  it('keeps hashes by which the tree can be made again, in batches of any size', async () => {
    await open(ana, 1)
    await t.db.script(`
      SET session_replication_role = replica;
      INSERT INTO log_queue (kind, ref, body)
      SELECT 'stock', 'filling ' || n, '{"type":"stock","prizeId":1,"delta":0,"after":' || n || '}'
      FROM generate_series(1, 2500) n;
      SET session_replication_role = origin;`)
    expect(await appendLogEntries(t.deps, { batches: 1 })).toBe(500)
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
      INSERT INTO log_queue (kind, ref) VALUES ('openings', 'no id at all'), ('table', '999999'),
        ('openings', '00000000-0000-4000-8000-000000000000'), ('reveal', '-1'), ('stock', 'x');
      INSERT INTO log_queue (kind, ref, body) VALUES ('carried', 'x', '{}'), ('stock', '1', 'not');
      INSERT INTO log_queue (kind, ref) SELECT 'openings', id::text FROM opening_requests;
      INSERT INTO log_queue (kind, ref) SELECT 'commitment', min(id)::text FROM seed_pairs;
      INSERT INTO log_queue (kind, ref) SELECT 'reveal', min(id)::text FROM seed_pairs;`)
    await open(ben, 2)
    await appendLogEntries(t.deps)
    const entries = await entriesOf(t)
    expect(ofType(entries, 'opening')).toHaveLength(3)
    expect(await t.rows('SELECT * FROM log_queue WHERE set_aside IS NULL')).toEqual([])
    expect(await t.rows('SELECT * FROM log_queue')).toHaveLength(10)
  })

  it('cuts a table that is too long for one entry into parts that give its text', async () => {
    const name = '"€𝄞'.repeat(5000)
    await t.prize('Long', { packTypeIds: [gold], winFrequency: 1, totalPacks: 100 })
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

describe('catching up', () => {
  it('holds what was committed before the call, whoever else is at it', async () => {
    const catchUp = logCatchUp(t.deps)
    await Promise.all(
      [ana, ben, ana, ben].map(async (person) => {
        await open(person, 1)
        await catchUp()
        const missing = await t.rows(
          `SELECT id FROM seed_pairs WHERE user_id = ${person.id} AND commitment_index IS NULL`,
        )
        expect(missing).toEqual([])
      }),
    )
    expect(ofType(await entriesOf(t), 'opening')).toHaveLength(4)
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
          await person.send('POST', '/api/packs/open', { packTypeId: type, quantity: 3 })
          if (n % 3 === 2) await person.send('POST', '/api/fairness/rotate', {})
        }
      })
      const appending = Array.from({ length: 3 }, async () => {
        for (let n = 0; n < 12; n += 1) await appendLogEntries(w.deps, { waits: n % 2 === 0 })
      })
      await Promise.all([...openings, ...appending])
      await appendLogEntries(w.deps)
      const entries = await entriesOf(w)
      expect(ofType(entries, 'opening')).toHaveLength(144)
      expectOrder(entries)
      expect(brokenInvariants(await runInvariants(w.db, w.seeds))).toEqual([])
    } finally {
      await w.close()
      await drop()
    }
  }, 60_000)
})

/** Of each pair: commitment, openings by nonce without gaps, reveal; tables before their use. */
function expectOrder(entries: readonly Entry[]): void {
  const nonces = new Map<unknown, number>()
  const revealed = new Set<unknown>()
  const tables = new Set<unknown>()
  for (const entry of entries) {
    if (entry.type === 'table') tables.add(entry['tableHash'])
    if (entry.type === 'commitment') nonces.set(entry['pairId'], 0)
    if (entry.type === 'reveal') revealed.add(entry['pairId'])
    if (entry.type !== 'opening') continue
    expect(tables).toContain(entry['tableHash'])
    expect(revealed).not.toContain(entry['pairId'])
    expect(entry['nonce']).toBe(nonces.get(entry['pairId']))
    nonces.set(entry['pairId'], Number(entry['nonce']) + 1)
  }
}
