import { randomUUID } from 'node:crypto'
import { connect, createServer } from 'node:net'
import pg from 'pg'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { beginTime } from '../../../../tools/test-clock.ts'
import { freePort } from '../../../test/product-process.ts'
import { hasPostgres } from '../../../test/test-database.ts'
import { isRedisReachable, testPostgresUrl, testRedisUrl } from '../../../test/test-services.ts'
import type { Events, ProductEvent } from './events.ts'
import { postgresEvents } from './postgres-events.ts'
import { redisEvents } from './redis-events.ts'
import { sharedEvents, type Transport } from './shared-events.ts'

const opened: Events[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((events) => events.close()))
})

function remember(events: Events): { events: Events; heard: ProductEvent[] } {
  const heard: ProductEvent[] = []
  events.subscribe((event) => heard.push(event))
  opened.push(events)
  return { events, heard }
}

const options = () => ({ origin: randomUUID(), onError: () => undefined, gatherMillis: 10 })

describe('events of several processes', () => {
  const sent: string[] = []
  const transport: Transport = {
    carrier: 'redis',
    send: async (text) => sent.push(text) > 0,
    renew: () => undefined,
    close: async () => undefined,
  }

  it('are told at once at home and travel gathered, each once', async () => {
    const { events, heard } = remember(sharedEvents(options(), () => transport))
    for (let count = 0; count < 5; count += 1) events.publish({ type: 'leaderboard_changed' })
    events.publish({ type: 'user_changed', userId: 7 })
    expect(heard).toHaveLength(6)
    await vi.waitFor(() => expect(sent).toHaveLength(1), 10_000)
    expect(JSON.parse(sent[0]!).events).toEqual([
      { type: 'leaderboard_changed' },
      { type: 'user_changed', userId: 7 },
    ])
  })

  it('fit into the messages of NOTIFY', async () => {
    sent.length = 0
    const { events } = remember(sharedEvents(options(), () => transport))
    for (let userId = 0; userId < 1_000; userId += 1)
      events.publish({ type: 'user_changed', userId })
    await events.close()
    expect(sent.length).toBeGreaterThan(1)
    for (const text of sent) expect(Buffer.byteLength(text)).toBeLessThan(8_000)
    expect(sent.flatMap((text) => JSON.parse(text).events)).toHaveLength(1_000)
  })

  it('are not heard twice by their sender, and nonsense is left out', () => {
    let receive: (text: string) => void = () => undefined
    const own = options()
    const { heard } = remember(
      sharedEvents(own, (inlet) => {
        receive = inlet.receive
        return transport
      }),
    )
    receive(JSON.stringify({ from: own.origin, events: [{ type: 'theme_changed' }] }))
    receive('no json')
    receive(JSON.stringify({ from: 'other', events: [null, { type: 'theme_changed' }] }))
    expect(heard).toEqual([{ type: 'theme_changed' }])
  })

  it('survive a transport that fails', async () => {
    const errors: unknown[] = []
    const { events, heard } = remember(
      sharedEvents({ ...options(), onError: (error) => errors.push(error) }, () => ({
        carrier: 'redis',
        send: async () => {
          throw new Error('no connection')
        },
        renew: () => undefined,
        close: async () => undefined,
      })),
    )
    events.publish({ type: 'theme_changed' })
    await vi.waitFor(() => expect(errors).toHaveLength(1), 10_000)
    expect(heard).toHaveLength(1)
    expect(events.figures()).toMatchObject({ isUp: false, published: 1, lost: 1 })
  })

  it('that were lost are made up for once messages travel again', async () => {
    let isUp = false
    const others = new Set<string>()
    let missedSome: () => void = () => undefined
    const { events, heard } = remember(
      sharedEvents({ ...options(), probeMillis: 20 }, (inlet) => {
        missedSome = () => inlet.missedSome()
        const send = async (text: string) => {
          for (const event of isUp ? JSON.parse(text).events : []) others.add(event.type)
          return isUp
        }
        return { ...transport, send }
      }),
    )
    events.publish({ type: 'user_changed', userId: 7 })
    await vi.waitFor(() => expect(events.figures().lost).toBe(1), 10_000)
    isUp = true
    const shown = ['catalogue_changed', 'leaderboard_changed', 'streams_changed', 'theme_changed']
    await vi.waitFor(() => expect([...others]).toEqual(['everybody_changed', ...shown]), 10_000)
    others.clear()
    events.publish({ type: 'leaderboard_changed' })
    await vi.waitFor(() => expect([...others]).toEqual(['leaderboard_changed']), 10_000)
    heard.length = 0
    missedSome()
    expect(new Set(heard.map(({ type }) => type))).toEqual(new Set(['everybody_changed', ...shown]))
  })

  it('know by their own messages whether they travel, and renew a dead connection', async () => {
    let carry: (text: string) => void = () => undefined
    let renewals = 0
    const { events } = remember(
      sharedEvents({ ...options(), probeMillis: 20 }, (inlet) => {
        carry = inlet.receive
        return {
          carrier: 'redis',
          send: async (text) => {
            carry(text)
            return true
          },
          renew: () => {
            renewals += 1
          },
          close: async () => undefined,
        }
      }),
    )
    await vi.waitFor(() => expect(events.figures().isUp).toBe(true), 10_000)
    expect(events.figures().roundTripSeconds).toBeLessThan(1)
    const back = carry
    // Sent without a complaint, and never heard of again.
    carry = () => undefined
    await vi.waitFor(() => expect(events.figures().isUp).toBe(false), 10_000)
    await vi.waitFor(() => expect(renewals).toBeGreaterThan(0), 10_000)
    carry = back
    await vi.waitFor(() => expect(events.figures().isUp).toBe(true), 10_000)
  })

  it('give up what a hung transport does not take, and do not hold up the stop', async () => {
    vi.useFakeTimers()
    const events = sharedEvents(options(), () => ({
      carrier: 'redis',
      send: () => new Promise(() => undefined),
      renew: () => undefined,
      close: () => new Promise(() => undefined),
    }))
    events.publish({ type: 'theme_changed' })
    let isClosed = false
    const closing = events.close().then(() => {
      isClosed = true
    })
    await vi.advanceTimersByTimeAsync(5_000)
    expect(isClosed).toBe(true)
    expect(events.figures()).toMatchObject({ published: 1, lost: 1 })
    beginTime()
    await closing
  })
})

const engines = [
  ['PostgreSQL', hasPostgres, testPostgresUrl, postgresEvents],
  ['Redis', await isRedisReachable(), testRedisUrl, redisEvents],
] as const

/** Stands before the service; on demand it passes nothing on for those that have come so far. */
function passingOn(url: string) {
  const service = new URL(url)
  const passed: (() => void)[] = []
  const passOn = createServer((socket) => {
    const far = connect(Number(service.port), service.hostname)
    socket.on('error', () => far.destroy()).on('close', () => far.destroy())
    far.on('error', () => socket.destroy()).on('close', () => socket.destroy())
    socket.pipe(far).pipe(socket)
    passed.push(() => {
      socket.unpipe(far)
      far.unpipe(socket)
    })
  })
  return { passOn, fallSilent: () => passed.splice(0).forEach((fall) => void fall()) }
}

function addressAt(url: string, port: number): string {
  const address = new URL(url)
  address.host = `127.0.0.1:${port}`
  return address.href
}

describe.each(engines)('events through %s', (_name, isReachable, url, open) => {
  it.runIf(isReachable)('reach another process', async () => {
    const one = remember(open(url, options()))
    const two = remember(open(url, options()))
    const mark = { type: 'user_changed', userId: Math.trunc(Math.random() * 1e9) } as const
    await vi.waitFor(
      () => {
        one.events.publish(mark)
        expect(two.heard).toContainEqual(mark)
      },
      { timeout: 10_000, interval: 100 },
    )
  })

  it.runIf(isReachable)('may have been missed by a process that connects late', async () => {
    const port = await freePort()
    const { passOn } = passingOn(url)
    const onError = vi.fn()
    const { heard } = remember(open(addressAt(url, port), { ...options(), onError }))
    await vi.waitFor(() => expect(onError).toHaveBeenCalled(), 10_000)
    passOn.listen(port, '127.0.0.1')
    await vi.waitFor(() => expect(heard).toContainEqual({ type: 'theme_changed' }), 10_000)
    passOn.close()
  })

  it.runIf(isReachable)('are made up for after a connection that fell silent', async () => {
    const port = await freePort()
    const { passOn, fallSilent } = passingOn(url)
    passOn.listen(port, '127.0.0.1')
    const own = { ...options(), probeMillis: 300 }
    const { events, heard } = remember(open(addressAt(url, port), own))
    await vi.waitFor(() => expect(events.figures().isUp).toBe(true), 10_000)
    // A busy machine may have taken the first connection for dead as well.
    heard.length = 0
    fallSilent()
    await vi.waitFor(() => expect(heard).toContainEqual({ type: 'theme_changed' }), 10_000)
    passOn.close()
  })
})

it.runIf(engines[0][1])(
  'notices through PostgreSQL that it may have missed something',
  async () => {
    const { heard } = remember(postgresEvents(testPostgresUrl, options()))
    const admin = new pg.Client({ connectionString: testPostgresUrl })
    await admin.connect()
    await vi.waitFor(
      async () => {
        const cut = await admin.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE query LIKE 'LISTEN redpack_events' AND application_name = 'redpack'
           AND datname = current_database()`,
        )
        expect(cut.rowCount).toBeGreaterThan(0)
      },
      { timeout: 5_000 },
    )
    await vi.waitFor(() => expect(heard).toContainEqual({ type: 'streams_changed' }), {
      timeout: 5_000,
    })
    await admin.end()
  },
)

it('works alone while its service is absent', async () => {
  for (const events of [
    postgresEvents('postgres://postgres@127.0.0.1:1/none', options()),
    redisEvents('redis://127.0.0.1:1', options()),
  ]) {
    const { heard } = remember(events)
    events.publish({ type: 'theme_changed' })
    expect(heard).toEqual([{ type: 'theme_changed' }])
  }
})
