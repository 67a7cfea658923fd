import { tmpdir } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { embeddedTestDatabase } from '../../../test/test-database.ts'
import { startDiskWatch } from './database-watch.ts'
import { sqlState } from './retry.ts'

const write = "INSERT INTO users (username, display_name) VALUES ('a', 'A')"

it('refuses writes while the disk is full, goes on reading, and recovers by itself', async () => {
  const db = await embeddedTestDatabase()
  const log = pino({ level: 'silent' })
  const full = startDiskWatch(db, { folder: tmpdir(), log, freeBytesMin: Number.MAX_SAFE_INTEGER })
  await full.look()
  const domainError = await db.script(write).catch((error: unknown) => error)
  expect(sqlState(domainError)).toBe('25006')
  expect(await db.run({ name: 'count', text: 'SELECT count(*) AS n FROM users' }, [])).toEqual([
    { n: 0 },
  ])
  full.stop()
  await db.script('SET default_transaction_read_only = off')
  const roomy = startDiskWatch(db, { folder: tmpdir(), log, freeBytesMin: 0 })
  await roomy.look()
  await db.script(write)
  roomy.stop()
  await db.close()
})

it('looks once at a time, so that looks that waited do not undo each other', async () => {
  const lines: string[] = []
  const line = (_details: unknown, text: string) => lines.push(text)
  const log = { error: line, info: line } as never
  const busy = { script: () => setTimeout(100) } as never
  const watch = startDiskWatch(busy, { folder: tmpdir(), log, freeBytesMin: Number.MAX_VALUE })
  await Promise.all([watch.look(), watch.look()])
  expect(lines).toEqual(['the disk is full: only reading'])
  watch.stop()
})
