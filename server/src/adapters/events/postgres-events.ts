// Events between processes that share only a PostgreSQL: LISTEN and NOTIFY.

import pg from 'pg'
import { databaseAddresses } from '../../config/postgres-addresses.ts'
import type { Events } from './events.ts'
import { type SharedEventsInlet, type SharedEventsOptions, sharedEvents } from './shared-events.ts'

const channel = 'redpack_events'
const waitMillisMin = 250
const waitMillisMax = 2_000
const connectMillisMax = 5_000
/** Of the messages to oneself above all: on a connection that is dead none is answered. */
const answerMillisMax = 2_000
const closeMillisMax = 500

/**
 * Uses one connection of its own: NOTIFY takes a lock that is global to the server at commit, so it
 * must not be part of business transactions. Connects in the background and again after every loss,
 * of several hosts to each in turn: one that only reads refuses to listen. `url` must lead to the
 * server itself; through a pooler that shares connections nothing would be heard.
 */
export function postgresEvents(url: string, options: SharedEventsOptions): Events {
  return sharedEvents(options, (inlet) => {
    const line = new Line(url, inlet, options.onError)
    void line.connect()
    return {
      carrier: 'postgres',
      send: (text) => line.send(text),
      renew: () => line.renew(),
      close: () => line.close(),
    }
  })
}

/** The connection, renewed whenever it breaks. */
class Line {
  private client: pg.Client | undefined
  private timer: NodeJS.Timeout | undefined
  private attempts = 0
  private waitMillis = waitMillisMin
  private isClosed = false
  private readonly addresses: readonly string[]
  private readonly inlet: SharedEventsInlet
  private readonly onError: (error: unknown) => void

  constructor(url: string, inlet: SharedEventsInlet, onError: (error: unknown) => void) {
    this.addresses = databaseAddresses(url) ?? [url]
    this.inlet = inlet
    this.onError = onError
  }

  async connect(): Promise<void> {
    const address = this.addresses[this.attempts % this.addresses.length] ?? ''
    const client = new pg.Client({
      connectionString: address,
      connectionTimeoutMillis: connectMillisMax,
      query_timeout: answerMillisMax,
      application_name: 'redpack',
      keepAlive: true,
    })
    this.attempts += 1
    client.on('notification', ({ payload }) => this.inlet.receive(payload ?? ''))
    client.on('error', (error) => this.lose(client, error))
    client.on('end', () => this.lose(client, undefined))
    try {
      await client.connect()
      await client.query(`LISTEN ${channel}`)
    } catch (error) {
      this.lose(client, error)
      return
    }
    if (this.isClosed) {
      await client.end()
      return
    }
    this.client = client
    this.waitMillis = waitMillisMin
    if (this.attempts > 1) this.inlet.missedSome()
  }

  async send(text: string): Promise<boolean> {
    const { client } = this
    if (client === undefined) return false
    try {
      await client.query('SELECT pg_notify($1, $2)', [channel, text])
      return true
    } catch (error) {
      this.lose(client, undefined)
      throw error
    }
  }

  renew(): void {
    if (this.client !== undefined) this.lose(this.client, undefined)
  }

  async close(): Promise<void> {
    this.isClosed = true
    clearTimeout(this.timer)
    const { client } = this
    this.client = undefined
    if (client === undefined) return
    // A server that does not answer does not say goodbye either.
    const impatience = setTimeout(() => client.connection.stream.destroy(), closeMillisMax)
    await client.end().catch(() => undefined)
    clearTimeout(impatience)
  }

  private lose(client: pg.Client, error: unknown): void {
    if (error !== undefined && !this.isClosed) this.onError(error)
    if (this.client === client) this.client = undefined
    client.removeAllListeners('end')
    client.connection.stream.destroy()
    if (this.isClosed || this.timer !== undefined) return
    this.timer = setTimeout(() => {
      this.timer = undefined
      void this.connect()
    }, this.waitMillis).unref()
    this.waitMillis = Math.min(this.waitMillis * 2, waitMillisMax)
  }
}
