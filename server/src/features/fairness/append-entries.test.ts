// The public log grows: every event once, and in order.

import { Replay } from '@redpack/fair/replay'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import {
  createTestDeps,
  nextDay,
  type Person,
  type TestDeps,
  useTestDeps,
} from '../../../test/deps.ts'
import { hasPostgres, postgresTestDatabase } from '../../../test/test-database.ts'
import { nodeHashing } from '../../adapters/random/hashing.ts'
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
const textsOf = (w: Pick<TestDeps, 'column'>) =>
  w.column<string>('SELECT body FROM log_entries ORDER BY index')
const entriesOf = async (w: Pick<TestDeps, 'column'>) =>
  (await textsOf(w)).map((text) => JSON.parse(text) as Entry)
function faultsOf(texts: readonly string[]) {
  const replay = new Replay(nodeHashing)
  for (const text of texts) replay.take(text)
  return replay.faults
}
const ofType = (entries: readonly Entry[], type: string) =>
  entries.filter((entry) => entry.type === type)

describe('the entries of openings', () => {
  it('are a chain, its table and stock, one line for each request as it was answered, and the end', async () => {
    const answers = [await open(ana, 5), await open(ana, 2)].map((answer) => answer.json())
    nextDay(t.clock)
    await endPastChains(t.deps)
    await appendLogEntries(t.deps)
    const entries = (await entriesOf(t)).filter(({ type }) => type !== 'shipment')
    const [{ chainId, commitment, tableHash }] = answers.map(({ proof }) => proof)
    const times = await t.column<Date>(
      'SELECT created_at FROM opening_requests ORDER BY chain_index',
    )
    expect(entries).toEqual([
      { type: 'stock', prizeId: cap, delta: 3, after: 3 },
      { type: 'table', tableHash, table: expect.objectContaining({ packTypeId: gold }) },
      { type: 'chain', chainId, commitment },
      ...answers.map(({ proof, results }, index) => ({
        ...{ type: 'opening', id: proof.requestId, packTypeId: gold, tableHash, chainId, index },
        ...{ serverSeed: proof.serverSeed, entropy: proof.entropy, entropyFrom: 'server' },
        at: `${times[index]!.toISOString().slice(0, 16)}:00.000Z`,
        next: proof.nextCommitment,
        results: results.map(({ prizeId, redCoinEarned }: Record<string, unknown>) => [
          ...[prizeId, prizeId === null ? expect.toBeOneOf([null, cap]) : null],
          ...[expect.toBeOneOf([null, 0, 1, 2]), redCoinEarned],
        ]),
      })),
      { type: 'end', chainId, index: 2, serverSeed: expect.any(String) },
    ])
    expect(faultsOf(await textsOf(t))).toEqual([])
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
    const error = vi.spyOn(t.deps.log, 'error')
    await appendLogEntries(t.deps)
    expect(error.mock.calls.map(([row]) => row)).toEqual(
      Array(9).fill({
        id: expect.anything(),
        kind: expect.any(String),
        ref: expect.any(String),
        reason: expect.any(String),
      }),
    )
    error.mockRestore()
    const entries = await entriesOf(t)
    expect(ofType(entries, 'opening')).toHaveLength(2)
    expect(await t.rows('SELECT * FROM log_queue WHERE set_aside IS NULL')).toEqual([])
    expect(await t.rows('SELECT * FROM log_queue')).toHaveLength(9)
  })
})

describe.runIf(hasPostgres)('on PostgreSQL, with openings under way', () => {
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
      const texts = await textsOf(w)
      expect(texts.filter((text) => text.startsWith('{"type":"opening"'))).toHaveLength(48)
      expect(faultsOf(texts)).toEqual([])
      await w.expectTrueBooks()
    } finally {
      await w.close()
      await drop()
    }
  }, 60_000)
})
