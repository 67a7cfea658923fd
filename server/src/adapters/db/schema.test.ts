import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { embeddedTestDatabase } from '../../../test/test-database.ts'
import { type Database, statement } from './database.ts'
import * as accounts from './schema-accounts.ts'
import * as books from './schema-books.ts'
import * as packs from './schema-packs.ts'
import * as streams from './schema-streams.ts'

const tables = [accounts, books, packs, streams].flatMap((schema) =>
  Object.values(schema).filter((value): value is PgTable => is(value, PgTable)),
)
const readColumns = statement(
  'read_columns_of_table',
  `SELECT column_name AS name, is_nullable = 'NO' AS "isRequired"
   FROM information_schema.columns WHERE table_schema = 'public' AND table_name = $1`,
)

let db: Database
beforeAll(async () => {
  db = await embeddedTestDatabase()
})
afterAll(() => db.close())

describe('the typed columns of', () => {
  it.each(tables.map((table) => [getTableName(table), table] as const))(
    '%s are those of the migrations',
    async (name, table) => {
      const real = await db.run<{ name: string; isRequired: boolean }>(readColumns, [name])
      const required = new Map(real.map((column) => [column.name, column.isRequired]))
      for (const column of Object.values(getTableColumns(table))) {
        expect([column.name, required.get(column.name)]).toEqual([column.name, column.notNull])
      }
    },
  )
})
