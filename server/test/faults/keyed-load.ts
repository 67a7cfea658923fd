// Openings and purchases with Idempotency-Keys over HTTP, by several players on several processes,
// and the question whether everything that was acknowledged is there.

import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { ProductProcess } from '../product-process.ts'
import { Browser } from '../sign-in.ts'

export const keeperPassword = 'correct horse battery'
const patienceMillis = 15_000

/** Settings of a process in sandbox mode, ready for the load; `own` come before them. */
export function loadSettings(
  own: Record<string, string>,
  port: number,
  dataDir: string,
): Record<string, string> {
  return {
    PORT: String(port),
    DATA_DIR: dataDir,
    RATE_LIMITS: 'off',
    SANDBOX: 'on',
    LOCAL_ADMIN_USERNAME: 'keeper',
    LOCAL_ADMIN_PASSWORD: keeperPassword,
    ENCRYPTION_KEY: '7c'.repeat(32),
    LOG_SIGNING_KEY: '1a'.repeat(32),
    ...own,
  }
}

export interface KeyedCall {
  /** Index of the player and of the process that was asked. */
  readonly player: number
  readonly process: number
  readonly path: string
  readonly key: string
  readonly body: Record<string, number>
  /** The text that was answered with 200. */
  answer?: string
}

export interface Seen {
  readonly status: number
  readonly startMillis: number
  readonly endMillis: number
  readonly retryAfter: string | null
  readonly path: string
}

export class KeyedLoad {
  readonly calls: KeyedCall[] = []
  readonly seen: Seen[] = []
  private readonly browsers: Browser[][]
  private readonly packTypeId: number
  private readonly listingId: number
  /** Players of another load may have the same names and their keys on the same database. */
  private readonly name = randomUUID().slice(0, 8)
  private isRunning = false
  private lanes: Promise<void>[] = []
  private count = 0

  private constructor(browsers: Browser[][], packTypeId: number, listingId: number) {
    this.browsers = browsers
    this.packTypeId = packTypeId
    this.listingId = listingId
  }

  /** Signs players in and gives them what they need for hours of load. */
  static async over(processes: readonly ProductProcess[], players = 6): Promise<KeyedLoad> {
    const urls = processes.map(({ url }) => url)
    const keeper = new Browser(urls[0]!)
    await keeper.json('/api/auth/local', { username: 'keeper', password: keeperPassword })
    const names = Array.from({ length: players }, (_, index) => `player${index}`)
    const browsers: Browser[][] = []
    for (const name of names) {
      const browser = new Browser(urls[0]!)
      await browser.signIn(name)
      browsers.push(urls.map((url) => browser.tab(url)))
    }
    const first = browsers[0]![0]!
    const [type] = await first.json<{ id: number }[]>('/api/packs/types')
    const listings = await first.json<{ id: number; isUnlimited: boolean }[]>('/api/store/listings')
    const listing = listings.find(({ isUnlimited }) => isUnlimited)
    await keeper.json('/api/admin/distribute-packs', {
      usernames: names,
      packTypeId: type!.id,
      quantity: 100_000,
    })
    await keeper.json('/api/admin/distribute-redcoin', { usernames: names, amount: 100_000_000 })
    return new KeyedLoad(browsers, type!.id, listing!.id)
  }

  /** Starts so many lanes, each calling again as soon as it was answered. */
  start(lanes = 12): void {
    this.isRunning = true
    this.lanes = Array.from({ length: lanes }, (_, lane) => this.lane(lane))
  }

  async stop(): Promise<void> {
    this.isRunning = false
    await Promise.all(this.lanes)
  }

  /** The cookie of a player who is signed in. */
  cookieOf(player: number): string {
    return this.browsers[player]![0]!.cookie
  }

  /** One opening by a player on a process. */
  openOne(player: number, process: number): Promise<{ status: number; text: string }> {
    this.count += 1
    const body = { packTypeId: this.packTypeId, quantity: 1 }
    return this.send({
      player,
      process,
      path: '/api/packs/open',
      key: `${this.name}-one-${this.count}`,
      body,
    })
  }

  /** How many packs its players have opened, as they are told. */
  async packsOpened(): Promise<number> {
    const counts = this.browsers.map(([tab]) =>
      tab!.json<{ packsOpened: number }>('/api/user/stats'),
    )
    return (await Promise.all(counts)).reduce((sum, { packsOpened }) => sum + packsOpened, 0)
  }

  /** How many packs its calls asked to open, each once. */
  packsAsked(): number {
    const openings = this.calls.filter(({ path }) => path === '/api/packs/open')
    return openings.reduce((sum, { body }) => sum + (body['quantity'] ?? 0), 0)
  }

  get acknowledged(): KeyedCall[] {
    return this.calls.filter(({ answer }) => answer !== undefined)
  }

  private async lane(lane: number): Promise<void> {
    const player = lane % this.browsers.length
    const process = Math.floor(lane / this.browsers.length) % this.browsers[player]!.length
    for (let turn = 0; this.isRunning; turn += 1) {
      this.count += 1
      const key = `${this.name}-${lane}-${this.count}`
      const [path, body]: [string, Record<string, number>] =
        turn % 3 === 2
          ? ['/api/store/purchase', { storePackListingId: this.listingId, quantity: 1 }]
          : ['/api/packs/open', { packTypeId: this.packTypeId, quantity: 1 + (turn % 5) }]
      const call: KeyedCall = { player, process, key, path, body }
      this.calls.push(call)
      if (turn % 2 === 0) await this.read(player, process)
      const { status, text } = await this.send(call)
      if (status === 200) call.answer = text
      // Told to come back, a browser waits longer; between two openings a person does as well.
      await pause(status === 200 ? 40 : 100)
    }
  }

  private async read(player: number, process: number): Promise<void> {
    await this.time('/api/user/packs', () =>
      this.browsers[player]![process]!.open('/api/user/packs', { signal: patience() }),
    )
  }

  /** Sends the call, whether for the first time or again. */
  send(call: KeyedCall): Promise<{ status: number; text: string; isReplay: boolean }> {
    const { player, process, path, key, body } = call
    return this.time(path, () =>
      this.browsers[player]![process]!.open(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify(body),
        signal: patience(),
      }),
    )
  }

  private async time(path: string, open: () => Promise<Response>) {
    const startMillis = performance.now()
    const answer = await open().catch(() => undefined)
    const text = (await answer?.text().catch(() => '')) ?? ''
    const status = answer?.status ?? 0
    const retryAfter = answer?.headers.get('retry-after') ?? null
    this.seen.push({ status, startMillis, endMillis: performance.now(), retryAfter, path })
    return { status, text, isReplay: answer?.headers.get('idempotency-replayed') === 'true' }
  }

  /** How many answers of each status, since a moment of `performance.now()`. */
  statuses(sinceMillis = 0): Record<number, number> {
    const counts: Record<number, number> = {}
    for (const { status, startMillis } of this.seen) {
      if (startMillis >= sinceMillis) counts[status] = (counts[status] ?? 0) + 1
    }
    return counts
  }

  /** The longest that any call has waited for its answer, in milliseconds. */
  slowestMillis(): number {
    return Math.round(Math.max(...this.seen.map((one) => one.endMillis - one.startMillis)))
  }

  /** When the first change after this moment was acknowledged; waits for it. */
  async firstSuccessAfter(millis: number, withinMillis: number): Promise<number> {
    for (;;) {
      const first = this.seen.find(
        (one) => one.startMillis >= millis && one.status === 200 && one.path !== '/api/user/packs',
      )
      if (first !== undefined) return Math.round(first.endMillis - millis)
      if (performance.now() - millis > withinMillis) return Number.POSITIVE_INFINITY
      await pause(20)
    }
  }

  /** Expects 200, 503 with a time to come back, and 409 for a key whose first call goes on. */
  expectPoliteAnswers(): void {
    const others = this.seen.filter(({ status }) => ![200, 409, 503].includes(status))
    expect(others.slice(0, 5)).toEqual([])
    const silent = this.seen.filter(({ status, retryAfter }) => status === 503 && !retryAfter)
    expect(silent.slice(0, 5)).toEqual([])
  }

  /**
   * Sends everything again under its key: what was acknowledged must be answered with the same
   * text, and everything else takes effect once. Answers how many of those had taken effect
   * unheard.
   */
  async expectNothingLost(): Promise<{ acknowledged: number; unheard: number }> {
    const lost: string[] = []
    let unheard = 0
    const before = this.acknowledged.length
    const queue = [...this.calls]
    const again = async () => {
      for (let call = queue.pop(); call !== undefined; call = queue.pop()) {
        const { status, text, isReplay } = await this.send(call)
        expect([call.key, status]).toEqual([call.key, 200])
        if (call.answer === undefined) unheard += isReplay ? 1 : 0
        else if (!isReplay || text !== call.answer) lost.push(call.key)
        call.answer ??= text
      }
    }
    await Promise.all(Array.from({ length: 6 }, again))
    expect(lost).toEqual([])
    return { acknowledged: before, unheard }
  }
}

const patience = () => AbortSignal.timeout(patienceMillis)
export const pause = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))
