// What the product may ask of a database, whichever of the two engines stands behind it.

import { positional, type Values } from './named-parameters.ts'

/** A statement that is prepared once per connection under its name. */
export interface Statement {
  readonly name: string
  /** With `$1`, `$2` and so on for its values. */
  readonly text: string
  /** Names of its values in the order of their numbers; none where the values are a list. */
  readonly parameters?: readonly string[]
}

/** The part of a database that works inside a transaction as well as outside. */
export interface Queryable {
  /**
   * Runs one prepared statement. Outside a transaction it commits or rolls back as a whole. That
   * `Row` is what the statement answers is checked by `server/test/statements.test.ts`.
   */
  run<Row>(statement: Statement, values: Values): Promise<Row[]>
  /**
   * Lets each further statement of this transaction take so many milliseconds instead of five
   * seconds, for a change that may reach every user. Outside a transaction it is an error.
   */
  allow(statementMillisMax: number): Promise<void>
}

export interface Database extends Queryable {
  readonly kind: 'embedded' | 'postgres'
  /**
   * Runs `work` in one READ COMMITTED transaction. A deadlock or serialization failure starts it
   * over, at most five times with jitter, so `work` must have no effect outside the transaction.
   * @throws whatever `work` throws, after rolling back
   */
  transaction<Result>(work: (tx: Queryable) => Promise<Result>): Promise<Result>
  /**
   * Runs `work` like `transaction`, for what takes long and nobody waits for: migrations, dumps,
   * checks of all books. On PostgreSQL it has a connection of its own beside the pool, each
   * statement may take `statementMillisMax`, and `work` may pause between statements. The embedded
   * engine has one connection, so everybody else waits meanwhile.
   * @throws whatever `work` throws, after rolling back
   */
  longTransaction<Result>(
    statementMillisMax: number,
    work: (tx: Queryable) => Promise<Result>,
  ): Promise<Result>
  /** Runs a script of several statements without values; for migrations, restores and tests. */
  script(sql: string): Promise<void>
  /** How the connections stand, where there is a pool of them. */
  pool?(): PoolState
  close(): Promise<void>
}

export interface PoolState {
  readonly total: number
  readonly idle: number
  /** Callers that wait for a connection. */
  readonly waiting: number
  /** A pooler stands between, as far as is known from the connections made so far. */
  readonly isPooled: boolean
}

/**
 * Names an SQL text so that the server prepares it once per connection. Its values stand in it as
 * `$1` or as `:name`, never as both; a statement of more than six values has names.
 */
export function statement(name: string, text: string): Statement {
  return { name, ...positional(text) }
}
