// The connections that requests share: how many, for whom, for how long, and to which server.

import pg from 'pg'
import { withinMillis } from '../clock/clock.ts'
import type { Lane, PoolState } from './database.ts'
import { type DatabaseState, DatabaseWatch } from './database-watch.ts'
import { ConnectionGate, InFlightStatements, PostgresConnection } from './postgres-connection.ts'
import { findPrimary } from './primary-search.ts'
import { DatabaseUnavailable, reasonOf } from './retry.ts'

export interface PostgresOptions {
  /** May name several hosts; the one that writes is used. */
  readonly url: string
  /** Reaches the server without a pooler, for long work and scripts; `url` when left out. */
  readonly directUrl?: string | undefined
  /**
   * Connections kept at most; beyond about four per core they only add waiting inside the server.
   * From four on a quarter of them is kept for reads, so that writes that wait for locks or for a
   * standby leave the screens alone.
   */
  readonly connectionsMax: number
  readonly onError: (error: Error) => void
  /** The database stopped answering, or is back. */
  readonly onChange?: (state: DatabaseState, why: string, lastedMillis: number) => void
  /** How the server lists the connections; a restore refuses while there are any of the product. */
  readonly applicationName?: string
}

export const productName = 'redpack'

/** A connection in use, and how long the first statement on it may take. */
export interface Lease {
  readonly connection: PostgresConnection
  readonly firstMillisMax: number
}

const gateMillisMax = 2_500
const connectMillisMax = 2_000
const prepareMillisMax = 1_000
const idleMillisMax = 30_000
/** From asking for a connection to the answer of the first statement on it. */
const firstAnswerMillisMax = 5_300
const firstAnswerMillisMin = 500
/** While commits wait for a standby: they and whoever waits for their locks are not answered. */
const hopelessMillis = 2_000
const waitersPerConnection = 100
const closeMillisMax = 1_500

/** Of eight connections six may write; small pools keep none apart. */
export function writesMaxOf(connectionsMax: number): number {
  return connectionsMax < 4 ? connectionsMax : connectionsMax - Math.floor(connectionsMax / 4)
}

export class PostgresPool {
  readonly statements: InFlightStatements
  readonly watch: DatabaseWatch
  private readonly gate: ConnectionGate
  private readonly pool: pg.Pool
  private readonly addresses: readonly string[]
  private readonly options: PostgresOptions
  private address: string
  /** Connections of an earlier one are thrown away instead of being used. */
  private generation = 0
  private isPooled = false

  /** `addresses` has one for each host of `options.url`; see `databaseAddresses`. */
  constructor(addresses: readonly string[], options: PostgresOptions) {
    const { connectionsMax, applicationName = productName } = options
    const [first = ''] = addresses
    this.addresses = addresses
    this.options = options
    this.address = first
    this.gate = new ConnectionGate({
      connectionsMax,
      writesMax: writesMaxOf(connectionsMax),
      waitersMax: connectionsMax * waitersPerConnection,
      waitMillisMax: gateMillisMax,
    })
    this.statements = new InFlightStatements(() => this.distrust())
    this.watch = new DatabaseWatch(first, {
      look: () => findPrimary(addresses, { application_name: applicationName }),
      longestMillis: () => this.statements.longestMillis(),
      onAway: (error) => {
        this.generation += 1
        this.statements.giveUpAll(error)
        this.gate.refuseWaiting(error)
      },
      onCommitsWait: (error) => {
        this.gate.refuseWaiting(error, 'write')
        this.statements.giveUpWrites(error, hopelessMillis)
      },
      onMoved: (address) => {
        this.address = address
        this.generation += 1
      },
      onChange: options.onChange ?? (() => undefined),
    })
    this.pool = this.openPool()
    if (addresses.length > 1) this.watch.suspect()
  }

  private openPool(): pg.Pool {
    const { connectionsMax, applicationName = productName } = this.options
    const current = () => ({ address: this.address, generation: this.generation })
    class PoolConnection extends PostgresConnection {
      constructor(config: pg.ClientConfig) {
        const { address, generation } = current()
        super({ ...config, connectionString: address }, generation)
      }
    }
    const pool = new pg.Pool({
      max: connectionsMax,
      connectionTimeoutMillis: connectMillisMax,
      idleTimeoutMillis: idleMillisMax,
      application_name: applicationName,
      // The driver calls it with the settings; its types leave them out.
      Client: PoolConnection as unknown as new () => pg.ClientBase,
      onConnect: (client) => this.prepare(client as PostgresConnection),
    })
    // A connection that the server closes while nobody uses it must not take the process down.
    pool.on('error', (error) => {
      this.options.onError(error)
      this.watch.suspect()
    })
    return pool
  }

  private async prepare(connection: PostgresConnection): Promise<void> {
    await this.statements.run(connection, prepareMillisMax, async () => {
      const { isStandby } = await connection.recognise()
      if (isStandby && this.addresses.length > 1) {
        throw new DatabaseUnavailable('that writes is another one by now')
      }
      this.isPooled = connection.isPooled
      if (!connection.isPooled) await connection.limitSession()
    })
  }

  get state(): PoolState {
    const { totalCount: total, idleCount: idle } = this.pool
    const { doubts, takeovers } = this.watch
    const { isPooled } = this
    return { total, idle, waiting: this.gate.waiting, isPooled, doubts, takeovers }
  }

  /**
   * Runs `work` with a connection.
   * @throws DatabaseUnavailable when there is none in time, or whatever `work` throws
   */
  async use<Result>(lane: Lane, work: (lease: Lease) => Promise<Result>): Promise<Result> {
    this.watch.refuse(lane)
    const deadline = performance.now() + firstAnswerMillisMax
    const leave = await this.gate.enter(lane)
    try {
      const connection = await this.connect(lane)
      connection.lane = lane
      try {
        const left = deadline - performance.now()
        return await work({ connection, firstMillisMax: Math.max(left, firstAnswerMillisMin) })
      } catch (error) {
        if (connection.isUseless) this.watch.suspect()
        throw error
      } finally {
        connection.release(this.isStale(connection))
      }
    } finally {
      leave()
    }
  }

  private async connect(lane: Lane): Promise<PostgresConnection & pg.PoolClient> {
    for (;;) {
      if (this.addresses.length > 1) {
        await this.watch.firstLook()
        this.watch.refuse(lane)
      }
      const connection = await this.pool.connect().catch((cause: unknown) => {
        this.watch.suspect()
        throw new DatabaseUnavailable(`cannot be reached: ${reasonOf(cause)}`, { cause })
      })
      const leased = connection as unknown as PostgresConnection & pg.PoolClient
      if (!this.isStale(leased)) return leased
      leased.abandon()
      leased.release(true)
    }
  }

  private isStale(connection: PostgresConnection): boolean {
    return connection.isUseless || connection.generation !== this.generation
  }

  /** No connection that is open now is used again. */
  private distrust(): void {
    this.generation += 1
    this.watch.suspect()
  }

  /** Lets what is under way end for a moment, then ends it. */
  async close(): Promise<void> {
    const closed = new DatabaseUnavailable('connections are closed')
    if (this.pool.ending) return
    this.watch.close()
    this.gate.refuseWaiting(closed)
    // What has not ended by then is given up below.
    await withinMillis(this.pool.end(), closeMillisMax).catch(() => undefined)
    this.statements.giveUpAll(closed)
  }
}
