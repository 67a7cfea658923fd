// The check of the books in the background: what it remembers, how it goes on, when it rings.

import { pino } from 'pino'
import { beforeEach, describe, expect, it } from 'vitest'
import { askedDatabase } from '../../../test/asked-database.ts'
import { type Person, useTestDeps } from '../../../test/deps.ts'
import { useNoRests } from '../../../test/no-rests.ts'
import type { Deps } from '../../adapters/deps.ts'
import { appendLogEntries } from '../fairness/public-log.ts'
import { booksDetails, booksState, watchBooks } from './books-state.ts'
import { checkBooks } from './check-books.ts'
import { allInvariants } from './invariants.ts'

useNoRests()

const t = useTestDeps({ SEED_DEMO: 'off' })
let boss: Person
const dayAndAMinute = 86_460

beforeEach(async () => {
  const gold = await t.packType('Gold')
  await t.prize('Cap', { packTypeIds: [gold], totalPacks: 2, stock: 50 })
  const ana = await t.person('ana', { coins: 5, packs: { [gold]: 50 } })
  await ana.open(gold, 40)
  boss = await t.person('boss', { role: 'admin' })
})

const summary = async () => (await boss.read('/api/admin/stats')).books
const spoil = () => t.rows(`UPDATE users SET red_coin_balance = red_coin_balance + 1`)
const mend = () => t.rows(`UPDATE users SET red_coin_balance = red_coin_balance - 1`)

/** Dependencies with a database that is asked through `ask` first, and a log that is kept. */
function watched(ask: (name: string, values: readonly unknown[]) => void | Promise<void>) {
  const lines: { level: number; msg: string; invariant?: string }[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) })
  const db = askedDatabase(t.db, ({ name }, values) => ask(name, values))
  const deps: Deps = { ...t.deps, db, log }
  return { deps, lines }
}

describe('a check', () => {
  it('leaves its result in the database, for every process and a fresh start', async () => {
    expect(await summary()).toMatchObject({ drift: null, checkedAt: null, isOverdue: false })
    await checkBooks(t.deps)
    expect(await summary()).toMatchObject({ drift: 0, runningSince: null, failingSince: null })
    expect((await summary()).checkedAt).not.toBeNull()
    const { invariants } = await boss.read('/api/admin/economy/books')
    expect(invariants).toHaveLength(allInvariants(t.seeds).length)
  })

  it('finds what is wrong, says so once, and finds that it was mended', async () => {
    const { deps, lines } = watched(() => undefined)
    await checkBooks(deps)
    await spoil()
    for (let round = 0; round < 3; round += 1) {
      t.clock.advance(dayAndAMinute)
      await checkBooks(deps)
    }
    const { drift, invariants } = await booksDetails(t.deps)
    const broken = invariants.filter(({ brokenRows }) => brokenRows > 0)
    expect([drift, broken]).toMatchObject([1, [{ id: 'I1' }]])
    const said = (msg: string) => lines.filter((line) => line.msg === msg)
    expect(said('the books do not agree')).toMatchObject([{ level: 50, invariant: 'I1' }])
    await mend()
    t.clock.advance(dayAndAMinute)
    await checkBooks(deps)
    expect(await booksState(t.deps)).toMatchObject({ drift: 0 })
    expect(said('the books agree again')).toHaveLength(1)
  })

  it('is not made again before it is due', async () => {
    await checkBooks(t.deps)
    const asked: string[] = []
    const { deps } = watched((name) => void asked.push(name))
    await checkBooks(deps)
    expect(asked.filter((name) => name.startsWith('invariant_'))).toEqual([])
    t.clock.advance(6 * 3600 + 1)
    await checkBooks(deps)
    expect(asked).toContain('invariant_I1_users')
  })
})

describe('a check that is cut off', () => {
  it('goes on where it was, and does not look again at what it has finished', async () => {
    let isDead = false
    const first = watched((name) => {
      isDead ||= name === 'invariant_I7_all_pack_openings'
      // Of a process that was killed nothing more arrives.
      if (isDead) throw new Error('killed')
    })
    await expect(checkBooks(first.deps)).rejects.toThrow('killed')
    expect(await booksState(t.deps)).toMatchObject({ drift: null, checkedAt: null })
    const asked: string[] = []
    const second = watched((name) => void asked.push(name))
    await checkBooks(second.deps)
    expect(await booksState(t.deps)).toMatchObject({ drift: 0 })
    expect(asked).toContain('invariant_I7_all_pack_openings')
    expect(asked).not.toContain('invariant_I1_users')
  })

  it('comes to those that were never checked before it looks at others again', async () => {
    const { deps } = watched((name) => {
      if (name.startsWith('invariant_I7')) throw new Error('not now')
    })
    await checkBooks(deps).catch(() => undefined)
    t.clock.advance(3_600)
    const asked: string[] = []
    const second = watched((name) => void asked.push(name))
    await checkBooks(second.deps)
    const firstOf = (id: string) => asked.findIndex((name) => name.startsWith(`invariant_${id}_`))
    expect(firstOf('I7')).toBeGreaterThan(-1)
    expect(firstOf('I7')).toBeLessThan(firstOf('I1'))
  })

  it('keeps how far it came inside an invariant when the process stops', async () => {
    await appendLogEntries(t.deps)
    const stopping = new AbortController()
    const { deps } = watched((name) => {
      if (name === 'read_entries_to_check') stopping.abort()
    })
    await checkBooks(deps, stopping.signal)
    const [row] = await t.rows<{ progress: { index: number }; started_at: Date }>(
      `SELECT progress, started_at FROM books_checks WHERE invariant = 'I27'`,
    )
    expect(row?.progress).not.toBeNull()
    expect((await booksState(t.deps)).runningSince).not.toBeNull()
    const after: unknown[] = []
    const second = watched((name, values) => {
      if (name === 'read_entries_to_check') after.push(values[0])
    })
    await checkBooks(second.deps)
    expect(after).not.toContain(0)
    expect((await booksState(t.deps)).drift).toBe(0)
  })
})

describe('an invariant that cannot be checked', () => {
  const failing = () =>
    watched((name) => {
      if (name === 'invariant_I8_requests') throw new Error('canceling statement\nWITH secret')
    })

  it('says since when and why, keeps the alarm on, and leaves the others checked', async () => {
    await checkBooks(t.deps)
    await spoil()
    t.clock.advance(dayAndAMinute)
    const { deps } = failing()
    await expect(checkBooks(deps)).rejects.toThrow('could not be checked: I8 (canceling statement)')
    const state = await booksState(t.deps)
    expect(state).toMatchObject({ drift: 1, overdue: true })
    expect(state.invariants.filter(({ failure }) => failure !== null)).toMatchObject([
      { id: 'I8', failure: 'canceling statement' },
    ])
    // The session of yesterday has ended.
    boss = await t.person('later', { role: 'admin' })
    const shown = await summary()
    expect(shown).toMatchObject({ drift: 1, isOverdue: true })
    expect(shown.failingSince).toBe(t.clock.now().toISOString())
  })

  it('is tried again, ever more rarely and in smaller pieces, until it can be', async () => {
    const sizes: unknown[] = []
    let attempts = 0
    const { deps } = watched((name, values) => {
      if (name !== 'keys_of_invariant_I8_requests') return
      sizes.push(values[1])
      attempts += 1
      throw new Error('too slow')
    })
    const tryAfter = async (seconds: number) => {
      t.clock.advance(seconds)
      await checkBooks(deps).catch(() => undefined)
      return attempts
    }
    expect(await tryAfter(0)).toBe(1)
    expect(await tryAfter(30)).toBe(1)
    expect(await tryAfter(31)).toBe(2)
    expect(await tryAfter(61)).toBe(2)
    expect(await tryAfter(61)).toBe(3)
    expect(sizes).toEqual([500, 62, 7])
    t.clock.advance(3600)
    await checkBooks(t.deps)
    expect(await booksState(t.deps)).toMatchObject({ drift: 0, failingSince: null })
  })
})

describe('the alarm of books that are not checked', () => {
  it('rings a day after the last check, once, and is quiet when they are checked again', async () => {
    const { deps, lines } = watched(() => undefined)
    const rings = () => lines.filter(({ msg }) => msg.startsWith('the books were not checked'))
    await checkBooks(deps)
    t.clock.advance(86_300)
    await watchBooks(deps)
    expect(await booksState(deps)).toMatchObject({ overdue: false, drift: 0 })
    expect(rings()).toHaveLength(0)
    t.clock.advance(160)
    for (let round = 0; round < 3; round += 1) await watchBooks(deps)
    expect(await booksState(deps)).toMatchObject({ overdue: true, drift: 0 })
    expect((await booksState(deps)).ageSeconds).toBeGreaterThan(86_400)
    expect(rings()).toMatchObject([{ level: 50 }])
    await checkBooks(deps)
    await watchBooks(deps)
    expect(await booksState(deps)).toMatchObject({ overdue: false })
    t.clock.advance(dayAndAMinute)
    await watchBooks(deps)
    expect(rings()).toHaveLength(2)
  })

  it('rings as well when they were never checked to the end', async () => {
    const { deps, lines } = watched((name) => {
      if (name === 'invariant_I8_requests') throw new Error('too slow')
    })
    const made = 'UPDATE schema_migrations SET applied_at = $1 WHERE version = 1'
    await t.rows(made, [t.clock.now()])
    await checkBooks(deps).catch(() => undefined)
    expect(await booksState(deps)).toMatchObject({ drift: null, overdue: false })
    t.clock.advance(dayAndAMinute)
    await checkBooks(deps).catch(() => undefined)
    await watchBooks(deps)
    expect(await booksState(deps)).toMatchObject({ drift: null, checkedAt: null, overdue: true })
    expect(lines.some(({ msg }) => msg.startsWith('the books were not checked'))).toBe(true)
  })
})
