// One connection to PostgreSQL: how it is opened, set up and discarded.

import { performance } from 'node:perf_hooks'
import pg from 'pg'
import type { Lane } from './database.ts'
import { DatabaseUnavailable, reasonOf } from './retry.ts'

// Counts and balances are bigint in the tables and bounded by 2^53-1, so numbers carry them
// exactly.
const int8Oid = 20
pg.types.setTypeParser(int8Oid, Number)

/** What the server ends by itself, in milliseconds; each is also watched from this side. */
export const limits = {
  statementMillis: 5_000,
  lockMillis: 3_000,
  /** 0 means without end. */
  idleInTransactionMillis: 10_000,
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
  async limitSession(): Promise<void> {
    await this.query(limitTexts('SET', limits))
  }
}

/**
 * Statements that set the limits and turn compiling off, `SET` for the session or `SET LOCAL` for
 * the transaction.
 */
export function limitTexts(command: 'SET' | 'SET LOCAL', of: typeof limits): string {
  return [
    `${command} statement_timeout = ${Math.round(of.statementMillis)}`,
    `${command} lock_timeout = ${Math.round(of.lockMillis)}`,
    `${command} idle_in_transaction_session_timeout = ${Math.round(of.idleInTransactionMillis)}`,
    // Compiling a plan takes longer than any of the product's statements: 487 ms of 497 were seen.
    `${command} jit = off`,
  ].join('; ')
}

interface UnderWay {
  readonly connection: PostgresConnection
  readonly startMillis: number
  readonly giveUp: (error: DatabaseUnavailable) => void
}

export class InFlightStatements {
  private readonly all = new Set<UnderWay>()
  private readonly onLate: () => void

  /** `onLate` is called when a statement was not answered in its time. */
  constructor(onLate: () => void) {
    this.onLate = onLate
  }

  /** For how many milliseconds the oldest one waits, 0 when none does. */
  longestMillis(): number {
    const now = performance.now()
    let longest = 0
    for (const { startMillis } of this.all) longest = Math.max(longest, now - startMillis)
    return longest
  }

  /**
   * Runs `work` on the connection. When the answer is late the connection is thrown away.
   * @throws DatabaseUnavailable after `millisMax`, or when the connection is lost
   */
  run<Result>(
    connection: PostgresConnection,
    millisMax: number,
    work: () => Promise<Result>,
  ): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const end = () => {
        clearTimeout(timer)
        this.all.delete(underWay)
      }
      const giveUp = (error: DatabaseUnavailable) => {
        end()
        connection.abandon()
        reject(error)
      }
      const underWay = { connection, startMillis: performance.now(), giveUp }
      const timer = afterReading(
        millisMax,
        () => this.all.has(underWay),
        () => {
          giveUp(new DatabaseUnavailable(`has not answered within ${Math.round(millisMax)} ms`))
          this.onLate()
        },
      )
      this.all.add(underWay)
      work().then(
        (result) => {
          end()
          resolve(result)
        },
        (error: unknown) => {
          end()
          reject(connection.understand(error))
        },
      )
    })
  }

  /** Ends the waiting of those that write and have waited for longer than this. */
  giveUpWrites(error: DatabaseUnavailable, olderThanMillis: number): void {
    const before = performance.now() - olderThanMillis
    for (const { connection, startMillis, giveUp } of [...this.all]) {
      if (connection.lane === 'write' && startMillis < before) giveUp(error)
    }
  }

  /** Ends the waiting of all; their connections are thrown away. */
  giveUpAll(error: DatabaseUnavailable): void {
    for (const { giveUp } of [...this.all]) giveUp(error)
  }
}

/**
 * Calls `late` unless the answer came. After the event loop has stood still, time is up before what
 * has arrived meanwhile was read; so it is read first.
 */
function afterReading(millis: number, isWaiting: () => boolean, late: () => void): NodeJS.Timeout {
  return setTimeout(() => {
    setImmediate(() => {
      setImmediate(() => {
        if (isWaiting()) late()
      })
    })
  }, millis)
}

export interface GateLimits {
  readonly connectionsMax: number
  /** Of these; the others are left to reads when writes wait for locks or for a standby. */
  readonly writesMax: number
  /** Who comes when so many wait is refused at once. */
  readonly waitersMax: number
  readonly waitMillisMax: number
}

interface Waiter {
  readonly lane: Lane
  readonly enter: () => void
  readonly refuse: (error: DatabaseUnavailable) => void
}

export class ConnectionGate {
  private readonly waiters = new Set<Waiter>()
  private readonly limits: GateLimits
  private readonly inside = { read: 0, write: 0 }

  constructor(limits: GateLimits) {
    this.limits = limits
  }

  get waiting(): number {
    return this.waiters.size
  }

  get busy(): number {
    return this.inside.read + this.inside.write
  }

  /**
   * Waits for the right to use a connection, first come first served within a lane. Answers what
   * gives it back, to be called once.
   * @throws DatabaseUnavailable when too many wait or the wait is too long
   */
  async enter(lane: Lane): Promise<() => void> {
    if (!this.hasRoom(lane)) await this.wait(lane)
    else this.inside[lane] += 1
    return () => {
      this.inside[lane] -= 1
      this.letIn()
    }
  }

  /** Refuses who waits now, of one lane or of both. */
  refuseWaiting(error: DatabaseUnavailable, lane?: Lane): void {
    for (const waiter of [...this.waiters]) {
      if (lane === undefined || waiter.lane === lane) waiter.refuse(error)
    }
  }

  private hasRoom(lane: Lane): boolean {
    if (this.busy >= this.limits.connectionsMax) return false
    return lane === 'read' || this.inside.write < this.limits.writesMax
  }

  private wait(lane: Lane): Promise<void> {
    const { waitersMax, waitMillisMax } = this.limits
    if (this.waiters.size >= waitersMax) {
      throw new DatabaseUnavailable(`is waited for by ${waitersMax} others already`)
    }
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer)
        this.waiters.delete(waiter)
      }
      const waiter: Waiter = {
        lane,
        enter: () => {
          end()
          this.inside[lane] += 1
          resolve()
        },
        refuse: (error) => {
          end()
          reject(error)
        },
      }
      const timer = setTimeout(() => {
        waiter.refuse(new DatabaseUnavailable(`had no free connection for ${waitMillisMax} ms`))
      }, waitMillisMax)
      this.waiters.add(waiter)
    })
  }

  private letIn(): void {
    for (const waiter of this.waiters) {
      if (this.busy >= this.limits.connectionsMax) return
      if (this.hasRoom(waiter.lane)) waiter.enter()
    }
  }
}
