// One person floods a process while fifty others go on calmly; and more calls than a process takes.

import { Agent, request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort, type ProductProcess } from '../product-process.ts'
import { usePrograms } from '../programs.ts'
import { hasPostgres } from '../test-database.ts'
import { tell } from './fault-table.ts'
import { loadSettings, pause } from './keyed-load.ts'
import { playerOf } from './many-processes.ts'

const calmPeople = 50
const floodLanes = 500
const seconds = Number(process.env['FLOOD_SECONDS'] ?? 6)

const programs = usePrograms('flood')
let product: ProductProcess
/** Nobody calls over somebody else's connection. */
const agents = { calm: new Agent({ keepAlive: true }), flood: new Agent({ keepAlive: true }) }

interface Seen {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly millis: number
}

function call(cookie: string, path: string, agent = agents.calm): Promise<Seen> {
  const startMillis = performance.now()
  return new Promise((resolve) => {
    const done = (status: number, retryAfter?: string) =>
      resolve({ status, retryAfter, millis: performance.now() - startMillis })
    const request = httpRequest(new URL(path, product.url), { agent, headers: { cookie } })
    request.once('response', (answer) => {
      answer.resume()
      answer.once('end', () => done(answer.statusCode ?? 0, answer.headers['retry-after']))
    })
    request.once('error', () => done(0))
    request.end()
  })
}

/** Calls that no cache answers: each asks for another page of one's own history. */
const historyPage = (count: number) => `/api/redcoin/history?page=${1 + (count % 500)}&limit=50`

const at = (seen: readonly Seen[], share: number) =>
  seen.map(({ millis }) => millis).toSorted((a, b) => a - b)[Math.floor(seen.length * share)] ?? 0

/** Fifty people who each call five times a second; answers what they saw. */
async function calmly(cookies: readonly string[], millis: number): Promise<Seen[]> {
  const until = performance.now() + millis
  const seen: Seen[] = []
  await Promise.all(
    cookies.map(async (cookie, index) => {
      await pause(index * 4)
      for (let count = 0; performance.now() < until; count += 1) {
        seen.push(await call(cookie, historyPage(index * 7 + count)))
        await pause(200)
      }
    }),
  )
  return seen
}

describe.skipIf(!hasPostgres)('a process over PostgreSQL', () => {
  let calm: string[] = []
  let flooder = ''

  beforeAll(async () => {
    const { url } = await programs.database()
    const settings = loadSettings({ DATABASE_URL: url }, await freePort(), programs.folder)
    product = await programs.start(settings)
    const cookieOf = async (name: string) => (await playerOf(product.url, name)).cookie
    flooder = await cookieOf('flooder')
    calm = []
    for (let index = 0; index < calmPeople; index += 1) calm.push(await cookieOf(`calm${index}`))
  })
  afterAll(() => {
    for (const agent of Object.values(agents)) agent.destroy()
  })

  it('lets one person with 500 calls at once wait for themselves', async () => {
    const alone = await calmly(calm, seconds * 500)
    let isOver = false
    const flood: Seen[] = []
    const lanes = Array.from({ length: floodLanes }, async (_, lane) => {
      for (let count = 0; !isOver; count += 1)
        flood.push(await call(flooder, historyPage(lane + count), agents.flood))
    })
    await pause(500)
    const beside = await calmly(calm, seconds * 1_000)
    isOver = true
    await Promise.all(lanes)
    const figures = {
      alone: [at(alone, 0.5), at(alone, 0.95)].map(Math.round),
      beside: [at(beside, 0.5), at(beside, 0.95)].map(Math.round),
      flood: [at(flood, 0.5), at(flood, 0.95)].map(Math.round),
      floodCalls: flood.length,
    }
    console.log(JSON.stringify(figures))
    expect(beside.filter(({ status }) => status !== 200)).toEqual([])
    // Who floods waits in a line of their own; the others wait for their share of the processor.
    expect(at(beside, 0.5)).toBeLessThan(at(flood, 0.5) / 3)
    tell({
      fault: `One person keeps ${floodLanes} calls under way beside ${calmPeople} calm ones`,
      promise: 'They wait for themselves; nobody else is refused',
      seen:
        `median of the calm ${figures.beside[0]} ms (${figures.alone[0]} ms without), of the ` +
        `flood ${figures.flood[0]} ms`,
    })
  })
})
