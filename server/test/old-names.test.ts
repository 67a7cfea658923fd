// Names from before names had to stand on one line, after the migration that sees to it.

import { PGlite } from '@electric-sql/pglite'
import { afterAll, describe, expect, it } from 'vitest'
import type { Database } from '../src/adapters/db/database.ts'
import { statement } from '../src/adapters/db/database.ts'
import { wrapEmbedded } from '../src/adapters/db/embedded.ts'
import { migrate, readMigrations } from '../src/adapters/db/migrate.ts'
import { migrationsFolder } from '../src/paths.ts'
import { isPostgresReachable, postgresTestDatabase } from './test-database.ts'

const hasPostgres = await isPostgresReachable()
const closings: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of closings.toReversed()) await close()
})

const names = [
  ['Ana', 'Ana'],
  ['Ana\nadmin: hi', 'Ana admin: hi'],
  ['\u202ean\u200ba\u2066', 'ana'],
  ['a\u2028\u0085b', 'a b'],
  ['\u200b\n', 'user-5'],
  ['👩‍👩‍👧', '👩‍👩‍👧'],
] as const

const engines: Record<string, () => Promise<Database>> = {
  embedded: async () => {
    const db = wrapEmbedded(await PGlite.create())
    closings.push(() => db.close())
    return db
  },
  postgres: async () => {
    const { db, drop } = await postgresTestDatabase()
    closings.push(drop)
    await db.script('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
    return db
  },
}

describe.each(Object.keys(engines))('on %s', (engine) => {
  it.skipIf(engine === 'postgres' && !hasPostgres)(
    'stand on one line',
    async () => {
      const db = await engines[engine]!()
      const all = await readMigrations(migrationsFolder)
      const at = all.findIndex(({ name }) => name.endsWith('leaving_for_good'))
      await migrate(db, all.slice(0, at))
      const add = statement(
        'add_old_name',
        'INSERT INTO users (username, display_name) VALUES ($1, $2)',
      )
      for (const [index, [name]] of names.entries()) await db.run(add, [`user-${index + 1}`, name])
      await migrate(db, all)
      const read = statement('read_names', 'SELECT display_name FROM users ORDER BY id')
      const kept = await db.run<{ display_name: string }>(read, [])
      expect(kept.map(({ display_name }) => display_name)).toEqual(names.map(([, name]) => name))
    },
    60_000,
  )
})
