import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { embeddedTestDatabase } from '../../../test/test-database.ts'
import { type MovableClock, movableClock } from '../clock/clock.ts'
import type { Database } from './database.ts'
import { checkDump } from './dump.ts'
import { newestDump, startRollingDumps } from './rolling-dumps.ts'

const log = pino({ level: 'silent' })
let db: Database
let folder: string
let clock: MovableClock

beforeAll(async () => {
  db = await embeddedTestDatabase()
}, 60_000)
afterAll(() => db.close())
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'redpack-rolling-'))
  clock = movableClock({ now: () => new Date('2026-11-01T10:00:00Z') })
})

const change = () => db.script("INSERT INTO users (username, display_name) VALUES ('a', 'A')")

describe('rolling dumps', () => {
  it('keep the last ones and nothing else of theirs', async () => {
    writeFileSync(join(folder, 'notes.txt'), 'kept')
    const dumps = startRollingDumps(db, { folder, clock, log, keepMax: 3 })
    for (let hour = 0; hour < 5; hour += 1) {
      await change()
      await dumps.dumpNow()
      clock.advance(3_600)
    }
    expect(readdirSync(folder).sort()).toEqual([
      'notes.txt',
      'redpack-2026-11-01T12-00-00Z.dump',
      'redpack-2026-11-01T13-00-00Z.dump',
      'redpack-2026-11-01T14-00-00Z.dump',
    ])
    await dumps.stop()
    rmSync(folder, { recursive: true })
  })

  it('outlive those of a clock that was ahead, which are not taken for the newest', async () => {
    const dataDir = folder
    folder = join(dataDir, 'dumps')
    mkdirSync(folder)
    for (const day of [1, 2, 3]) {
      writeFileSync(join(folder, `redpack-2027-01-0${day}T10-00-00Z.dump`), '')
    }
    const dumps = startRollingDumps(db, { folder, clock, log, keepMax: 3 })
    await change()
    await dumps.dumpNow()
    const own = 'redpack-2026-11-01T10-00-00Z.dump'
    expect(readdirSync(folder).sort()).toEqual([
      own,
      'redpack-2027-01-02T10-00-00Z.dump',
      'redpack-2027-01-03T10-00-00Z.dump',
    ])
    expect(newestDump(dataDir, clock.now())).toBe(join(folder, own))
    await dumps.stop()
    rmSync(dataDir, { recursive: true })
  })

  it('are made at the stop when something has changed since the last one', async () => {
    const dumps = startRollingDumps(db, { folder, clock, log })
    await change()
    await dumps.dumpNow()
    clock.advance(60)
    await dumps.dumpNow()
    expect(readdirSync(folder)).toHaveLength(1)
    await change()
    await dumps.stop()
    const [, last] = readdirSync(folder).sort()
    expect((await checkDump(join(folder, last!))).rows).toBeGreaterThan(0)
    rmSync(folder, { recursive: true })
  })

  it('are given up when the program is about to stop, which makes its own', async () => {
    const failed = vi.spyOn(log, 'error')
    const dumps = startRollingDumps(db, { folder, clock, log })
    await change()
    const underWay = dumps.dumpNow()
    dumps.interrupt()
    await underWay
    expect(readdirSync(folder)).toEqual([])
    expect(failed).not.toHaveBeenCalled()
    await dumps.stop()
    expect(readdirSync(folder)).toHaveLength(1)
    rmSync(folder, { recursive: true })
  })

  it('take away what a killed process has left of one, and nothing else', async () => {
    const left = 'redpack-2026-11-01T09-00-00Z.dump.4711.unfinished'
    const others = ['mine.dump.4711.unfinished', 'redpack-2026-11-01T08-00-00Z.dump']
    for (const name of [left, ...others]) writeFileSync(join(folder, name), '')
    const dumps = startRollingDumps(db, { folder, clock, log })
    await dumps.stop()
    expect(readdirSync(folder).sort()).toEqual([...others, 'redpack-2026-11-01T10-00-00Z.dump'])
    rmSync(folder, { recursive: true })
  })

  it('are told from what an operator has put beside them', () => {
    const dumps = join(folder, 'dumps')
    mkdirSync(dumps)
    const own = join(dumps, 'redpack-2026-11-01T12-00-00Z.dump')
    for (const file of [own, join(dumps, 'redpack-before-upgrade.dump')]) writeFileSync(file, '')
    expect(newestDump(folder, new Date('2026-11-02'))).toBe(own)
    rmSync(folder, { recursive: true })
  })

  it('that fail are reported and stop nothing', async () => {
    const errors: unknown[] = []
    const reporting = { ...log, info: () => undefined, warn: () => undefined }
    const dumps = startRollingDumps(db, {
      folder: join(folder, 'file', 'inside'),
      clock,
      log: { ...reporting, error: (details: unknown) => errors.push(details) } as typeof log,
    })
    writeFileSync(join(folder, 'file'), '')
    await change()
    await dumps.stop()
    expect(errors).toHaveLength(1)
    rmSync(folder, { recursive: true })
  })
})
