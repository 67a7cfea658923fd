// Runs the steps of the checks, shows them, and counts the results of the tests.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { keepTestTimes } from './check/test-times.mjs'
import { root } from './install.mjs'

const bin = (path) => join(root, 'node_modules', path)

/** Runs a Node script in the repository; true if it succeeded. */
export async function runNode(words, env = {}) {
  const child = spawn(process.execPath, words, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  const [status] = await once(child, 'close')
  return status === 0
}

/** A workspace and those whose sources its own compilation reads. */
const typedFrom = {
  contract: ['contract'],
  fair: ['fair'],
  server: ['server', 'sandbox', 'contract', 'tools', 'bench', 'simulation'],
  web: ['web', 'contract'],
  sandbox: ['sandbox', 'contract'],
  e2e: ['e2e', 'contract'],
}

const lintStep = {
  title: 'Format and lint',
  words: [bin('@biomejs/biome/bin/biome'), 'ci', '--colors=off', '.'],
}

function typeStep(workspace) {
  const state = join(root, 'node_modules/.cache/redpack/types', `${workspace}.tsbuildinfo`)
  const words = ['-p', `${workspace}/tsconfig.json`, '--incremental', '--tsBuildInfoFile', state]
  return { title: `Types of ${workspace}`, words: [bin('typescript-native/bin/tsc'), ...words] }
}

/**
 * Format, lint and types: of everything, or of what reads a changed file. A change outside the
 * workspaces may be a setting of any of them.
 */
export function quickSteps(changed) {
  const isRead = (folders) =>
    changed === undefined ||
    changed.some((file) => {
      const folder = file.split('/')[0] ?? ''
      return folders.includes(folder) || /^(tsconfig.*|package.*)\.json$/.test(file)
    })
  const typed = Object.entries(typedFrom).filter(([, folders]) => isRead(folders))
  return [lintStep, ...typed.map(([workspace]) => typeStep(workspace))]
}

const times = []

/** Runs `work` under a headline and remembers how long it took. */
export async function timed(title, work) {
  console.log(`\n== ${title}`)
  const start = performance.now()
  const answer = await work()
  times.push({ title, seconds: (performance.now() - start) / 1000 })
  return answer
}

/** Prints how long each step took, in the order of ending, and the total. */
export function printTimes() {
  const whole = { title: 'Altogether', seconds: performance.now() / 1000 }
  for (const { title, seconds } of [...times, whole]) {
    console.log(`${seconds.toFixed(1).padStart(7)} s  ${title}`)
  }
}

/**
 * Runs the steps, two at a time where nothing else runs, since each keeps one core busy, and
 * continues after a failure. The output of a step is shown when it ends. Returns the titles of
 * those that failed.
 */
export async function runSteps(steps, { lanes = 2, show = console.log } = {}) {
  const waiting = [...steps]
  const failed = []
  const lane = async () => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      const start = performance.now()
      const { isWell, output } = await captured(step.words)
      show(`\n== ${step.title}\n${output}`.trimEnd())
      times.push({ title: step.title, seconds: (performance.now() - start) / 1000 })
      if (!isWell) failed.push(step.title)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return failed
}

function captured(words) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, words, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const add = (chunk) => {
      output += chunk
    }
    child.stdout.on('data', add)
    child.stderr.on('data', add)
    child.once('close', (status) => resolve({ isWell: status === 0, output }))
  })
}

const failedTests = []

/**
 * Ends a run with its totals. Repeats which tests failed, each with the first line of its message,
 * and what was skipped, since people read and keep the end of a long run.
 */
export function endTests(counts, skipped = [], failedSteps = []) {
  for (const { name, said } of failedTests) console.log(`Failed: ${name}\n        ${said}`)
  for (const title of failedSteps) console.log(`Failed: ${title}`)
  for (const line of skipped) console.log(`Skipped: ${line}`)
  const sum = (key) => counts.reduce((total, count) => total + count[key], 0)
  const failed = sum('failed') + failedSteps.length
  const more = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : ''
  console.log(`${sum('passed')} passed, ${failed} failed${more}`)
  process.exit(failed === 0 ? 0 : 1)
}

const firstLine = (text) =>
  String(text ?? '')
    .split('\n')[0]
    .slice(0, 300)

/** Runs all Vitest tests, or those of the given words; returns the counts. */
export function runVitest(words = [], env = {}) {
  return counted(
    'vitest.json',
    (file) => {
      const script = bin('vitest/vitest.mjs')
      const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
      return runNode([script, 'run', ...reporters, ...words], env)
    },
    (report) => {
      keepTestTimes(report)
      failedTests.push(...failedOfVitest(report))
      return {
        passed: report.numPassedTests,
        // A file that could not be loaded has no failed test of its own.
        failed: Math.max(report.numFailedTests, report.numFailedTestSuites > 0 ? 1 : 0),
        skipped: report.numPendingTests + report.numTodoTests,
      }
    },
  )
}

/** The failed tests of a report, and the files that could not be loaded. */
function failedOfVitest({ testResults }) {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name)
    const failed = assertionResults
      .filter((test) => test.status === 'failed')
      .map((test) => ({
        name: `${file} › ${test.fullName}`,
        said: firstLine(test.failureMessages[0]),
      }))
    const isUnread = status === 'failed' && failed.length === 0
    return isUnread ? [{ name: file, said: firstLine(message) }] : failed
  })
}

/** Plays the faults of a real installation and prints a table of the results. */
export async function runFaults(words = []) {
  const folder = mkdtempSync(join(tmpdir(), 'redpack-faults-'))
  const table = join(folder, 'table.jsonl')
  try {
    const counts = await runVitest(['--config', 'vitest.faults.config.ts', ...words], {
      FAULT_TABLE: table,
    })
    if (existsSync(table)) printFaults(readFileSync(table, 'utf8').trim().split('\n'))
    return counts
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function printFaults(lines) {
  for (const { fault, promise, seen } of lines.map((line) => JSON.parse(line))) {
    console.log(`\nFault    ${fault}\nPromise  ${promise}\nSeen     ${seen}`)
  }
  console.log('')
}

/** Runs the browser journeys against the built product. */
export function runPlaywright(words = [], env = {}) {
  return counted(
    'playwright.json',
    (file) =>
      runNode([bin('@playwright/test/cli.js'), 'test', '--reporter=list,json', ...words], {
        PLAYWRIGHT_JSON_OUTPUT_NAME: file,
        CHROMIUM_PATH: findHeadlessShell() ?? '',
        WHOLE_CHROMIUM_PATH: findChromium() ?? '',
        ...env,
      }),
    ({ stats, suites }) => {
      failedTests.push(...failedOfPlaywright(suites))
      return {
        passed: stats.expected + stats.flaky,
        failed: stats.unexpected,
        skipped: stats.skipped,
      }
    },
  )
}

function failedOfPlaywright(suites) {
  return suites.flatMap(({ file, specs = [], suites: inner = [] }) => [
    ...specs
      .filter(({ ok }) => !ok)
      .map(({ title, tests }) => ({
        name: `e2e/${file} › ${title}`,
        said: firstLine(tests[0]?.results[0]?.error?.message),
      })),
    ...failedOfPlaywright(inner),
  ])
}

/** A run that fails without a count of failed tests counts as one failure. */
async function counted(name, run, read) {
  const folder = mkdtempSync(join(tmpdir(), 'redpack-tests-'))
  const file = join(folder, name)
  try {
    const isWell = await run(file)
    if (!existsSync(file)) return { passed: 0, failed: 1, skipped: 0 }
    const counts = read(JSON.parse(readFileSync(file, 'utf8')))
    return !isWell && counts.failed === 0 ? { ...counts, failed: 1 } : counts
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The Chromium of this machine; none is downloaded. */
export function findChromium() {
  return firstBrowser(['chromium', 'chromium-browser', 'google-chrome'])
}

/**
 * The browser of the journeys: Chromium without its window (decision 77), or else all of Chromium,
 * as always under `npm run test:faults`.
 */
export function findHeadlessShell() {
  return firstBrowser(['chromium-headless-shell']) ?? findChromium()
}

function firstBrowser(names) {
  const named = process.env['CHROMIUM_PATH']
  const usual = names.map((name) => `/usr/bin/${name}`)
  return [...(named ? [named] : []), ...usual].find((path) => existsSync(path))
}

/** True if there is a Python that runs the second implementation of the draw. */
export function hasPython() {
  const tooOld = 'import sys; sys.exit(sys.version_info < (3, 9))'
  return spawnSync('python3', ['-c', tooOld]).status === 0
}

/** True if something accepts connections at the address. */
export function isReachable(url, defaultPort) {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect(Number(port || defaultPort), hostname)
    const finish = (answer) => {
      socket.destroy()
      resolve(answer)
    }
    socket.setTimeout(2_000, () => finish(false))
    socket.once('connect', () => finish(true)).once('error', () => finish(false))
  })
}
