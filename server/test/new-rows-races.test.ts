// The look at new rows beside transactions that end in another order than their ids, after
// restarts, in two processes and after a restore, on PostgreSQL.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type MovableClock, movableClock } from '../src/adapters/clock/clock.ts'
import { statement } from '../src/adapters/db/database.ts'
import { writeDump } from '../src/adapters/db/dump.ts'
import { readMigrations } from '../src/adapters/db/migrate.ts'
import { restoreDump } from '../src/adapters/db/restore.ts'
import type { Deps } from '../src/adapters/deps.ts'
import { booksState } from '../src/features/books/books-state.ts'
import { checkBooks } from '../src/features/books/check-books.ts'
import { checkNewRows } from '../src/features/books/check-new-rows.ts'
import { keepLog } from '../src/features/fairness/public-log.ts'
import { migrationsFolder } from '../src/paths.ts'
import { createTestDeps, type Person, plant, type TestDeps } from './deps.ts'
import { heldTransaction } from './held-transaction.ts'
import { hasPostgres, postgresTestDatabase } from './test-database.ts'

const millisMax = 120_000

/** A row of the ledger without its coins: I1 does not hold. */
const forge = statement(
  'test_forge_ledger',
  `INSERT INTO red_coin_transactions (user_id, amount, type, balance_after, source_type, source_id)
   SELECT id, 5, 'admin_grant', red_coin_balance + 5, 'grant', gen_random_uuid() FROM users`,
)
const forgeCoins = statement(
  'test_forge_coins',
  'UPDATE users SET red_coin_balance = red_coin_balance + 5',
)

const changeOldRows = 'UPDATE pack_openings SET red_coin_earned = red_coin_earned + 1'

describe.skipIf(!hasPostgres)('the look at new rows on PostgreSQL', () => {
  let t: TestDeps
  let drop: () => Promise<void>
  let clock: MovableClock
  let deps: Deps
  let gold: number
  let ana: Person

  beforeEach(async () => {
    const database = await postgresTestDatabase(8)
    drop = database.drop
    t = await createTestDeps(database.db)
    clock = movableClock()
    deps = { ...t.deps, clock }
    gold = await t.packType('Gold')
    await t.prize('Cap', { packTypeIds: [gold], totalPacks: 2, stock: 500 })
    ana = await t.person('ana', { coins: 5, packs: { [gold]: 900 } })
    await open(5)
    await keepLog(t.deps)
    await checkNewRows(deps)
    await checkBooks(deps)
    await look()
    expect(await broken()).toEqual([])
  }, millisMax)
  afterEach(async () => {
    await t.app.close()
    await drop()
  }, millisMax)

  const open = (quantity: number) => ana.open(gold, quantity)
  const look = async (by = deps) => {
    clock.advance(61)
    await checkNewRows(by)
  }
  const broken = async () =>
    (await booksState(deps)).invariants.filter((one) => one.brokenRows > 0).map(({ id }) => id)
  const mark = async () =>
    await t.value<number>("SELECT (ids->>'ledger')::int AS ledger FROM books_marks")

  it(
    'finds a row with a low id that is committed after a look',
    async () => {
      const late = await heldTransaction(t.db, (tx) => tx.run(forge, []))
      await t.person('bea', { coins: 9 })
      const before = await mark()
      await look()
      expect(await broken()).toEqual([])
      // Somebody writes, so the mark waits, and rows above it are looked at twice.
      expect(await mark()).toBe(before)
      await late.end()
      await look()
      expect(await broken()).toContain('I1')
    },
    millisMax,
  )

  it(
    'finds a state that is committed after a look by a transaction begun before it',
    async () => {
      const late = await heldTransaction(t.db, (tx) => tx.run(forgeCoins, []))
      await t.rows('SELECT pg_current_xact_id()')
      await look()
      await look()
      expect(await broken()).toEqual([])
      await late.end()
      await look()
      expect(await broken()).toContain('I1')
    },
    millisMax,
  )

  it(
    'says nothing wrong beside honest people who are at it, and one who is slow',
    async () => {
      const late = await heldTransaction(t.db, (tx) =>
        tx.run(statement('test_slow', `INSERT INTO audit_log (action) VALUES ('test.slow')`), []),
      )
      let isOn = true
      const player = async (index: number) => {
        const one = await t.person(`p${index}`, { packs: { [gold]: 200 } })
        while (isOn) await one.open(gold, 2)
      }
      const players = [player(1), player(2), player(3)]
      for (let round = 0; round < 4; round += 1) {
        await look()
        await keepLog(t.deps)
      }
      isOn = false
      await Promise.all(players)
      await late.end()
      await look()
      expect(await broken()).toEqual([])
      expect(await mark()).toBeGreaterThan(20)
    },
    millisMax,
  )

  it(
    'goes on after a restart, and by two processes each row is looked at',
    async () => {
      const restarted = await createTestDeps(t.db)
      const other = { ...restarted.deps, clock }
      clock.advance(61)
      await t.rows(forge.text)
      await Promise.all([checkNewRows(deps), checkNewRows(other)])
      expect(await broken()).toContain('I1')
      await restarted.app.close()
    },
    millisMax,
  )

  it(
    'keeps its marks when it is cut off, and looks again',
    async () => {
      await t.rows(forge.text)
      const before = await mark()
      const stopping = new AbortController()
      stopping.abort()
      clock.advance(61)
      await checkNewRows(deps, stopping.signal)
      expect(await mark()).toBe(before)
      await checkNewRows(deps)
      expect(await broken()).toContain('I1')
    },
    millisMax,
  )

  it(
    'is not led past what comes by a row under an id of the far future',
    async () => {
      await t.rows(
        `INSERT INTO red_coin_transactions (id, user_id, amount, type, balance_after, source_type,
         source_id) SELECT 4000000000000000, id, 1, 'admin_grant', 1, 'grant', 'far' FROM users
       LIMIT 1`,
      )
      await look()
      expect(await mark()).toBeLessThan(1_000)
      expect(await broken()).toContain('I1')
    },
    millisMax,
  )

  it(
    'makes all books due in a database that a dump was restored into',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'redpack-marks-'))
      const target = await postgresTestDatabase(4)
      const file = join(folder, 'dump')
      try {
        // Not due by their time for hours.
        await t.rows('UPDATE books_checks SET work_millis = 10000000')
        await writeDump(t.db, file, { createdAt: clock.now() })
        const migrations = await readMigrations(migrationsFolder)
        await restoreDump(target.db, file, { migrations, force: true })
        const restored = { ...deps, db: target.db }
        // Whoever restores may have changed what is old: only a check of all books tells.
        await plant(target.db, changeOldRows)
        await look(restored)
        await checkBooks(restored)
        const state = await booksState(restored)
        const wrong = state.invariants.filter(({ brokenRows }) => brokenRows > 0)
        expect(wrong.map(({ id }) => id)).toContain('I23')
      } finally {
        await target.drop()
        rmSync(folder, { recursive: true, force: true })
      }
    },
    millisMax,
  )

  it(
    'leaves what was changed in old rows to the check of all books',
    async () => {
      await t.plant(changeOldRows)
      await look()
      expect(await broken()).toEqual([])
      clock.advance(6 * 3_600)
      await checkBooks(deps)
      expect(await broken()).toEqual(expect.arrayContaining(['I8', 'I23', 'I27']))
    },
    millisMax,
  )
})
