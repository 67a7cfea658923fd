// The look at new rows: each kind of forged row is found soon after it was written, by rules that a
// check of all books has found to hold before.

import { beforeEach, describe, expect, it } from 'vitest'
import { askedDatabase } from '../../../test/asked-database.ts'
import { type Person, useTestDeps } from '../../../test/deps.ts'
import { everyThird } from '../../../test/everyday.ts'
import { forgedRows } from '../../../test/forged-rows.ts'
import { useNoRests } from '../../../test/no-rests.ts'
import { type MovableClock, movableClock } from '../../adapters/clock/clock.ts'
import type { Deps } from '../../adapters/deps.ts'
import { keepLog } from '../fairness/public-log.ts'
import { booksState } from './books-state.ts'
import { checkBooks } from './check-books.ts'
import { checkNewRows } from './check-new-rows.ts'
import { resetOpenings } from './economy-settings.ts'

useNoRests()

const t = useTestDeps({ SEED_DEMO: 'off' })
let gold: number
let ana: Person
let clock: MovableClock
let deps: Deps
const minute = 61

const open = (quantity: number) => ana.open(gold, quantity)
const broken = async () =>
  (await booksState(t.deps)).invariants.filter((one) => one.brokenRows > 0).map(({ id }) => id)
const look = async () => {
  clock.advance(minute)
  await checkNewRows(deps)
}
const marks = async () =>
  (
    await t.rows<{ ids: Record<string, number>; written_by: string; walk: { index: number } }>(
      'SELECT ids, written_by, walk FROM books_marks',
    )
  )[0]

beforeEach(async () => {
  clock = movableClock()
  deps = { ...t.deps, clock }
  gold = await t.packType('Gold')
  await t.prize('Cap', { packTypeIds: [gold], totalPacks: 2, stock: 50 })
  await t.prize('Coins', { packTypeIds: [gold], totalPacks: 4, redCoinAmount: 7 })
  ana = await t.person('ana', { coins: 500, packs: { [gold]: 500 } })
  await open(20)
  await keepLog(t.deps)
  await checkNewRows(deps)
  await checkBooks(deps)
  expect(await booksState(t.deps)).toMatchObject({ drift: 0 })
})

describe('honest books', () => {
  it('are all checked at a first start, when both jobs begin at one time', async () => {
    await t.db.script('DELETE FROM books_marks; DELETE FROM books_checks')
    await Promise.all([checkBooks(deps), checkNewRows(deps)])
    const { invariants } = await booksState(t.deps)
    expect(invariants.filter(({ checkedAt }) => checkedAt === null)).toEqual([])
  })

  it('are found to agree, whatever has happened since the last look', async () => {
    for (let round = 0; round < 3; round += 1) {
      await open(30)
      await look()
      await keepLog(t.deps)
      await look()
      const bea = await t.person(`bea${round}`, { coins: 5, packs: { [gold]: 3 } })
      await bea.open(gold, 2)
      await look()
      const by = { now: clock.now(), id: ana.id, role: 'admin' } as never
      await t.db.transaction((tx) => resetOpenings(tx, by))
      await look()
    }
    expect(await broken()).toEqual([])
    expect(Number((await marks())?.walk.index)).toBeGreaterThan(10)
  })

  it('are not looked at again before it is time, nor by two at once to no end', async () => {
    await look()
    const before = await marks()
    await checkNewRows(deps)
    expect(await marks()).toEqual(before)
    clock.advance(minute)
    await open(2)
    await Promise.all([checkNewRows(deps), checkNewRows(deps)])
    expect(await broken()).toEqual([])
    expect((await marks())?.written_by).not.toBe(before?.written_by)
  })

  it('are looked at by rows, not whole', async () => {
    await open(2)
    clock.advance(minute)
    const asked: [string, unknown][] = []
    const db = askedDatabase(t.db, ({ name }, values) => void asked.push([name, values[0]]))
    await checkNewRows({ ...deps, db })
    expect(asked.find(([name]) => name === 'new_rows_of_I8_requests')?.[1]).toHaveLength(1)
    expect(asked.map(([name]) => name).filter((name) => /^invariant_I\d+_/.test(name))).toEqual([])
    expect(asked).not.toContainEqual(['read_entries_to_check', 0])
  })
})

describe('a forged row', () => {
  // The check of all books is told every one each day.
  it.each(everyThird(Object.entries(forgedRows)))(
    'is found when it is new: %s',
    async (what, sql) => {
      const [rule] = what.split(' ')
      await open(3)
      await look()
      expect(await broken()).toEqual([])
      const [, table, name] = /ALTER TABLE (\w+)\s+DROP CONSTRAINT\s+(\w+);/.exec(sql) ?? []
      const [constraint] = await t.rows<{ text: string }>(
        'SELECT pg_get_constraintdef(oid) AS text FROM pg_constraint WHERE conname = $1',
        [name ?? ''],
      )
      await t.plant(sql)
      await look()
      expect(await broken()).toContain(rule)
      if (constraint === undefined) return
      await t.plant(
        `DELETE FROM ${table}; ALTER TABLE ${table} ADD CONSTRAINT ${name} ${constraint.text}`,
      )
    },
  )
})
