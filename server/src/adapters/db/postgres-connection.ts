// One connection to PostgreSQL: how it is opened, what it is told first, how it is thrown away.

import pg from 'pg'
import type { Lane } from './connection-gate.ts'
import { DatabaseUnavailable, reasonOf } from './database-unavailable.ts'

// Counts and balances are bigint in the tables and bounded by 2^53-1, so numbers carry them
// exactly.
const int8Oid = 20
pg.types.setTypeParser(int8Oid, Number)

/** What the server ends by itself, in milliseconds; each is also watched from this side. */
export interface ServerLimits {
  readonly statementMillis: number
  readonly lockMillis: number
  /** 0 means without end. */
  readonly idleInTransactionMillis: number
}

/** Errors after which a connection is of no use: it ends, or its server only reads. */
const endingStates = /^(57P0\d|08\d{3}|25006|25P03)$/
const keepAliveMillis = 10_000

export class PostgresConnection extends pg.Client {
  /** The number by which the other side knows the connection; the driver's types leave it out. */
  declare readonly processID: number | null
  /** The pool's, when it was opened; see `PostgresPool`. */
  readonly generation: number
  /**
   * True behind a pooler, which hands each transaction to whichever server connection is free: what
   * is set or prepared for the session would be lost or meet others.
   */
  isPooled = false
  /** What it is used for now; undefined for connections beside the pool. */
  lane: Lane | undefined
  private isSpent = false

  constructor(config: pg.ClientConfig, generation = 0) {
    super({ ...config, keepAlive: true, keepAliveInitialDelayMillis: keepAliveMillis })
    this.generation = generation
    // An error event that nobody hears ends the program. The next statement fails by itself.
    this.on('error', () => {
      this.isSpent = true
    })
  }

  /** True when it must not be used again. */
  get isUseless(): boolean {
    return this.isSpent || !this.connection.stream.writable
  }

  /** Closes the socket at once, without a word to a server that may not listen. */
  abandon(): void {
    this.isSpent = true
    this.connection.stream.destroy()
  }

  /** The error as callers shall see it: a loss of the connection is a `DatabaseUnavailable`. */
  understand(error: unknown): unknown {
    if (error instanceof pg.DatabaseError) {
      if (endingStates.test(error.code ?? '')) this.isSpent = true
      return error
    }
    if (error instanceof DatabaseUnavailable || !this.isUseless) return error
    this.isSpent = true
    return new DatabaseUnavailable(`connection was lost: ${reasonOf(error)}`, { cause: error })
  }

  /**
   * Finds out what is on the other side. A pooler makes up the number by which a connection can be
   * cancelled; a server gives the one of its process.
   */
  async recognise(): Promise<{ isStandby: boolean }> {
    const { rows } = await this.query<{ pid: number; isStandby: boolean }>(
      'SELECT pg_backend_pid() AS pid, pg_is_in_recovery() AS "isStandby"',
    )
    this.isPooled = rows[0]?.pid !== this.processID
    return { isStandby: rows[0]?.isStandby === true }
  }

  /**
   * Lets the server watch the time as well and compile no plans, for the whole session. Not for
   * pooled connections.
   */
  async limitSession(limits: ServerLimits): Promise<void> {
    await this.query(limitTexts('SET', limits))
  }
}

/**
 * Statements that set the limits and turn compiling off, `SET` for the session or `SET LOCAL` for
 * the transaction.
 */
export function limitTexts(command: 'SET' | 'SET LOCAL', limits: ServerLimits): string {
  return [
    `${command} statement_timeout = ${Math.round(limits.statementMillis)}`,
    `${command} lock_timeout = ${Math.round(limits.lockMillis)}`,
    `${command} idle_in_transaction_session_timeout = ${Math.round(limits.idleInTransactionMillis)}`,
    // Compiling a plan takes longer than any of the product's statements: 487 ms of 497 were seen.
    `${command} jit = off`,
  ].join('; ')
}
