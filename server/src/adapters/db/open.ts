// Opens the configured database, waits for it if necessary, and migrates it.

import { randomBytes } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import type { Config } from '../../config/config.ts'
import type { Clock } from '../clock/clock.ts'
import type { Database, Queryable } from './database.ts'
import { openEmbedded } from './embedded.ts'
import { IncompatibleDatabase, type Migration, migrate } from './migrate.ts'
import { openPostgres, writingAddress } from './postgres.ts'
import { oneQuery, oneValueQuery, valueQuery, writeQuery } from './queries.ts'
import { DatabaseUnavailable, reasonOf, sqlState } from './retry.ts'

/** The database did not answer in time, or refuses this program; the message says which. */
export class UnreachableDatabase extends Error {}

export interface OpenDatabaseOptions {
  readonly settings: Pick<
    Config,
    'databaseUrl' | 'databaseDirectUrl' | 'databasePoolSize' | 'processes'
  >
  /** Folder of the embedded database, whose lock the caller holds. */
  readonly folder: string
  readonly migrations: readonly Migration[]
  readonly log: Pick<FastifyBaseLogger, 'error' | 'warn'>
  /**
   * Looks at the migrated database before anything is committed; what it throws undoes the
   * migrations.
   */
  readonly admit?: (tx: Queryable) => Promise<void>
  /** Called when the embedded engine has ended by itself. */
  readonly onStopped?: (lastWords: string) => void
  /** How long to wait for a server that does not answer. */
  readonly patienceMillis?: number
  /** Of this machine, to be compared with the server's. */
  readonly clock?: Pick<Clock, 'now'>
}

/** What consequences of its absence name as their cause. */
const service = 'the database'
const patienceMillisDefault = 60_000
const waitMillisMin = 250
const waitMillisMax = 4_000
const versionMin = 150_000

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

const readServer = oneQuery<{ number: number; text: string; now: Date }>(
  'read_server_version',
  `SELECT current_setting('server_version_num')::int AS number, version() AS text,
     clock_timestamp() AS now`,
)
/** Each process ends sessions and counts watch time by its own clock; a minute harms nobody. */
const clocksApartSecondsMax = 60
const readLimit = oneQuery<{ text: string; role: string }>(
  'read_statement_limit',
  "SELECT current_setting('statement_timeout') AS text, current_user AS role",
)
const readRoom = oneValueQuery<{ connections: number }>(
  'read_connection_room',
  `SELECT current_setting('max_connections')::int
     - current_setting('superuser_reserved_connections')::int AS connections`,
)
/** For events, the watch over the database, long checks and migrations, beside the pool. */
const besidePool = 5

/**
 * Opens the database and applies the migrations it lacks. A PostgreSQL that does not answer is
 * tried again, with growing pauses, for a minute.
 * @throws CorruptDatabase, IncompatibleDatabase, UnreachableDatabase: each message is one line for
 * whoever started the program; the database is unchanged then
 */
export async function openDatabase(
  options: OpenDatabaseOptions,
): Promise<{ db: Database; applied: readonly number[] }> {
  const { settings, log } = options
  if (settings.databaseUrl === undefined) {
    const { onStopped } = options
    const db = await openEmbedded(options.folder, onStopped === undefined ? {} : { onStopped })
    return { db, applied: await migrateOrClose(db, options) }
  }
  let isOpen = false
  const db = openPostgres({
    url: settings.databaseUrl,
    directUrl: settings.databaseDirectUrl,
    connectionsMax: settings.databasePoolSize,
    onError: (error) =>
      log.warn({ err: error, because: service }, 'an idle database connection was lost'),
    onChange: (state, reason, lastedMillis) => {
      // Until then every attempt has its own line.
      if (!isOpen) return
      const event = 'database_state'
      const details = { event, state, reason, lastedMillis: Math.round(lastedMillis) }
      if (state === 'well') log.warn({ ...details, back: service }, 'the database answers again')
      else log.error({ ...details, down: service }, 'the database does not answer as it should')
    },
  })
  await waitFor(db, options)
  const applied = await migrateOrClose(db, options)
  isOpen = true
  if (db.pool?.().isPooled === true) await warnWithoutLimit(db, log)
  else await warnWithoutRoom(db, settings, log)
  return { db, applied }
}

const unusable = 'The database at DATABASE_URL cannot be used'
/** What the server says to the first writing statement, and what an operator does about it. */
const refusals: Readonly<Record<string, string>> = {
  '25006': 'it can only be read; lead DATABASE_URL to the server that writes',
  '42501': 'its user lacks rights; make that user the owner of the database',
  '42P07': 'it holds tables of something else; choose an empty one',
}

async function migrateOrClose(
  db: Database,
  { migrations, admit }: OpenDatabaseOptions,
): Promise<readonly number[]> {
  try {
    return await migrate(db, migrations, admit)
  } catch (error) {
    await db.close()
    const why = refusals[sqlState(error) ?? '']
    if (why === undefined || db.kind === 'embedded') throw error
    throw new UnreachableDatabase(`${unusable}: ${why} (${reasonOf(error)})`, { cause: error })
  }
}

async function waitFor(db: Database, options: OpenDatabaseOptions): Promise<void> {
  const deadline = performance.now() + (options.patienceMillis ?? patienceMillisDefault)
  for (let waitMillis = waitMillisMin; ; waitMillis = Math.min(waitMillis * 2, waitMillisMax)) {
    try {
      await refuseServer(db, options.clock)
      // Written after a wait alone.
      options.log.warn({ back: service }, 'the database answers again')
      return
    } catch (error) {
      if (!isPassing(error) || performance.now() + waitMillis > deadline) {
        await db.close()
        throw error instanceof IncompatibleDatabase ? error : unreachable(error)
      }
      options.log.warn({ err: error, down: service }, 'waiting for the database')
      await new Promise((resolve) => setTimeout(resolve, waitMillis))
    }
  }
}

async function refuseServer(db: Database, clock: OpenDatabaseOptions['clock']): Promise<void> {
  const { number, text, now } = await readServer(db)
  if (number < versionMin) {
    throw new IncompatibleDatabase(
      `The database is too old: PostgreSQL 15 or later is needed, not ${text}`,
    )
  }
  const secondsAhead = Math.round((now.getTime() - (clock?.now() ?? now).getTime()) / 1000)
  if (Math.abs(secondsAhead) <= clocksApartSecondsMax) return
  // A machine that has just started may have its time in a moment.
  const where = `${Math.abs(secondsAhead)} s ${secondsAhead > 0 ? 'ahead of' : 'behind'}`
  const cause = new Error(`its clock is ${where} this machine's; set both right`)
  throw new DatabaseUnavailable('has another time', { cause })
}

/** Behind a pooler single statements have only the limit of the role: the session is not ours. */
async function warnWithoutLimit(db: Database, log: OpenDatabaseOptions['log']): Promise<void> {
  const { text, role } = await readLimit(db)
  if (text !== '0') return
  log.warn(
    `Behind a pooler the server does not end statements that take too long. Run once: ALTER ROLE ` +
      `"${role}" SET statement_timeout = '5s'; ALTER ROLE "${role}" SET lock_timeout = '3s'`,
  )
}

/** What lacks a connection on a busy evening is better told before it. */
async function warnWithoutRoom(
  db: Database,
  { processes, databasePoolSize }: OpenDatabaseOptions['settings'],
  log: OpenDatabaseOptions['log'],
): Promise<void> {
  const room = await readRoom(db)
  const wanted = processes * (databasePoolSize + besidePool)
  if (wanted <= room) return
  log.warn(
    `${processes} processes may want ${wanted} connections and the database has room for ` +
      `${room}: lower PROCESSES or DATABASE_POOL_SIZE, or raise max_connections`,
  )
}

/** A server that is not there or not ready yet; a wrong password does not pass by waiting. */
function isPassing(error: unknown): boolean {
  const state = sqlState(error)
  if (state !== undefined) return /^(08|53|57P)/.test(state)
  const { code, message } = rootCauseOf(error)
  if (code !== undefined) return connectionCodes.has(code)
  return error instanceof DatabaseUnavailable && !/SSL/.test(message)
}

function rootCauseOf(error: unknown): NodeJS.ErrnoException {
  const inner = error instanceof AggregateError ? error.errors[0] : error
  const { cause } = inner as Error
  return cause === undefined ? (inner as Error) : rootCauseOf(cause)
}

function unreachable(error: unknown): UnreachableDatabase {
  return new UnreachableDatabase(`${unusable}: ${reasonOf(error)}`, { cause: error })
}

/** The database belongs to the other mode; it is unchanged. */
export class OtherMode extends Error {}

const record = writeQuery<[isSandbox: boolean]>(
  'record_database_mode',
  'INSERT INTO database_mode (is_sandbox) VALUES ($1) ON CONFLICT DO NOTHING',
)
const read = valueQuery<{ isSandbox: boolean }>(
  'read_database_mode',
  'SELECT is_sandbox AS "isSandbox" FROM database_mode',
)

/**
 * Records the mode of a database that has none yet. Of several processes that start at once, one
 * records and the others compare.
 * @throws OtherMode whose message is one line for whoever started the program
 */
export async function rememberMode(db: Database, sandbox: boolean): Promise<void> {
  await db.transaction(async (tx) => {
    await record(tx, sandbox)
    await refuseOtherMode(tx, sandbox)
  })
}

/**
 * Compares without recording anything.
 * @throws OtherMode as `rememberMode` does
 */
export async function refuseOtherMode(tx: Queryable, sandbox: boolean): Promise<void> {
  const isSandbox = await read(tx)
  if (isSandbox === undefined || isSandbox === sandbox) return
  throw new OtherMode(
    isSandbox
      ? 'The database belongs to the sandbox, where anybody can sign in as anybody: choose another ' +
          'DATA_DIR or DATABASE_URL'
      : 'The database belongs to real people and not to the sandbox: set TWITCH_CLIENT_ID or ' +
          'SANDBOX=off, or choose another DATA_DIR or DATABASE_URL',
  )
}

const connectMillisMax = 10_000

/**
 * Makes an empty database beside the one at `url` and runs `work` with its address; the database is
 * dropped whatever becomes of the work. Its name begins with `prefix`, for whoever finds one that a
 * killed process has left.
 * @throws the driver's error 42501 when the user of `url` may not make databases
 */
export async function withTemporaryDatabase<Result>(
  url: string,
  prefix: string,
  work: (url: string) => Promise<Result>,
): Promise<Result> {
  const name = `${prefix}_${randomBytes(6).toString('hex')}`
  const options = { application_name: 'redpack command' }
  const address = new URL(await writingAddress(url, options))
  const admin = new pg.Client({
    ...options,
    connectionString: address.href,
    connectionTimeoutMillis: connectMillisMax,
  })
  admin.on('error', () => undefined)
  await admin.connect()
  try {
    await admin.query(`CREATE DATABASE ${name}`)
    address.pathname = `/${name}`
    try {
      return await work(address.href)
    } finally {
      await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    }
  } finally {
    await admin.end().catch(() => undefined)
  }
}
