// The database engine for one machine: PostgreSQL compiled into the process, stored in a folder.

import { PGlite, types } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import type { Database, Queryable, Statement } from './database.ts'
import { retryDeadlocks } from './retry.ts'

const parsers = { [types.INT8]: Number }

interface Runner {
  query<Row>(text: string, values?: unknown[]): Promise<{ rows: Row[] }>
}

function queryable(orm: Queryable['orm'], runner: Runner): Queryable {
  return {
    orm,
    async run<Row>(statement: Statement, values: readonly unknown[]) {
      return (await runner.query<Row>(statement.text, values as unknown[])).rows
    },
  }
}

/**
 * Opens the database in `folder`, or in memory when undefined. The engine keeps no lock on the folder
 * and makes no fsync: the caller must hold the folder's lock.
 * @throws when the folder holds something that is no database
 */
export async function openEmbedded(folder: string | undefined, dump?: Blob): Promise<Database> {
  const lite = await PGlite.create({
    ...(folder === undefined ? {} : { dataDir: folder }),
    ...(dump === undefined ? {} : { loadDataDir: dump }),
    parsers,
    relaxedDurability: false,
  })
  return wrapEmbedded(lite)
}

/** Gives an opened engine the product's database interface. */
export function wrapEmbedded(lite: PGlite): Database {
  const direct = queryable(drizzle(lite), lite)
  return {
    kind: 'embedded',
    orm: direct.orm,
    run: direct.run,
    transaction: (work) =>
      retryDeadlocks(() =>
        lite.transaction((tx) => work(queryable(drizzle(tx as unknown as PGlite), tx))),
      ),
    async script(sql) {
      await lite.exec(sql)
    },
    close: () => lite.close(),
  }
}
