// Two processes behind a real PgBouncer in transaction mode: nothing may rely on the session.

import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { freePort, type ProductProcess } from '../product-process.ts'
import { usePrograms } from '../programs.ts'
import { expectTrueBooks, tell } from './fault-table.ts'
import { KeyedLoad, loadSettings, pause } from './keyed-load.ts'
import { type PgBouncer, pgbouncerVersion, startPgBouncer } from './pgbouncer.ts'
import { hasClusters, type PostgresCluster, startCluster } from './postgres-cluster.ts'

const isInstalled = hasClusters && pgbouncerVersion !== undefined
const programs = usePrograms('pooler')
const newsMillisMax = 2_000

let cluster: PostgresCluster | undefined
let pooler: PgBouncer | undefined
let processes: ProductProcess[] = []

/** Starts two processes, one after the other so that the first migrates. */
async function startBoth(database: Record<string, string>): Promise<Record<string, string>> {
  const port = await freePort()
  const first = loadSettings(database, port, join(programs.folder, '0'))
  const second = {
    ...loadSettings(database, await freePort(), join(programs.folder, '1')),
    // As behind one proxy: browsers know one address, whoever answers.
    PUBLIC_URL: `http://127.0.0.1:${port}`,
  }
  for (const settings of [first, second]) processes.push(await programs.start(settings))
  return first
}

async function stopBoth(): Promise<void> {
  for (const { child } of processes) child.kill('SIGTERM')
  expect(await Promise.all(processes.map(({ exit }) => exit))).toEqual([0, 0])
  processes = []
}

/** Whether a page on the second process hears in time what its player did on the first. */
async function doesNewsTravel(load: KeyedLoad): Promise<boolean> {
  const address = `${processes[1]!.url.replace('http', 'ws')}/api/realtime`
  const headers = { cookie: load.cookieOf(0), origin: processes[0]!.url }
  const socket = new WebSocket(address, { headers })
  await once(socket, 'open')
  const heard = new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), newsMillisMax)
    socket.on('message', (text) => {
      if (!String(text).includes('holdings')) return
      clearTimeout(timer)
      resolve(true)
    })
  })
  expect((await load.openOne(0, 0)).status).toBe(200)
  const isHeard = await heard
  socket.terminate()
  return isHeard
}

describe.skipIf(!isInstalled)('PgBouncer in transaction mode (Debian package pgbouncer)', () => {
  beforeAll(async () => {
    cluster = await startCluster()
    pooler = await startPgBouncer(cluster.port)
  })
  afterAll(async () => {
    await programs.kill()
    await pooler?.close()
    cluster?.remove()
  })

  it('serves two processes, with events by the direct address', async () => {
    const settings = await startBoth({
      DATABASE_URL: pooler!.url,
      DATABASE_DIRECT_URL: cluster!.url(),
    })
    // The role has no limits of its own yet, and each process says so.
    for (const each of processes) expect(each.errors()).toContain('SET statement_timeout')
    const load = await KeyedLoad.over(processes)
    expect(await doesNewsTravel(load)).toBe(true)
    load.start(24)
    await pause(12_000)
    await load.stop()
    load.expectPoliteAnswers()
    const { 200: done = 0, 503: refused = 0 } = load.statuses()
    expect(refused).toBe(0)
    const sharedBy = await cluster!.query<{ count: number }>(
      "SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = 'redpack'",
      'postgres',
    )
    // Six of the pooler's, and one for LISTEN of each process.
    expect(sharedBy[0]!.count).toBeLessThanOrEqual(6 + 2 + 1)
    const { acknowledged } = await load.expectNothingLost()
    await stopBoth()
    await expectTrueBooks(settings)
    tell({
      fault: `PgBouncer ${pgbouncerVersion} in transaction mode before two processes`,
      promise: 'works as without it; events by DATABASE_DIRECT_URL',
      seen: `${done} answers, none refused, ${acknowledged} acknowledged and all there, ${sharedBy[0]!.count} server connections`,
    })
  })

  it('without a direct address or Redis says once what is missing, and hangs no longer than others', async () => {
    await cluster!.query("ALTER ROLE postgres SET statement_timeout = '5s'")
    await cluster!.query("ALTER ROLE postgres SET lock_timeout = '3s'")
    // Server connections from before keep what their role had then.
    await pooler!.close()
    pooler = await startPgBouncer(cluster!.port)
    const settings = await startBoth({ DATABASE_URL: pooler!.url })
    for (const each of processes) {
      expect(each.errors().match(/set DATABASE_DIRECT_URL or REDIS_URL/g)).toHaveLength(1)
      expect(each.errors()).not.toContain('SET statement_timeout')
    }
    const load = await KeyedLoad.over(processes)
    load.start()
    await pause(1_000)
    cluster!.freeze()
    const frozenMillis = performance.now()
    await pause(8_000)
    expect(load.statuses(frozenMillis)[503]).toBeGreaterThan(10)
    const thawedMillis = performance.now()
    cluster!.thaw()
    const recovery = await load.firstSuccessAfter(thawedMillis, 20_000)
    expect(recovery).toBeLessThan(5_000)
    await load.stop()
    load.expectPoliteAnswers()
    expect(load.slowestMillis()).toBeLessThan(6_000)
    const { acknowledged, unheard } = await load.expectNothingLost()
    await stopBoth()
    await expectTrueBooks({ ...settings, DATABASE_URL: cluster!.url() })
    tell({
      fault: 'PostgreSQL hangs behind PgBouncer',
      promise: '503 with Retry-After within 6 s, recovery within 5 s, nothing lost',
      seen: `slowest answer ${load.slowestMillis()} ms, first success ${recovery} ms after its return, ${acknowledged} acknowledged and all there, ${unheard} had taken effect unheard`,
    })
  })
})
