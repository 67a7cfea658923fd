// What proofs cost: the appender a request, a stranger's replay of the whole log, and a browser's
// check of fifty packs at a fourth of this machine's speed.

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'
import type { ChainResponse, OddsResponse, OpenPacksResponse } from '@redpack/contract'
import { build } from 'esbuild'
import { pino } from 'pino'
import { openPostgres } from '../server/src/adapters/db/postgres.ts'
import { appendLogEntries } from '../server/src/features/fairness/public-log.ts'
import { median, runLoad } from './load.ts'
import { endBenchmark, writeResults } from './results.ts'
import { prepareScene, randomOpenings, type Scene, usersCount } from './scene.ts'
import { startServer } from './server-process.ts'

const port = 3913
const base = `http://127.0.0.1:${port}`
const wanted = Number(process.env['BENCH_OPENINGS'] ?? 100_000)
const callers = 64
const root = fileURLToPath(new URL('..', import.meta.url))
const log = pino({ level: 'warn' })
const checkRounds = 30
const catchUpMillisMax = 120_000

/** Opens packs one by one until `wanted` requests wait for the log; nobody appends meanwhile. */
async function openMany(scene: Scene): Promise<number> {
  const server = await startServer(scene.url, port, { BENCH_JOBS: 'none' })
  const next = randomOpenings(usersCount, scene.packTypeId, 1)
  let opened = 0
  try {
    while (opened < wanted) {
      opened += (await runLoad({ port, connections: callers, seconds: 3, next })).done
    }
  } finally {
    server.kill()
  }
  return opened
}

/** Appends what waits; answers microseconds a request. */
async function appendAll(scene: Scene): Promise<number> {
  const db = openPostgres({ url: scene.url, connectionsMax: 2, onError: () => undefined })
  // Plans made while the log was empty go through all of what it has become.
  await appendLogEntries({ db, log }, { batches: 2 })
  await scene.query('VACUUM ANALYZE')
  const [rest] = await scene.query<{ requests: number }>(
    "SELECT count(*)::int AS requests FROM log_queue WHERE kind = 'opening'",
  )
  const started = performance.now()
  await appendLogEntries({ db, log })
  const micros = ((performance.now() - started) * 1000) / (rest?.requests ?? 0)
  await db.close()
  return micros
}

/** Whether a checkpoint over everything is served. */
async function isSigned(size: number): Promise<boolean> {
  const answer = await fetch(`${base}/log/checkpoint`, { signal: AbortSignal.timeout(10_000) })
  return answer.ok && Number((await answer.text()).split('\n')[1]) >= size
}

/** Seconds in which a stranger's program fetches, checks and replays the whole log. */
async function replayAll(scene: Scene, folder: string): Promise<number> {
  const server = await startServer(scene.url, port, { LOG_SIGNING_KEY: '10'.repeat(32) })
  try {
    const [row] = await scene.query<{ size: number }>(
      'SELECT count(*)::int AS size FROM log_entries',
    )
    const deadline = performance.now() + catchUpMillisMax
    while (!(await isSigned(row?.size ?? 0))) {
      if (performance.now() > deadline) throw new Error('No checkpoint over all entries')
      await pause(500)
    }
    execFileSync(process.execPath, [join(root, 'tools/offline-tools.mjs'), folder])
    const started = performance.now()
    const state = join(folder, 'state.json')
    const words = [join(folder, 'watch-log.mjs'), base, '--once', '--state', state]
    const watcher = spawn(process.execPath, words, { stdio: 'inherit' })
    const [code] = await once(watcher, 'close')
    if (code !== 0) throw new Error(`The watcher ended with ${code}`)
    return (performance.now() - started) / 1000
  } finally {
    server.kill()
  }
}

/** An opening of fifty packs as a browser sends it, with what it was shown. */
async function fiftyPacks(scene: Scene) {
  const server = await startServer(scene.url, port)
  async function ask<Answer>(path: string, body?: unknown) {
    const headers = { cookie: scene.cookie(0), 'content-type': 'application/json' }
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const signal = AbortSignal.timeout(10_000)
    return (await fetch(`${base}${path}`, { ...init, headers, signal })).json() as Promise<Answer>
  }
  try {
    const packTypeId = scene.packTypeId
    const { tableHash } = await ask<OddsResponse>(`/api/packs/types/${packTypeId}/odds`)
    const { chainId, index, commitment } = await ask<ChainResponse>('/api/fairness')
    const asked = { chainId, index, commitment, entropy: 'ab'.repeat(32), packTypeId, tableHash }
    const { entropy } = asked
    const order = { packTypeId, quantity: 50, oddsHash: tableHash, entropy, commitment }
    const { proof, results } = await ask<OpenPacksResponse>('/api/packs/open', order)
    const table = await ask(`/api/fairness/tables/${tableHash}`)
    const told = { ...proof, results }
    return { asked: { ...asked, quantity: 50 }, told, table: JSON.stringify(table) }
  } finally {
    server.kill()
  }
}

/** Milliseconds that a browser takes to check `opening`: the first time, and usually. */
async function checkInBrowser(opening: unknown) {
  const { outputFiles } = await build({
    stdin: {
      contents: `export { faultOfOpening } from '@redpack/fair/draw'
        export { portableHashing } from '@redpack/fair/hashing'`,
      resolveDir: root,
    },
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'check',
  })
  const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage()
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    await page.addScriptTag({ content: outputFiles[0]?.text ?? '' })
    const measure = `(({ asked, told, table }, rounds) => Array.from({ length: rounds }, () => {
      const started = performance.now()
      const fault = check.faultOfOpening(asked, told, table, check.portableHashing)
      if (fault !== undefined) throw new Error(fault)
      return performance.now() - started
    }))(${JSON.stringify(opening)}, ${checkRounds})`
    const millis = (await page.evaluate(measure)) as number[]
    return { first: millis[0] ?? 0, usual: median(millis) }
  } finally {
    await browser.close()
  }
}

const folder = mkdtempSync(join(tmpdir(), 'redpack-proofs-'))
const scene = await prepareScene()
try {
  const requests = await openMany(scene)
  const appendMicros = await appendAll(scene)
  console.log({ requests, appendMicros })
  const replaySeconds = await replayAll(scene, folder)
  const replaySecondsOf100000 = (replaySeconds * 100_000) / requests
  console.log({ replaySeconds, replaySecondsOf100000 })
  const opening = await fiftyPacks(scene)
  const checkMillis = await checkInBrowser(opening)
  console.log({ checkMillis })
  await writeResults('proofs', { requests, appendMicros, replaySecondsOf100000, checkMillis })
} finally {
  await scene.drop()
  rmSync(folder, { recursive: true, force: true })
}
endBenchmark()
