// The primary is killed under load and its synchronous standby promoted: what was acknowledged is
// on the standby, and both processes find it by themselves.

import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { freePort } from '../product-process.ts'
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

const recoveryMillisMax = 5_000
const programs = usePrograms('failover')
const clusters: PostgresCluster[] = []

afterEach(async () => {
  await programs.kill()
  for (const cluster of clusters.splice(0)) cluster.remove()
})

async function startBoth(url: string): Promise<Record<string, string>[]> {
  const ports = [await freePort(), await freePort()]
  const all = ports.map((port) => ({
    ...loadSettings({ DATABASE_URL: url }, port, join(programs.folder, `${port}`)),
    PUBLIC_URL: `http://127.0.0.1:${ports[0]}`,
  }))
  for (const settings of all) await programs.start(settings)
  return all
}

async function startPair(): Promise<[PostgresCluster, PostgresCluster]> {
  const primary = await startCluster()
  clusters.push(primary)
  const standby = await startStandby(primary, 'one')
  clusters.push(standby)
  return [primary, standby]
}

/** Promotes it a second later; answers how long the first success after that took. */
async function promote(standby: PostgresCluster, load: KeyedLoad) {
  await pause(1_000)
  standby.promote()
  const promotedMillis = performance.now()
  const recovery = await load.firstSuccessAfter(promotedMillis, 30_000)
  expect(recovery).toBeLessThan(recoveryMillisMax)
  return { promotedMillis, recovery }
}

async function stopBoth(): Promise<void> {
  for (const { child } of programs.running) child.kill('SIGTERM')
  expect(await Promise.all(programs.running.map(({ exit }) => exit))).toEqual([0, 0])
}

describe.skipIf(!hasClusters)('two clusters of PostgreSQL (Debian package postgresql)', () => {
  it('change places under load', async () => {
    const [primary, standby] = await startPair()
    await waitForStandby(primary, 'one')
    // The standby first: a process looks for the one that writes, wherever it stands.
    const hosts = `127.0.0.1:${standby.port},127.0.0.1:${primary.port}`
    const url = `postgres://postgres@${hosts}/redpack?target_session_attrs=read-write`
    const [settings] = await startBoth(url)
    const load = await KeyedLoad.over(programs.running)
    load.start(24)
    await pause(4_000)
    primary.kill()
    const killedMillis = performance.now()
    const { promotedMillis, recovery } = await promote(standby, load)
    await pause(2_000)
    // Comes back as it was, taking writes, since nobody has fenced it off.
    primary.start()
    await pause(3_000)
    await load.stop()
    load.expectPoliteAnswers()
    expect(load.slowestMillis()).toBeLessThan(6_000)
    const { acknowledged, unheard } = await load.expectNothingLost()
    const [strays] = await primary.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_stat_activity
       WHERE datname = 'redpack' AND application_name = 'redpack' AND query <> ''
         AND (query ILIKE '%INSERT%' OR query ILIKE '%COMMIT%')`,
      'postgres',
    )
    expect(strays!.count).toBe(0)
    await stopBoth()
    await expectTrueBooks({ ...settings, DATABASE_URL: standby.url() })
    tell({
      fault: 'the primary is killed under load, its synchronous standby promoted a second later',
      promise: '0 acknowledged lost, the processes find the new primary by themselves',
      seen:
        `${acknowledged} acknowledged and all there, ${unheard} had taken effect unheard; first ` +
        `success ${recovery} ms after the promotion (${Math.round(promotedMillis - killedMillis) + recovery} ms ` +
        'after the kill); the old primary came back and nobody wrote to it',
    })
  })

  it('of which one was demoted while connections to it stay open', async () => {
    const [primary, standby] = await startPair()
    const url = `postgres://postgres@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/redpack`
    const [settings] = await startBoth(url)
    const load = await KeyedLoad.over(programs.running)
    load.start()
    await pause(1_000)
    // Planned: no more writes here, everything sent over, then the other one takes over.
    await primary.query("ALTER SYSTEM SET default_transaction_read_only = 'on'")
    await primary.query('SELECT pg_reload_conf()')
    const { recovery } = await promote(standby, load)
    await load.stop()
    load.expectPoliteAnswers()
    const { acknowledged } = await load.expectNothingLost()
    await stopBoth()
    await expectTrueBooks({ ...settings, DATABASE_URL: standby.url() })
    tell({
      fault: 'the primary is made read-only under load and the standby promoted',
      promise: 'connections to it are thrown away, the new primary is found',
      seen: `first success ${recovery} ms after the promotion, ${acknowledged} acknowledged and all there`,
    })
  })
})
