// What Lighthouse says of five screens on a phone: scores, and the paints and shifts behind them.
// Lighthouse is 180 MB with all that it brings, so it is used where it is and not installed here.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type BrowserContext, chromium } from '@playwright/test'
import { blockedByProcessor, type TraceEvent } from './blocking.ts'
import { median } from './load.ts'
import { endBenchmark, writeResults } from './results.ts'

const port = 3904
const debuggingPort = 3905
const base = `http://127.0.0.1:${port}`
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3)
const root = fileURLToPath(new URL('..', import.meta.url))
const screens = ['/', '/dashboard', '/inventory', '/leaderboard', '/twitch-streams']
/** Somebody of the demo's story who holds packs and has opened some. */
const player = 'PixelOtter'

/** As much of a report as is read here. */
interface Report {
  readonly categories: Readonly<Record<string, { readonly score: number | null }>>
  readonly audits: Readonly<Record<string, { readonly numericValue?: number }>>
  /** `benchmarkIndex` is how fast it finds the machine: 1,500 to 2,000 is a good desktop. */
  readonly environment: { readonly benchmarkIndex: number }
}

interface Artifacts {
  readonly Trace: { readonly traceEvents: readonly TraceEvent[] }
}

type Lighthouse = (
  address: string,
  options: {
    readonly port: number
    readonly logLevel: 'error'
    readonly onlyCategories?: readonly string[]
    readonly onlyAudits?: readonly string[]
  },
) => Promise<{ readonly lhr: Report; readonly artifacts: Artifacts } | undefined>

const figures = {
  firstPaintMillis: 'first-contentful-paint',
  largestPaintMillis: 'largest-contentful-paint',
  blockedMillis: 'total-blocking-time',
  layoutShift: 'cumulative-layout-shift',
}
/** All that the score of performance is made of. */
const felt = { onlyAudits: [...Object.values(figures), 'speed-index'] }
const looked = { onlyCategories: ['accessibility', 'best-practices'] }

/** Lighthouse as it stands in `LIGHTHOUSE_FOLDER`; undefined where it does not. */
async function findLighthouse(): Promise<Lighthouse | undefined> {
  const folder = process.env['LIGHTHOUSE_FOLDER'] ?? root
  try {
    const file = createRequire(join(folder, 'package.json')).resolve('lighthouse')
    return ((await import(pathToFileURL(file).href)) as { readonly default: Lighthouse }).default
  } catch {
    return undefined
  }
}

async function startProduct(folder: string): Promise<ChildProcess> {
  const server = spawn(process.execPath, [join(root, 'server/dist/main.js')], {
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: folder,
      LOG_LEVEL: 'error',
      PORT: String(port),
      RATE_LIMITS: 'off',
      SANDBOX: 'on',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for (let text = ''; !text.includes('is ready'); ) {
    const [chunk] = (await once(server.stdout, 'data')) as [Buffer]
    text += chunk.toString()
  }
  return server
}

/**
 * Each look has a browser of its own: tracing begins by going through all code that a process of
 * it holds from pages before, 100 ms that would count as 350 of the page at a phone's speed.
 */
async function withBrowser<Result>(
  folder: string,
  work: (browser: BrowserContext) => Promise<Result>,
): Promise<Result> {
  const browser = await chromium.launchPersistentContext(folder, {
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', `--remote-debugging-port=${debuggingPort}`],
  })
  try {
    return await work(browser)
  } finally {
    await browser.close()
  }
}

/** As a person does it, so that the browser remembers what it would remember. */
async function signIn(browser: BrowserContext): Promise<void> {
  const page = await browser.newPage()
  await page.goto(`${base}/api/auth/twitch`)
  await page.getByRole('button', { name: player }).click()
  await page.waitForURL('**/dashboard')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.close()
}

async function look(lighthouse: Lighthouse, screen: string, folder: string) {
  const report = async (which: typeof felt | typeof looked) => {
    const options = { port: debuggingPort, logLevel: 'error', ...which } as const
    const result = await withBrowser(folder, () => lighthouse(`${base}${screen}`, options))
    if (!result) throw new Error(`No report on ${screen}`)
    return result
  }
  const reports: Report[] = []
  const blocked: number[] = []
  while (reports.length < rounds) {
    const { lhr, artifacts } = await report(felt)
    reports.push(lhr)
    blocked.push(blockedByProcessor(artifacts.Trace.traceEvents, base))
  }
  const { lhr: other } = await report(looked)
  const score = (name: string, of: readonly Report[]) =>
    median(of.map(({ categories }) => Math.round((categories[name]?.score ?? 0) * 100)))
  const figure = (name: string) => {
    const value = median(reports.map((report) => report.audits[name]?.numericValue ?? Number.NaN))
    return Number(value.toFixed(name === figures.layoutShift ? 4 : 0))
  }
  const row = {
    screen,
    scores: [
      score('performance', reports),
      ...looked.onlyCategories.map((name) => score(name, [other])),
    ].join(' / '),
    ...Object.fromEntries(Object.entries(figures).map(([key, name]) => [key, figure(name)])),
    blockedByProcessorMillis: Math.round(median(blocked)),
    benchmarkIndex: Math.round(median(reports.map((report) => report.environment.benchmarkIndex))),
    load: Number(loadavg()[0]?.toFixed(1)),
  }
  console.log(row)
  return row
}

async function run(lighthouse: Lighthouse): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'redpack-lighthouse-'))
  const server = await startProduct(join(folder, 'data'))
  const profile = join(folder, 'browser')
  try {
    const rows = []
    for (const screen of screens) {
      if (rows.length === 1) await withBrowser(profile, signIn)
      rows.push(await look(lighthouse, screen, profile))
    }
    await writeResults('lighthouse', { rounds, rows })
  } finally {
    server.kill()
    await once(server, 'exit')
    rmSync(folder, { recursive: true, force: true })
  }
}

const found = await findLighthouse()
if (found) await run(found)
else {
  console.log('Lighthouse is not here. Put it into any folder, and name the folder:')
  console.log('  npm install --prefix FOLDER lighthouse@12.8.2')
  console.log('  LIGHTHOUSE_FOLDER=FOLDER npm run bench -- lighthouse')
}
endBenchmark()
