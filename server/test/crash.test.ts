// kill -9 of the real program under load: what was acknowledged is there after every restart.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { json } from './faults/keyed-load.ts'
import { buildServer, freePort, type ProductProcess, startProgram } from './product-process.ts'
import { seededNumbers } from './seeded-random.ts'
import { Browser } from './sign-in.ts'

const luck = seededNumbers()

const kills = Number(process.env['CRASH_KILLS'] ?? 12)
const minutesMax = 10
const password = 'correct horse battery'
const dataDir = mkdtempSync(join(tmpdir(), 'redpack-crash-'))
const players = ['ana', 'ben', 'cleo']

let settings: Record<string, string> = {}
let product: ProductProcess | undefined

beforeAll(async () => {
  await buildServer()
  settings = {
    PORT: String(await freePort()),
    DATA_DIR: dataDir,
    RATE_LIMITS: 'off',
    LOCAL_ADMIN_USERNAME: 'keeper',
    LOCAL_ADMIN_PASSWORD: password,
  }
}, 90_000)
afterAll(() => {
  product?.child.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

/** Starts the program on the same data and answers how long that took, in milliseconds. */
async function start(): Promise<number> {
  const startMillis = performance.now()
  product = startProgram('main', settings)
  await product.ready()
  return performance.now() - startMillis
}

async function kill(): Promise<void> {
  product!.child.kill('SIGKILL')
  await product!.exit
}

/** One call with a key: what it was, and the text that was answered, if any arrived. */
interface Keyed {
  readonly browser: Browser
  readonly path: string
  readonly key: string
  readonly body: { readonly quantity: number; readonly [field: string]: number }
  answer?: string
}

async function send(call: Keyed): Promise<{ status: number; text: string; replayed: boolean }> {
  const response = await call.browser.open(call.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': call.key },
    body: JSON.stringify(call.body),
  })
  const text = await response.text()
  const replayed = response.headers.get('idempotency-replayed') === 'true'
  return { status: response.status, text, replayed }
}

/** Three players with packs and RedCoin, and what can be bought. */
async function signEveryoneIn() {
  const keeper = new Browser(product!.url)
  await json(keeper, '/api/auth/local', { username: 'keeper', password })
  const browsers = []
  for (const name of players) {
    const browser = new Browser(product!.url)
    await browser.signIn(name)
    browsers.push(browser)
  }
  const [first] = await json<{ id: number }[]>(browsers[0]!, '/api/packs/types')
  const listings = await json<{ id: number; isUnlimited: boolean }[]>(
    browsers[0]!,
    '/api/store/listings',
  )
  const unlimited = listings.find(({ isUnlimited }) => isUnlimited)
  const grant = { usernames: players, packTypeId: first!.id, quantity: 100_000 }
  await json(keeper, '/api/admin/distribute-packs', grant)
  await json(keeper, '/api/admin/distribute-redcoin', { usernames: players, amount: 100_000_000 })
  const before = await openedBy(browsers)
  return { browsers, packTypeId: first!.id, listingId: unlimited!.id, before }
}

async function openedBy(browsers: readonly Browser[]): Promise<number> {
  let opened = 0
  for (const browser of browsers) {
    opened += (await json<{ packsOpened: number }>(browser, '/api/user/stats')).packsOpened
  }
  return opened
}

type Scene = Awaited<ReturnType<typeof signEveryoneIn>>

/** Opens and buys on six lanes until the program is killed, after a random number of answers. */
async function loadUntilKilled(scene: Scene, round: number): Promise<Keyed[]> {
  const calls: Keyed[] = []
  let isOver = false
  let answersLeft = 5 + Math.floor(luck() * 20)
  let enough: () => void = () => undefined
  const answered = new Promise<void>((resolve) => {
    enough = resolve
  })
  const lanes = Array.from({ length: 6 }, async (_, lane) => {
    const browser = scene.browsers[lane % scene.browsers.length]!
    for (let count = 0; !isOver; count += 1) {
      const isPurchase = count % 4 === 3
      const call: Keyed = {
        browser,
        key: `${round}-${lane}-${count}`,
        path: isPurchase ? '/api/store/purchase' : '/api/packs/open',
        body: isPurchase
          ? { storePackListingId: scene.listingId, quantity: 1 }
          : { packTypeId: scene.packTypeId, quantity: 1 + (count % 5) },
      }
      calls.push(call)
      const result = await send(call).catch(() => undefined)
      // Without an answer the outcome is not known; the connection is gone.
      if (result === undefined) return
      expect([result.status, result.text]).toEqual([200, expect.any(String)])
      call.answer = result.text
      answersLeft -= 1
      if (answersLeft === 0) enough()
    }
  })
  await answered
  await new Promise((resolve) => setTimeout(resolve, luck() * 30))
  await kill()
  isOver = true
  await Promise.all(lanes)
  return calls
}

/** Sends every call again: an answered one must say the same, others take effect now or did. */
async function replay(calls: readonly Keyed[]): Promise<{ lost: string[]; tookEffect: number }> {
  const lost: string[] = []
  let tookEffect = 0
  for (const call of calls) {
    const again = await send(call)
    expect([call.key, again.status]).toEqual([call.key, 200])
    if (call.answer === undefined) {
      if (again.replayed) tookEffect += 1
      call.answer = again.text
    } else if (!again.replayed || again.text !== call.answer) {
      lost.push(call.key)
    }
  }
  return { lost, tookEffect }
}

describe('the program on its embedded database', () => {
  it(
    `is killed ${kills} times and loses nothing that it acknowledged`,
    async () => {
      const startMillis = [await start()]
      const scene = await signEveryoneIn()
      const all: Keyed[] = []
      const sum = { acknowledged: 0, unanswered: 0, tookEffect: 0 }
      for (let round = 1; round <= kills; round += 1) {
        const calls = await loadUntilKilled(scene, round)
        const unanswered = calls.filter(({ answer }) => answer === undefined).length
        sum.acknowledged += calls.length - unanswered
        sum.unanswered += unanswered
        all.push(...calls)
        // Nobody gave the folder back: the start takes over the lock of the dead process.
        startMillis.push(await start())
        const { lost, tookEffect } = await replay(calls)
        expect(lost).toEqual([])
        sum.tookEffect += tookEffect
      }
      expect((await replay(all)).lost).toEqual([])
      const isOpening = ({ path }: Keyed) => path === '/api/packs/open'
      const packs = all.filter(isOpening).reduce((total, { body }) => total + body.quantity, 0)
      expect(await openedBy(scene.browsers)).toBe(scene.before + packs)
      expect(sum.acknowledged).toBeGreaterThanOrEqual(kills * 5)
      product!.child.kill('SIGTERM')
      expect(await product!.exit).toBe(0)
      const verify = startProgram('cli', settings, { words: ['verify-economy'] })
      expect([await verify.exit, verify.errors()]).toEqual([0, ''])
      const slowest = Math.round(Math.max(...startMillis.slice(1)))
      expect(slowest).toBeLessThan(30_000)
      process.stdout.write(
        `kill -9: ${kills} times, ${sum.acknowledged} calls acknowledged and all there, ` +
          `${sum.unanswered} unanswered of which ${sum.tookEffect} had taken effect, ` +
          `slowest restart ${slowest} ms\n`,
      )
    },
    minutesMax * 60_000,
  )
})
