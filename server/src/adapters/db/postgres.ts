// The database engine for many processes: a PostgreSQL server behind a small connection pool.

import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import type { Database, Queryable, Statement } from './database.ts'
import { retryDeadlocks } from './retry.ts'

// Counts and balances are bigint in the tables and bounded by 2^53-1, so numbers carry them
// exactly.
const int8Oid = 20
pg.types.setTypeParser(int8Oid, Number)

export interface PostgresOptions {
  readonly url: string
  /**
   * Connections kept at most; beyond about four per core they only add waiting inside the server.
   */
  readonly connectionsMax: number
  readonly onError: (error: Error) => void
  /** How the server lists the connections; a restore refuses while there are any of the product. */
  readonly applicationName?: string
}

const productName = 'redpack'
const waitForConnectionMillis = 5_000
const statementTimeoutMillis = 5_000
const lockTimeoutMillis = 3_000
const idleInTransactionMillis = 10_000

function queryable(runner: pg.Pool | pg.PoolClient | pg.Client): Queryable {
  return {
    orm: drizzle(runner),
    async run<Row>(statement: Statement, values: readonly unknown[]) {
      const result = await runner.query({
        name: statement.name,
        text: statement.text,
        values: values as unknown[],
      })
      return result.rows as Row[]
    },
  }
}

/** Connects lazily: the first query opens the first connection. */
export function openPostgres(options: PostgresOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.connectionsMax,
    connectionTimeoutMillis: waitForConnectionMillis,
    idleTimeoutMillis: 30_000,
    statement_timeout: statementTimeoutMillis,
    lock_timeout: lockTimeoutMillis,
    idle_in_transaction_session_timeout: idleInTransactionMillis,
    application_name: options.applicationName ?? productName,
  })
  // A connection that the server closes must not take the process down with it: the pool listens to
  // idle ones only, and an error event that nobody hears ends the program. In use, the next
  // statement on the connection fails by itself.
  pool.on('error', options.onError)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const direct = queryable(pool)
  return {
    kind: 'postgres',
    orm: direct.orm,
    run: (statement, values) => retryDeadlocks(() => direct.run(statement, values)),
    transaction: (work) => retryDeadlocks(() => inTransaction(pool, work)),
    patient: (statementMillisMax, work) =>
      retryDeadlocks(() => onOwnConnection(options, statementMillisMax, work)),
    async script(sql) {
      await pool.query(sql)
    },
    pool: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  }
}

/** One transaction on a connection that is opened for it and closed after it. */
async function onOwnConnection<Result>(
  { url, applicationName = productName }: PostgresOptions,
  statementMillisMax: number,
  work: (tx: Queryable) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: waitForConnectionMillis,
    lock_timeout: lockTimeoutMillis,
    application_name: applicationName,
    keepAlive: true,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('BEGIN')
    await client.query(`SET LOCAL statement_timeout = ${Math.round(statementMillisMax)}`)
    const result = await work(queryable(client))
    await client.query('COMMIT')
    return result
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function inTransaction<Result>(
  pool: pg.Pool,
  work: (tx: Queryable) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  // A connection whose rollback failed is in an unknown state: drop it instead of reusing it.
  let broken = false
  try {
    await client.query('BEGIN')
    const result = await work(queryable(client))
    await client.query('COMMIT')
    return result
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {
      broken = true
    })
    throw error
  } finally {
    client.release(broken)
  }
}
