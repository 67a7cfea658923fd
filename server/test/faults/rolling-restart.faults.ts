// Two processes behind a real proxy, restarted one after the other while people play.

import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { statement } from '../../src/adapters/db/database.ts'
import { freePort, type ProductProcess } from '../product-process.ts'
import { type PostgresDatabase, usePrograms } from '../programs.ts'
import { Browser } from '../sign-in.ts'
import { hasPostgres } from '../test-database.ts'
import { expectTrueBooks, tell } from './fault-table.ts'
import { keeperPassword, loadSettings } from './keyed-load.ts'
import { haproxy, nginx, type RunningProxy } from './proxies.ts'

const players = ['ana', 'ben', 'cleo']
/** Longer than nginx keeps an idle connection, as docs/operating.md asks. */
const drainSeconds = 4
const rounds = 2
/** Calls a second of each kind; openings, reads and notes together come to more than 40. */
const pauseMillis = 65

const programs = usePrograms('rolling')
let database: PostgresDatabase
let settings: [Record<string, string>, Record<string, string>]
let url: string
const running: (ProductProcess | undefined)[] = [undefined, undefined]
let proxy: RunningProxy | undefined

afterEach(async () => {
  await proxy?.stop()
  await programs.kill()
})

async function startProcess(index: 0 | 1): Promise<void> {
  running[index] = await programs.start(settings[index])
}

/**
 * The first process and the proxy. Players sign in while it is alone: each process has stand-ins of
 * its own, and a sign-in begun at one cannot end at the other.
 */
async function startFirst(kind: typeof nginx): Promise<void> {
  database = await programs.database()
  const ports = {
    proxy: await freePort(),
    processes: [await freePort(), await freePort()],
  } as const
  url = `http://127.0.0.1:${ports.proxy}`
  const more = { DATABASE_URL: database.url, PUBLIC_URL: url, DRAIN_SECONDS: String(drainSeconds) }
  const settingsOf = (index: 0 | 1) =>
    loadSettings(more, ports.processes[index], join(programs.folder, kind.name, String(index)))
  settings = [settingsOf(0), settingsOf(1)]
  await startProcess(0)
  proxy = await kind.start(ports)
}

/** Players with packs, and staff, all through the proxy. */
async function signEveryoneIn() {
  const keeper = new Browser(url)
  await keeper.json('/api/auth/local', { username: 'keeper', password: keeperPassword })
  const browsers = players.map(() => new Browser(url))
  for (const [index, browser] of browsers.entries()) await browser.signIn(players[index]!)
  const [first] = await browsers[0]!.json<{ id: number }[]>('/api/packs/types')
  const grant = { usernames: players, packTypeId: first!.id, quantity: 10_000 }
  await keeper.json('/api/admin/distribute-packs', grant)
  const { id } = await browsers[0]!.json<{ id: number }>('/api/auth/me')
  return { keeper, browsers, packTypeId: first!.id, notedUserId: id }
}

/** Calls of every kind at a steady pace until it is stopped, and what became of them. */
class Load {
  readonly failures: string[] = []
  openings = 0
  notes = 0
  calls = 0
  slowestMillis = 0
  private isOver = false
  private readonly lanes: Promise<void>[]

  constructor({ keeper, browsers, packTypeId, notedUserId }: Scene) {
    this.lanes = [
      ...browsers.map((browser, lane) =>
        this.repeat(async (count) => {
          const headers = { 'idempotency-key': `${lane}-${count}` }
          const order = { packTypeId, quantity: 1 }
          const answer = await this.call(browser, '/api/packs/open', order, { headers })
          this.openings += (answer as { results: unknown[] }).results.length
        }),
      ),
      ...browsers.map((browser) =>
        this.repeat(async () => {
          await this.call(browser, '/api/user/stats')
        }),
      ),
      // nginx by itself would send it again.
      this.repeat(async (count) => {
        const body = { isHidden: count % 2 === 0 }
        await this.call(browsers[0]!, '/api/user/leaderboard-visibility', body, { method: 'PUT' })
      }),
      // Has no key: sent twice it stands there twice, and unanswered it is lost.
      this.repeat(async (count) => {
        await this.call(keeper, `/api/admin/users/${notedUserId}/notes`, { body: `Note ${count}` })
        this.notes += 1
      }),
    ]
  }

  /** Waits for the calls under way. */
  async stop(): Promise<void> {
    this.isOver = true
    await Promise.all(this.lanes)
  }

  private async repeat(call: (count: number) => Promise<void>): Promise<void> {
    for (let count = 0; !this.isOver; count += 1) {
      const pause = new Promise((resolve) => setTimeout(resolve, pauseMillis))
      await call(count).catch((error: unknown) => this.failures.push(String(error)))
      await pause
    }
  }

  private async call(browser: Browser, path: string, body?: unknown, init: RequestInit = {}) {
    this.calls += 1
    const startMillis = performance.now()
    const signal = AbortSignal.timeout(20_000)
    const answer = await browser.json(path, body, { ...init, signal })
    this.slowestMillis = Math.max(this.slowestMillis, performance.now() - startMillis)
    return answer
  }
}
type Scene = Awaited<ReturnType<typeof signEveryoneIn>>

/** A page's socket, which is opened again when it is closed, as the page does. */
class Page {
  readonly closeCodes: number[] = []
  isOpen = false
  private isOver = false
  private socket: WebSocket
  private readonly browser: Browser

  constructor(browser: Browser) {
    this.browser = browser
    this.socket = this.open()
  }

  close(): void {
    this.isOver = true
    this.socket.close()
  }

  private open(): WebSocket {
    const address = `${url.replace('http', 'ws')}/api/realtime`
    this.socket = new WebSocket(address, {
      headers: { cookie: this.browser.cookie, origin: url },
    })
    this.socket.on('open', () => {
      this.isOpen = true
    })
    this.socket.on('error', () => undefined)
    this.socket.on('close', (code) => {
      this.isOpen = false
      this.closeCodes.push(code)
      if (!this.isOver) setTimeout(() => this.open(), 300 + Math.random() * 700)
    })
    return this.socket
  }
}

async function restart(index: 0 | 1): Promise<void> {
  const product = running[index]!
  const startMillis = performance.now()
  product.child.kill('SIGTERM')
  expect(await product.exit).toBe(0)
  expect(performance.now() - startMillis).toBeLessThan(10_000)
  await startProcess(index)
  // Before the next one leaves, this one must have calls again: HAProxy asks twice, nginx waits
  // for a second.
  await new Promise((resolve) => setTimeout(resolve, 2_500))
}

async function countKept(): Promise<{ openings: number; notes: number }> {
  const [kept] = await database.db.run<{ openings: number; notes: number }>(
    statement(
      'kept_after_restarts',
      `SELECT (SELECT count(*)::int FROM pack_openings) AS openings,
        (SELECT count(*)::int FROM staff_notes) AS notes`,
    ),
    [],
  )
  return kept!
}

for (const kind of [nginx, haproxy]) {
  const missing = [
    ...(kind.isInstalled ? [] : [`no ${kind.name}`]),
    ...(hasPostgres ? [] : ['no PostgreSQL']),
  ]
  describe.skipIf(missing.length > 0)(
    `a rolling restart behind ${[kind.name, ...missing].join(', ')}`,
    () => {
      it('fails no call and loses nothing', async () => {
        await startFirst(kind)
        const scene = await signEveryoneIn()
        await startProcess(1)
        const pages = scene.browsers.map((browser) => new Page(browser))
        await expect.poll(() => pages.every(({ isOpen }) => isOpen), { timeout: 10_000 }).toBe(true)
        const startMillis = performance.now()
        const before = await countKept()
        const load = new Load(scene)
        for (let round = 0; round < rounds; round += 1) {
          await restart(0)
          await restart(1)
        }
        await load.stop()
        const seconds = (performance.now() - startMillis) / 1_000
        await expect.poll(() => pages.every(({ isOpen }) => isOpen), { timeout: 10_000 }).toBe(true)
        const codes = pages.flatMap(({ closeCodes }) => closeCodes)
        for (const page of pages) page.close()
        expect([load.failures.length, ...load.failures.slice(0, 5)]).toEqual([0])
        expect(new Set(codes)).toEqual(new Set([1001]))
        const after = await countKept()
        expect({
          openings: after.openings - before.openings,
          notes: after.notes - before.notes,
        }).toEqual({ openings: load.openings, notes: load.notes })
        await expectTrueBooks(settings[0])
        tell({
          fault: `Each of two processes behind ${kind.name} is restarted ${rounds} times under load`,
          promise: 'No call fails, nothing is lost or done twice; pages are back within seconds',
          seen:
            `${load.calls} calls at ${Math.round(load.calls / seconds)}/s, 0 failed, slowest ` +
            `${Math.round(load.slowestMillis)} ms; ${load.openings} openings and ` +
            `${load.notes} notes, each there once; ${codes.length} sockets closed and back`,
        })
      })
    },
  )
}
