// Events between processes that share a PostgreSQL and nothing else: LISTEN and NOTIFY.

import pg from 'pg'
import type { Events } from './events.ts'
import { type SharedEventsInlet, type SharedEventsOptions, sharedEvents } from './shared-events.ts'

const channel = 'redpack_events'
const waitMillisMin = 250
const waitMillisMax = 5_000

/**
 * Uses one connection of its own: NOTIFY takes a lock that is global to the server at commit, so it
 * must not be part of business transactions. Connects in the background and again after every loss.
 */
export function postgresEvents(url: string, options: SharedEventsOptions): Events {
  return sharedEvents(options, (inlet) => {
    const told = options.onConnection ?? ((_name, error) => error && options.onError(error))
    const line = new Line(url, inlet, (error) => told('events', error))
    void line.connect()
    return { send: (text) => line.send(text), close: () => line.close() }
  })
}

/** The connection, renewed whenever it breaks. */
class Line {
  private client: pg.Client | undefined
  private timer: NodeJS.Timeout | undefined
  private waitMillis = waitMillisMin
  private wasConnected = false
  private isClosed = false
  private readonly url: string
  private readonly inlet: SharedEventsInlet
  private readonly tell: (error: unknown | undefined) => void

  constructor(
    url: string,
    inlet: SharedEventsInlet,
    /** Hears of a loss with its error, and of a connection that stands with undefined. */
    tell: (error: unknown | undefined) => void,
  ) {
    this.url = url
    this.inlet = inlet
    this.tell = tell
  }

  async connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.url,
      connectionTimeoutMillis: 5_000,
      application_name: 'redpack',
      keepAlive: true,
    })
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
    this.tell(undefined)
    this.waitMillis = waitMillisMin
    if (this.wasConnected) this.inlet.missedSome()
    this.wasConnected = true
  }

  async send(text: string): Promise<void> {
    await this.client?.query('SELECT pg_notify($1, $2)', [channel, text])
  }

  async close(): Promise<void> {
    this.isClosed = true
    clearTimeout(this.timer)
    const { client } = this
    this.client = undefined
    await client?.end().catch(() => undefined)
  }

  private lose(client: pg.Client, error: unknown): void {
    if (error !== undefined && !this.isClosed) this.tell(error)
    if (this.client === client) this.client = undefined
    client.removeAllListeners('end')
    client.end().catch(() => undefined)
    if (this.isClosed || this.timer !== undefined) return
    this.timer = setTimeout(() => {
      this.timer = undefined
      void this.connect()
    }, this.waitMillis).unref()
    this.waitMillis = Math.min(this.waitMillis * 2, waitMillisMax)
  }
}
