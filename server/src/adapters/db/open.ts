// Opens the configured database, waits for one that is not there yet, and brings it up to date.

import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../../config.ts'
import { type Database, type Queryable, statement } from './database.ts'
import { openEmbedded } from './embedded.ts'
import { IncompatibleDatabase, type Migration, migrateWithin } from './migrate.ts'
import { openPostgres } from './postgres.ts'
import { sqlState } from './retry.ts'

/** The database did not answer in time, or refuses this program; the message says which. */
export class UnreachableDatabase extends Error {}

export interface OpenDatabaseOptions {
  readonly databaseUrl: Config['databaseUrl']
  /** Folder of the embedded database, whose lock the caller holds. */
  readonly folder: string
  readonly migrations: readonly Migration[]
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn'>
  /**
   * Looks at the migrated database before anything is committed; what it throws undoes the
   * migrations.
   */
  readonly admit?: (tx: Queryable) => Promise<void>
  /** Called when the embedded engine has ended by itself. */
  readonly onStopped?: (lastWords: string) => void
  /** How long to wait for a server that does not answer. */
  readonly patienceMillis?: number
}

/** About four per core of a small server; beyond that they only wait for each other. */
const connectionsMax = 8
const patienceMillisDefault = 60_000
const waitMillisMin = 250
const waitMillisMax = 4_000
const versionMin = 150_000

const readVersion = statement(
  'read_server_version',
  "SELECT current_setting('server_version_num')::int AS number, version() AS text",
)
const connectionCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
])

/**
 * Opens the database and applies the migrations it lacks. A PostgreSQL that does not answer is
 * tried again, with growing pauses, for a minute.
 * @throws CorruptDatabase, IncompatibleDatabase, UnreachableDatabase: each message is one line for
 * whoever started the program; the database is unchanged then
 */
export async function openDatabase(
  options: OpenDatabaseOptions,
): Promise<{ db: Database; applied: readonly number[] }> {
  const { databaseUrl, log } = options
  if (databaseUrl === undefined) {
    const { onStopped } = options
    const db = await openEmbedded(options.folder, onStopped === undefined ? {} : { onStopped })
    return { db, applied: await migrateOrClose(db, options) }
  }
  const db = openPostgres({
    url: databaseUrl,
    connectionsMax,
    onError: (error) =>
      log.warn({ err: error, down: 'the database' }, 'an idle database connection was lost'),
  })
  await waitFor(db, options)
  return { db, applied: await migrateOrClose(db, options) }
}

async function migrateOrClose(
  db: Database,
  { migrations, admit }: OpenDatabaseOptions,
): Promise<readonly number[]> {
  try {
    return await db.transaction(async (tx) => {
      const applied = await migrateWithin(tx, migrations)
      await admit?.(tx)
      return applied
    })
  } catch (error) {
    await db.close()
    throw error
  }
}

async function waitFor(db: Database, options: OpenDatabaseOptions): Promise<void> {
  const deadline = performance.now() + (options.patienceMillis ?? patienceMillisDefault)
  for (let waitMillis = waitMillisMin; ; waitMillis = Math.min(waitMillis * 2, waitMillisMax)) {
    try {
      await refuseOldServer(db)
      options.log.warn({ back: 'the database' }, 'the database answers again')
      return
    } catch (error) {
      if (!isPassing(error) || performance.now() + waitMillis > deadline) {
        await db.close()
        throw error instanceof IncompatibleDatabase ? error : unreachable(error)
      }
      options.log.warn({ err: error, down: 'the database' }, 'waiting for the database')
      await new Promise((resolve) => setTimeout(resolve, waitMillis))
    }
  }
}

async function refuseOldServer(db: Database): Promise<void> {
  const [version] = await db.run<{ number: number; text: string }>(readVersion, [])
  if (version === undefined || version.number < versionMin) {
    throw new IncompatibleDatabase(
      `The database is too old: PostgreSQL 15 or later is needed, not ${version?.text ?? 'this'}`,
    )
  }
}

/** A server that is not there or not ready yet; a wrong password does not pass by waiting. */
function isPassing(error: unknown): boolean {
  const state = sqlState(error)
  if (state !== undefined) return /^(08|53|57P)/.test(state)
  const { code, message } = error as NodeJS.ErrnoException
  return (
    (code !== undefined && connectionCodes.has(code)) ||
    /timeout|Connection terminated/i.test(String(message))
  )
}

function unreachable(error: unknown): UnreachableDatabase {
  return new UnreachableDatabase(
    `The database at DATABASE_URL cannot be used: ${reasonOf(error)}`,
    {
      cause: error,
    },
  )
}

/** One line. Errors of several addresses of one name carry their reasons inside. */
function reasonOf(error: unknown): string {
  const inner = error instanceof AggregateError ? error.errors[0] : error
  return String((inner as Error).message ?? inner).split('\n', 1)[0] ?? ''
}
