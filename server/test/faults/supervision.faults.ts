// What becomes of three processes on one port when one dies, when the one above them dies, and when
// they are told to stop or cannot start.

import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { isAccepting } from '../local-server.ts'
import { usePrograms } from '../programs.ts'
import { hasPostgres } from '../test-database.ts'
import { expectTrueBooks, tell } from './fault-table.ts'
import { KeyedLoad, pause } from './keyed-load.ts'
import {
  keeperOf,
  type ManyProcesses,
  processes,
  RoamingBrowser,
  startMany,
} from './many-processes.ts'

const kills = 3

const programs = usePrograms('supervision')
let many: ManyProcesses
afterEach(programs.kill)

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const isListening = (url: string) => isAccepting(Number(new URL(url).port))

const serving = async (url: string): Promise<number> => {
  const metrics = await (await new RoamingBrowser(url).open('/metrics')).text()
  return Number(/redpack_processes\{state="serving"\} (\d+)/.exec(metrics)?.[1] ?? 0)
}

describe.skipIf(!hasPostgres)('three processes on one port', () => {
  it('lose nothing and are three again after kill -9 of each under load', async () => {
    many = await startMany(programs)
    const { product, settings } = many
    const load = await KeyedLoad.over([product])
    load.start()
    let slowestMillis = 0
    for (let kill = 0; kill < kills; kill += 1) {
      await pause(1_500)
      const victim = many.pids()[kill % processes]!
      const startMillis = performance.now()
      process.kill(victim, 'SIGKILL')
      await expect.poll(() => isRunning(victim), { timeout: 5_000 }).toBe(false)
      await expect
        .poll(() => serving(product.url).catch(() => 0), { timeout: 60_000, interval: 100 })
        .toBe(processes)
      slowestMillis = Math.max(slowestMillis, performance.now() - startMillis)
    }
    await load.stop()
    const { acknowledged, unheard } = await load.expectNothingLost()
    const statuses = load.statuses()
    const failed = load.seen.filter(({ status }) => status >= 500 && status !== 503)
    expect(failed).toEqual([])
    await expectTrueBooks(settings)
    expect(product.errors()).toContain('"why":"SIGKILL"')
    tell({
      fault: `kill -9 of ${kills} of three processes, one after the other, under load`,
      promise: 'The others serve, a new one comes by itself, nothing acknowledged is lost',
      seen:
        `three again within ${(slowestMillis / 1_000).toFixed(1)} s; ${acknowledged} ` +
        `acknowledged, all there, ${unheard} more without their answer; ` +
        `${statuses[0] ?? 0} connections were cut`,
    })
  })

  it('let nobody wait for a process that was killed before it took their connection', async () => {
    many = await startMany(programs, { SEED_DEMO: 'off' })
    const { port } = new URL(many.product.url)
    const pids = many.pids()
    for (const pid of pids) process.kill(pid, 'SIGSTOP')
    const ends = pids.map(async () => {
      const socket = connect(Number(port), '127.0.0.1')
        .on('error', () => undefined)
        .resume()
      socket.write(`GET /health/live HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n`)
      socket.write('connection: close\r\n\r\n')
      await new Promise((resolve) => socket.once('close', resolve))
    })
    await pause(500)
    for (const pid of pids) process.kill(pid, 'SIGKILL')
    const ended = await Promise.race([Promise.all(ends), pause(20_000)])
    expect(ended).toHaveLength(processes)
    tell({
      fault: 'kill -9 of three processes that have not taken what they were handed',
      promise: 'Whoever had connected is not left waiting',
      seen: 'every connection was ended',
    })
  })

  it('finish what is under way at SIGTERM, end with 0, and leave the port free', async () => {
    many = await startMany(programs, { DRAIN_SECONDS: '1' })
    const { product } = many
    const pids = many.pids()
    const load = await KeyedLoad.over([product])
    load.start()
    await pause(1_000)
    const startMillis = performance.now()
    product.child.kill('SIGTERM')
    await pause(300)
    const readiness = await new RoamingBrowser(product.url).open('/health/ready')
    expect(readiness.status).toBe(503)
    const served = load.statuses(startMillis)
    expect(served[200] ?? 0).toBeGreaterThan(0)
    expect(await product.exit).toBe(0)
    const millis = Math.round(performance.now() - startMillis)
    expect(millis).toBeLessThan(10_000)
    await load.stop()
    expect(load.seen.filter(({ status }) => ![0, 200, 409].includes(status))).toEqual([])
    expect(pids.filter(isRunning)).toEqual([])
    expect(await isListening(product.url)).toBe(false)
    expect(product.errors().match(/"event":"process_ended"/g)).toHaveLength(processes)
    tell({
      fault: 'SIGTERM to three processes under load, with a drain of a second',
      promise: 'Not ready at once, served for the drain, then an end with code 0',
      seen: `ended after ${millis} ms`,
    })
  })

  it('end when the one above them is killed', async () => {
    many = await startMany(programs)
    const { product } = many
    const pids = many.pids()
    expect(pids).toHaveLength(processes)
    product.child.kill('SIGKILL')
    await expect.poll(() => pids.filter(isRunning), { timeout: 5_000 }).toEqual([])
    expect(await isListening(product.url)).toBe(false)
  })

  it('count wrong passwords together, without Redis', async () => {
    many = await startMany(programs, { RATE_LIMITS: 'on' })
    await keeperOf(many.product.url)
    const statuses: number[] = []
    for (let attempt = 0; attempt < 4 * processes * 5; attempt += 1) {
      const answer = await new RoamingBrowser(many.product.url).open('/api/auth/local', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'keeper', password: `wrong ${attempt}` }),
      })
      statuses.push(answer.status)
      if (answer.status === 429) break
    }
    const allowed = statuses.filter((status) => status === 401).length
    expect([allowed, statuses.at(-1)]).toEqual([expect.any(Number), 429])
    // With one process it is as many: see the limits of the local account.
    expect(allowed).toBeLessThanOrEqual(10)
  })
})

describe.skipIf(!hasPostgres)('a start of several processes is refused', () => {
  const refused = async (settings: Record<string, string>): Promise<string[]> => {
    const product = programs.launch(settings)
    expect(await product.exit).toBe(1)
    return product.errors().trim().split('\n')
  }

  it('when the first process cannot start, with its reason, and leaves nothing running', async () => {
    many = await startMany(programs)
    const { settings, product } = many
    product.child.kill('SIGTERM')
    await product.exit
    const lines = await refused({
      ...settings,
      LOG_LEVEL: 'fatal',
      ENCRYPTION_KEY: '9d'.repeat(32),
    })
    expect(lines).toEqual([
      expect.stringContaining('ENCRYPTION_KEY'),
      `Process 1 of ${processes} did not start: see the lines above`,
    ])
    expect(await isListening(product.url)).toBe(false)
  })

  it('when another program has the port', async () => {
    many = await startMany(programs)
    const { PORT } = many.settings
    expect(await refused({ ...many.settings, LOG_LEVEL: 'fatal' })).toEqual([
      `Port ${PORT} on 127.0.0.1 cannot be listened on: another program uses it; stop that ` +
        'program or choose another PORT',
    ])
    expect(await serving(many.product.url)).toBe(processes)
  })
})
