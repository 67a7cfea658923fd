// Groups of openings on real PostgreSQL, beside others that hold what they need.

import { describe, expect, it } from 'vitest'
import type { Database, Queryable, Statement, Values } from '../src/adapters/db/database.ts'
import { lockUser } from '../src/features/ledger/ledger-tables.ts'
import { usePostgresDeps } from './deps.ts'
import { waitingForLocks } from './held-transaction.ts'
import { openingProcess, peopleWithChains } from './opening.ts'
import { hasPostgres } from './test-database.ts'

describe.skipIf(!hasPostgres)('on PostgreSQL', () => {
  const t = usePostgresDeps(16)

  it('somebody whose row is held waits, and nobody waits with them', async () => {
    const gold = await t.packType('Gold')
    const players = await peopleWithChains(t, 10, { [gold]: 1 })
    const held = players[4]!
    const process = openingProcess(t.deps)
    const order = { packTypeId: gold, quantity: 1, idempotencyKey: undefined }
    const ended: string[] = []
    const opened: Promise<unknown>[] = []
    await t.db.transaction(async (tx) => {
      await lockUser(tx, held.id)
      for (const { id } of players) {
        opened.push(
          process.open(id, order).then(() => ended.push(id === held.id ? 'held' : 'free')),
        )
      }
      // All but one are through while the row is still held.
      await expect.poll(() => ended.length).toBe(9)
      ended.push('released')
    })
    await Promise.all(opened)
    expect(ended).toEqual([...Array.from({ length: 9 }, () => 'free'), 'released', 'held'])
    await t.expectTrueBooks()
  })

  it('a prize whose row is held holds up nobody who does not win it', async () => {
    const gold = await t.packType('Gold')
    const iron = await t.packType('Iron')
    const mug = await t.prize('Mug', { packTypeIds: [gold], totalPacks: 1, stock: 3 })
    const winners = await peopleWithChains(t, 3, { [gold]: 1 })
    const others = await peopleWithChains(t, 5, { [iron]: 1 }, 'other')
    const process = openingProcess(t.deps)
    let through = 0
    let won = 0
    const opened: Promise<unknown>[] = []
    await t.db.transaction(async (tx) => {
      await tx.run(
        { name: 'test_hold_prize', text: 'SELECT id FROM prizes WHERE id = $1 FOR UPDATE' },
        [mug],
      )
      const open = (id: number, packTypeId: number) =>
        process.open(id, { packTypeId, quantity: 1, idempotencyKey: undefined })
      for (const { id } of winners) opened.push(open(id, gold).then(() => (won += 1)))
      for (const { id } of others) opened.push(open(id, iron).then(() => (through += 1)))
      await expect.poll(() => through).toBe(5)
      expect(won).toBe(0)
    })
    await Promise.all(opened)
    expect(await t.rows('SELECT inventory_quantity AS stock FROM prizes')).toEqual([{ stock: 0 }])
    await t.expectTrueBooks()
  })

  it.each([
    ['is no longer given', undefined, 'is_active = false'],
    ['gets an end', undefined, 'inventory_quantity = 1'],
    ['has an end and becomes another', 3, "name = 'Cup'"],
  ])('a prize that %s while its winner waits is not won as it was', async (_how, stock, change) => {
    const gold = await t.packType('Gold')
    await t.prize('Mug', { packTypeIds: [gold], totalPacks: 1, ...(stock && { stock }) })
    const [held] = await peopleWithChains(t, 1, { [gold]: 1 })
    const [{ oddsHash }] = await held!.read('/api/packs/types')
    const order = { packTypeId: gold, quantity: 1, oddsHash, idempotencyKey: undefined }
    let opened: Promise<unknown> | undefined
    await t.db.transaction(async (tx) => {
      await lockUser(tx, held!.id)
      opened = openingProcess(t.deps).open(held!.id, order)
      opened.catch(() => undefined)
      await expect.poll(() => waitingForLocks(t.db)).toBe(1)
      await t.rows(`UPDATE prizes SET ${change}`)
    })
    await expect(opened).rejects.toMatchObject({ code: 'odds_changed' })
    expect(await t.rows('SELECT id FROM pack_openings')).toEqual([])
  })

  it('somebody whose draw meets the end of a stock is not overtaken for ever', async () => {
    const gold = await t.packType('Gold')
    await t.prize('Mug', { packTypeIds: [gold], totalPacks: 1, stock: 40 })
    const [player] = await peopleWithChains(t, 1, { [gold]: 50 })
    const others = await peopleWithChains(t, 20, { [gold]: 1 }, 'other')
    const elsewhere = openingProcess(t.deps)
    const taken: Promise<unknown>[] = []
    // Whenever it has read the stock, somebody else takes a unit, unless they have to wait.
    const overtaken = (db: Queryable): Queryable => ({
      allow: (millis) => db.allow(millis),
      run: async <Row>(statement: Statement, values: Values) => {
        const rows = await db.run<Row>(statement, values)
        const other = statement.name === 'read_opening_states' ? others.pop() : undefined
        if (other === undefined) return rows
        const order = { packTypeId: gold, quantity: 1, idempotencyKey: undefined }
        const unit = elsewhere.open(other.id, order)
        taken.push(unit)
        await Promise.race([unit, new Promise((resolve) => setTimeout(resolve, 300))])
        return rows
      },
    })
    const db: Database = {
      ...t.db,
      ...overtaken(t.db),
      transaction: (work) => t.db.transaction((tx) => work(overtaken(tx))),
    }
    const order = { packTypeId: gold, quantity: 50, idempotencyKey: undefined }
    await openingProcess({ ...t.deps, db }).open(player!.id, order)
    await Promise.all(taken)
    const won = 'SELECT count(*)::int FROM pack_openings WHERE prize_id IS NOT NULL'
    expect(await t.value(won)).toBe(40)
    await t.expectTrueBooks()
  })

  it('three processes with a crowd share few units and lose no opening', async () => {
    const gold = await t.packType('Gold')
    await t.prize('Mug', { packTypeIds: [gold], totalPacks: 2, stock: 40 })
    await t.prize('Coins', { packTypeIds: [gold], totalPacks: 4, redCoinAmount: 9 })
    const players = await peopleWithChains(t, 60, { [gold]: 12 })
    const processes = [0, 1, 2].map(() => openingProcess(t.deps))
    const open = async (index: number) => {
      const person = players[index % players.length]!
      const order = { packTypeId: gold, quantity: 1 + (index % 3), idempotencyKey: `k${index}` }
      // Each one twice, in two processes: the second gets the answer of the first.
      const answers = await Promise.all(
        [0, 1].map((turn) => processes[(index + turn) % 3]!.open(person.id, order)),
      )
      expect(answers[0]?.body).toBe(answers[1]?.body)
    }
    await Promise.all(Array.from({ length: 240 }, (_, index) => open(index)))
    const [counts] = await t.rows(
      `SELECT (SELECT sum(quantity)::int FROM opening_requests) AS opened,
         (SELECT count(*)::int FROM opening_requests) AS requests,
         (SELECT inventory_quantity FROM prizes WHERE name = 'Mug') AS stock`,
    )
    expect(counts).toEqual({ opened: 480, requests: 240, stock: 0 })
    await t.expectTrueBooks()
  })
})
