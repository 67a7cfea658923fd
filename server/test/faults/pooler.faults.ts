// Two processes behind a real PgBouncer in transaction mode: nothing may rely on the session.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildServer, freePort, type ProductProcess, startProgram } from '../product-process.ts'
import { Browser } from '../sign-in.ts'
import { expectTrueBooks, tell } from './fault-table.ts'
import { KeyedLoad, keeperPassword, loadSettings } from './keyed-load.ts'
import { type PgBouncer, pgbouncerVersion, startPgBouncer } from './pgbouncer.ts'
import { hasClusters, type PostgresCluster, startCluster } from './postgres-cluster.ts'

const isInstalled = hasClusters && pgbouncerVersion !== undefined
const folder = mkdtempSync(join(tmpdir(), 'redpack-pooler-'))
const pause = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

let cluster: PostgresCluster | undefined
let pooler: PgBouncer | undefined
let processes: ProductProcess[] = []

/** Starts two processes, one after the other so that the first migrates. */
async function startBoth(database: Record<string, string>): Promise<Record<string, string>> {
  const port = await freePort()
  const first = loadSettings(database, port, join(folder, '0'))
  const second = {
    ...loadSettings(database, await freePort(), join(folder, '1')),
    // As behind one proxy: browsers know one address, whoever answers.
    PUBLIC_URL: `http://127.0.0.1:${port}`,
  }
  for (const settings of [first, second]) {
    const product = startProgram('main', settings)
    processes.push(product)
    await product.ready()
  }
  return first
}

async function stopBoth(): Promise<void> {
  for (const { child } of processes) child.kill('SIGTERM')
  expect(await Promise.all(processes.map(({ exit }) => exit))).toEqual([0, 0])
  processes = []
}

/** Milliseconds until the second process shows what the keeper has named on the first. */
async function newsReachesTheOther(): Promise<number> {
  const [one, other] = processes.map(({ url }) => new Browser(url))
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ username: 'keeper', password: keeperPassword })
  await one!.open('/api/auth/local', { method: 'POST', headers, body })
  for (const [name, value] of one!.cookies) other!.cookies.set(name, value)
  const socket = new WebSocket(`${processes[1]!.url.replace('http', 'ws')}/ws`, {
    headers: { cookie: [...other!.cookies].map((pair) => pair.join('=')).join('; ') },
  } as never)
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }))
  socket.close()
  return 0
}

describe.skipIf(!isInstalled)('PgBouncer in transaction mode (Debian package pgbouncer)', () => {
  beforeAll(async () => {
    await buildServer()
    cluster = await startCluster()
    pooler = await startPgBouncer(cluster.port)
  })
  afterAll(async () => {
    for (const { child, exit } of processes) {
      child.kill('SIGKILL')
      await exit
    }
    await pooler?.close()
    cluster?.remove()
    rmSync(folder, { recursive: true, force: true })
  })
})
