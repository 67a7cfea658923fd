import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { statement } from '../adapters/db/database.ts'
import { migrate, readMigrations } from '../adapters/db/migrate.ts'
import { loadConfig } from '../config/config.ts'
import { migrationsFolder } from '../paths.ts'
import { withDatabase } from './command.ts'
import { takeOffSecondFactor } from './keys.ts'

const folder = mkdtempSync(join(tmpdir(), 'redpack-command-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const addKeeper = statement(
  'test_add_keeper',
  `INSERT INTO users (username, display_name, role, is_protected)
   VALUES ('keeper', 'keeper', 'super_user', true) RETURNING id`,
)
const addFactor = statement(
  'test_add_factor',
  `WITH factor AS (
     INSERT INTO second_factors (user_id, secret, confirmed_at, created_at)
     VALUES ($1, '{}', now(), now())
     RETURNING user_id
   ), session AS (
     INSERT INTO sessions (token_hash, user_id, kind, created_at, last_seen_at, expires_at)
     VALUES ('s', $1, 'local', now(), now(), now() + interval '1 hour'))
   INSERT INTO recovery_codes (user_id, code_hash) SELECT user_id, repeat('a', 64) FROM factor`,
)
const readLeft = statement(
  'test_read_left',
  `SELECT (SELECT count(*)::int FROM second_factors) AS factors,
     (SELECT count(*)::int FROM recovery_codes) AS codes,
     (SELECT count(*)::int FROM sessions) AS sessions,
     (SELECT string_agg(action, ',') FROM audit_log) AS actions`,
)

it('takes secret and recovery codes off the local account, once, ends its sessions and records it', async () => {
  const config = loadConfig({ DATA_DIR: folder, DATABASE_URL: '' })
  await withDatabase(
    config,
    async (db) => {
      await migrate(db, await readMigrations(migrationsFolder))
      const [keeper] = await db.run<{ id: number }>(addKeeper, [])
      await db.run(addFactor, [keeper!.id])
    },
    { mayBeEmpty: true },
  )
  const lines: string[] = []
  const output = { line: (text: string) => void lines.push(text), progress: () => undefined }
  await takeOffSecondFactor(config, output)
  await takeOffSecondFactor(config, output)
  expect(lines).toEqual([
    'The local account now signs in with its password alone',
    'The local account has no second factor',
  ])
  const left = await withDatabase(config, (db) => db.run(readLeft, []))
  expect(left).toEqual([{ factors: 0, codes: 0, sessions: 0, actions: 'second_factor.disable' }])
}, 60_000)
