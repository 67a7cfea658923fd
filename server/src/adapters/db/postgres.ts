// The database engine for many processes: a PostgreSQL server behind a small connection pool.

import type pg from 'pg'
import { databaseAddresses } from '../../config/postgres-addresses.ts'
import {
  type Database,
  inOrder,
  type Lane,
  type Queryable,
  type Statement,
  type Values,
} from './database.ts'
import { limits, limitTexts, PostgresConnection } from './postgres-connection.ts'
import { type PostgresOptions, PostgresPool, productName } from './postgres-pool.ts'
import { findPrimary } from './primary-search.ts'
import { DatabaseUnavailable, reasonOf, retryDeadlocks } from './retry.ts'

/** The server ends a statement first, and says why; who hears nothing then is not heard. */
const graceMillis = 500
const rollbackMillisMax = 1_000
const connectMillisMax = 5_000
const scriptMillisMax = 600_000
const writing = /\b(insert|update|delete|merge|truncate|lock|create|alter|drop|call|do)\b/i

/** Connects lazily: the first query opens the first connection. */
export function openPostgres(options: PostgresOptions): Database {
  const pool = new PostgresPool(addressesOf(options.url), options)
  const direct = pooledQueryable(pool)
  return {
    kind: 'postgres',
    ...direct,
    run: (statement, values) => retryDeadlocks(() => direct.run(statement, values)),
    transaction: (work, lane = 'write') => {
      const begin = lane === 'read' ? 'BEGIN READ ONLY' : 'BEGIN'
      return retryDeadlocks(() =>
        pool.use(lane, ({ connection, firstMillisMax }) => {
          // Behind a pooler nothing was set for the session.
          const set = connection.isPooled ? `; ${limitTexts('SET LOCAL', limits)}` : ''
          const statements = new Statements(pool, connection, limits.statementMillis)
          return statements.complete(`${begin}${set}`, firstMillisMax, work)
        }),
      )
    },
    longTransaction: (statementMillis, work) =>
      retryDeadlocks(() =>
        onOwnConnection(pool, options, (connection) => {
          const own = { ...limits, statementMillis, idleInTransactionMillis: 0 }
          const begin = `BEGIN; ${limitTexts('SET LOCAL', own)}`
          const statements = new Statements(pool, connection, statementMillis)
          return statements.complete(begin, connectMillisMax, work)
        }),
      ),
    script: (sql) =>
      onOwnConnection(pool, options, async (connection) => {
        await pool.statements.run(connection, scriptMillisMax, () => connection.query(sql))
      }),
    pool: () => pool.state,
    close: () => pool.close(),
  }
}

function addressesOf(url: string): readonly string[] {
  const addresses = databaseAddresses(url)
  if (addresses === undefined) throw new Error('The address of the database cannot be read')
  return addresses
}

/** Of several hosts the one that writes; one alone is not asked. */
export async function writingAddress(url: string, config: pg.ClientConfig): Promise<string> {
  const [first = url, ...others] = addressesOf(url)
  return others.length === 0 ? first : (await findPrimary([first, ...others], config)).address
}

/** Runs one query of the driver's on a connection. */
type Runner = (query: pg.QueryConfig) => Promise<pg.QueryResult>

function queryable(run: Runner, allow: Queryable['allow']): Queryable {
  return {
    allow,
    async run<Row>(statement: Statement, values: Values) {
      const { name, text } = statement
      return (await run({ name, text, values: inOrder(statement, values) })).rows as Row[]
    },
  }
}

function pooledQueryable(pool: PostgresPool): Queryable {
  return queryable(
    (query) =>
      pool.use(laneOf(query.text), ({ connection, firstMillisMax }) =>
        ask(pool, connection, firstMillisMax, query),
      ),
    () => Promise.reject(new Error('Only a transaction can allow its statements more time')),
  )
}

/** In doubt a statement counts as one that writes; that costs it nothing but a place. */
function laneOf(text: string): Lane {
  return writing.test(text) ? 'write' : 'read'
}

/** A pooler may hand the next statement to another server connection, which knows no names. */
function ask(
  pool: PostgresPool,
  connection: PostgresConnection,
  millisMax: number,
  query: pg.QueryConfig,
): Promise<pg.QueryResult> {
  const { name: _name, ...unnamed } = query
  const asked = connection.isPooled ? unnamed : query
  return pool.statements.run(connection, millisMax, () => connection.query(asked))
}

/** The statements of one transaction, each with its time. */
class Statements {
  readonly queryable: Queryable
  private readonly pool: PostgresPool
  private readonly connection: PostgresConnection
  private millisMax: number

  constructor(pool: PostgresPool, connection: PostgresConnection, millisMax: number) {
    this.pool = pool
    this.connection = connection
    this.millisMax = millisMax
    this.queryable = queryable(
      (query) => ask(pool, connection, this.millisMax + graceMillis, query),
      async (statementMillisMax) => {
        await this.send(`SET LOCAL statement_timeout = ${Math.round(statementMillisMax)}`)
        this.millisMax = statementMillisMax
      },
    )
  }

  /** Text without values, of one statement or several. */
  async send(text: string, millisMax = this.millisMax + graceMillis): Promise<void> {
    await this.pool.statements.run(this.connection, millisMax, () => this.connection.query(text))
  }

  /**
   * Sends `begin`, for which it waits its own time, then works and commits. Nobody knows what
   * became of a COMMIT that was not answered: it is never sent again. A rollback that fails leaves
   * a connection in an unknown state: it is not used again.
   */
  async complete<Result>(
    begin: string,
    beginMillisMax: number,
    work: (tx: Queryable) => Promise<Result>,
  ): Promise<Result> {
    await this.send(begin, beginMillisMax)
    try {
      const result = await work(this.queryable)
      await this.send('COMMIT')
      return result
    } catch (error) {
      if (!this.connection.isUseless) {
        await this.send('ROLLBACK', rollbackMillisMax).catch(() => this.connection.abandon())
      }
      throw error
    }
  }
}

/** Opens a connection beside the pool and closes it after `work`. */
async function onOwnConnection<Result>(
  pool: PostgresPool,
  { url, directUrl, applicationName = productName }: PostgresOptions,
  work: (connection: PostgresConnection) => Promise<Result>,
): Promise<Result> {
  pool.watch.refuse('read')
  // Not the product's own name: a restore may run while such a connection is being closed.
  const config = { application_name: `${applicationName} patient` }
  const connection = new PostgresConnection({
    ...config,
    connectionString: await writingAddress(directUrl ?? url, config),
    connectionTimeoutMillis: connectMillisMax,
  })
  try {
    await connection.connect().catch((cause: unknown) => {
      throw new DatabaseUnavailable(`cannot be reached: ${reasonOf(cause)}`, { cause })
    })
    await pool.statements.run(connection, connectMillisMax, () => connection.recognise())
    return await work(connection)
  } finally {
    if (connection.isUseless) connection.abandon()
    else await connection.end()
  }
}
