// A database that keeps its connections and answers nothing, and one that goes and comes back.

import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { freePort, type ProductProcess } from '../product-process.ts'
import { usePrograms } from '../programs.ts'
import { expectTrueBooks, tell } from './fault-table.ts'
import { KeyedLoad, loadSettings, pause } from './keyed-load.ts'
import {
  hasClusters,
  type PostgresCluster,
  startCluster,
  startStandby,
  waitForStandby,
} from './postgres-cluster.ts'
import { type SwallowingProxy, startSwallowingProxy } from './swallowing-proxy.ts'

const answerMillisMax = 6_000
const recoveryMillisMax = 5_000
const stopMillisMax = 10_000

const programs = usePrograms('hung')
let clusters: PostgresCluster[] = []
let product: ProductProcess | undefined
let proxy: SwallowingProxy | undefined
let settings: Record<string, string> = {}

afterEach(async () => {
  await programs.kill()
  await proxy?.close()
  for (const cluster of clusters.splice(0)) cluster.remove()
  proxy = undefined
})

async function startProduct(url: string): Promise<KeyedLoad> {
  const dataDir = mkdtempSync(join(programs.folder, 'data-'))
  settings = loadSettings({ DATABASE_URL: url }, await freePort(), dataDir)
  product = await programs.start(settings)
  return KeyedLoad.over([product])
}

/** Answers how long a stop took, in milliseconds; it must end well. */
async function stop(): Promise<number> {
  const startMillis = performance.now()
  product!.child.kill('SIGTERM')
  expect([await product!.exit, product!.errors().includes('The stop failed')]).toEqual([0, false])
  const millis = Math.round(performance.now() - startMillis)
  expect(millis).toBeLessThan(stopMillisMax)
  return millis
}

/** Status of the question of a supervisor, and how long it took. */
async function readiness(): Promise<{ status: number; millis: number }> {
  const startMillis = performance.now()
  const { status } = await fetch(`${product!.url}/health/ready`)
  return { status, millis: performance.now() - startMillis }
}

/** Freezes what the database is, looks at it for a while, and thaws it under load. */
async function hang(load: KeyedLoad, freeze: () => void, thaw: () => void) {
  load.start()
  await pause(2_000)
  freeze()
  const frozenMillis = performance.now()
  await pause(7_000)
  const ready = await readiness()
  expect(ready.status).toBe(503)
  expect(ready.millis).toBeLessThan(answerMillisMax)
  await pause(3_000)
  expect(load.statuses(frozenMillis)[503]).toBeGreaterThan(10)
  const thawedMillis = performance.now()
  thaw()
  const recovery = await load.firstSuccessAfter(thawedMillis, 20_000)
  expect(recovery).toBeLessThan(recoveryMillisMax)
  await pause(1_000)
  await load.stop()
  load.expectPoliteAnswers()
  expect(load.slowestMillis()).toBeLessThan(answerMillisMax)
  const { acknowledged, unheard } = await load.expectNothingLost()
  return { recovery, slowest: load.slowestMillis(), acknowledged, unheard }
}

type Played = Awaited<ReturnType<typeof hang>>
const seenOf = ({ recovery, slowest, acknowledged, unheard }: Played) =>
  `slowest answer ${slowest} ms, first success ${recovery} ms after its return, ` +
  `${acknowledged} acknowledged and all there, ${unheard} had taken effect unheard`
const promise =
  '503 with Retry-After within 6 s, recovery within 5 s without a restart, nothing lost'

describe.skipIf(!hasClusters)('a PostgreSQL of its own (Debian package postgresql)', () => {
  it('is frozen under load, thawed, and frozen while the product stops', async () => {
    const cluster = await startCluster()
    clusters = [cluster]
    const load = await startProduct(cluster.url())
    const played = await hang(load, cluster.freeze, cluster.thaw)
    load.start()
    await pause(500)
    cluster.freeze()
    await pause(300)
    const stopMillis = await stop()
    await load.stop()
    cluster.thaw()
    await expectTrueBooks(settings)
    tell({
      fault: 'PostgreSQL hangs under load (SIGSTOP), and again while the product stops',
      promise: `${promise}; stop within 10 s`,
      seen: `${seenOf(played)}; stopped in ${stopMillis} ms`,
    })
  })

  it('is reached through a network that swallows everything', async () => {
    const cluster = await startCluster()
    clusters = [cluster]
    proxy = await startSwallowingProxy(cluster.port)
    const load = await startProduct(`postgres://postgres@127.0.0.1:${proxy.port}/redpack`)
    const played = await hang(load, proxy.swallow, proxy.passAgain)
    await stop()
    await expectTrueBooks({ ...settings, DATABASE_URL: cluster.url() })
    tell({
      fault: 'the network to PostgreSQL swallows every packet',
      promise,
      seen: seenOf(played),
    })
  })

  it('must wait for a standby that is away', async () => {
    const primary = await startCluster()
    clusters = [primary]
    const standby = await startStandby(primary, 'one')
    clusters.push(standby)
    await waitForStandby(primary, 'one')
    const load = await startProduct(primary.url())
    const started = performance.now()
    load.start()
    await pause(2_000)
    standby.freeze()
    await pause(9_000)
    const beforeReads = performance.now()
    await pause(2_000)
    const reads = load.seen.filter(
      ({ path, status, startMillis }) =>
        path === '/api/user/packs' && status === 200 && startMillis > beforeReads,
    ).length
    expect(reads).toBeGreaterThan(20)
    const [held] = await primary.query<{ backends: number }>(
      "SELECT count(*)::int AS backends FROM pg_stat_activity WHERE datname = 'redpack'",
      'postgres',
    )
    const thawedMillis = performance.now()
    standby.thaw()
    const recovery = await load.firstSuccessAfter(thawedMillis, 20_000)
    expect(recovery).toBeLessThan(recoveryMillisMax)
    await load.stop()
    load.expectPoliteAnswers()
    expect(load.slowestMillis()).toBeLessThan(answerMillisMax)
    expect(Object.keys(load.statuses(started))).toContain('503')
    // Commits that were given up go on waiting in the server; they must not become more and more.
    expect(held!.backends).toBeLessThan(20)
    const { acknowledged, unheard } = await load.expectNothingLost()
    await stop()
    await expectTrueBooks(settings)
    tell({
      fault: 'commits wait for a synchronous standby that is away',
      promise: `${promise}; reads go on`,
      seen:
        `${seenOf({ recovery, slowest: load.slowestMillis(), acknowledged, unheard })}; ` +
        `${reads} reads in 2 s meanwhile, ${held!.backends} server connections`,
    })
  })

  it('is restarted under load, once with grace and once by a crash', async () => {
    const cluster = await startCluster()
    clusters = [cluster]
    const load = await startProduct(cluster.url())
    load.start()
    const recoveries: number[] = []
    for (const mode of ['fast', 'immediate'] as const) {
      await pause(1_500)
      cluster.stop(mode)
      await pause(1_000)
      cluster.start()
      recoveries.push(await load.firstSuccessAfter(performance.now(), 20_000))
    }
    expect(Math.max(...recoveries)).toBeLessThan(recoveryMillisMax)
    await load.stop()
    load.expectPoliteAnswers()
    const { acknowledged, unheard } = await load.expectNothingLost()
    await stop()
    await expectTrueBooks(settings)
    tell({
      fault: 'PostgreSQL is restarted under load (fast, immediate)',
      promise,
      seen: seenOf({
        recovery: Math.max(...recoveries),
        slowest: load.slowestMillis(),
        acknowledged,
        unheard,
      }),
    })
  })
})
