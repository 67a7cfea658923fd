// Runs the steps of the checks one after the other, shows them, and counts what the tests say.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './install.mjs'

const bin = (path) => join(root, 'node_modules', path)

/** Runs a script of Node in the repository; true when it ended well. */
export function runNode(words, env = {}) {
  const { status } = spawnSync(process.execPath, words, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  return status === 0
}

/** Each step of the quick part: a title and what it runs. */
export const quickSteps = [
  { title: 'Format and lint', run: () => runNode([bin('@biomejs/biome/bin/biome'), 'ci', '.']) },
  ...['contract', 'server', 'web', 'sandbox', 'e2e'].map((workspace) => ({
    title: `Types of ${workspace}`,
    run: () => runNode([bin('typescript/bin/tsc'), '-p', `${workspace}/tsconfig.json`]),
  })),
]

/** Runs the steps in order and goes on after a failure. Answers the titles of those that failed. */
export function runSteps(steps) {
  return steps
    .filter(({ title, run }) => {
      console.log(`\n== ${title}`)
      return !run()
    })
    .map(({ title }) => title)
}

/** Runs the tests of Vitest, all of them or those of the given words; answers the counts. */
export function runVitest(words = [], env = {}) {
  return counted(
    'vitest.json',
    (file) => {
      const script = bin('vitest/vitest.mjs')
      const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
      return runNode([script, 'run', ...reporters, ...words], env)
    },
    ({ numPassedTests, numFailedTests, numPendingTests, numTodoTests, numFailedTestSuites }) => ({
      passed: numPassedTests,
      // A file that could not be loaded has no failed test of its own.
      failed: Math.max(numFailedTests, numFailedTestSuites > 0 ? 1 : 0),
      skipped: numPendingTests + numTodoTests,
    }),
  )
}

/** Plays the faults of a real installation and prints the table of what was seen. */
export function runFaults(words = []) {
  const folder = mkdtempSync(join(tmpdir(), 'redpack-faults-'))
  const table = join(folder, 'table.jsonl')
  try {
    const counts = runVitest(['--config', 'vitest.faults.config.ts', ...words], {
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
export function runPlaywright(words = []) {
  return counted(
    'playwright.json',
    (file) =>
      runNode([bin('@playwright/test/cli.js'), 'test', '--reporter=list,json', ...words], {
        PLAYWRIGHT_JSON_OUTPUT_NAME: file,
        CHROMIUM_PATH: findChromium() ?? '',
      }),
    ({ stats }) => ({
      passed: stats.expected + stats.flaky,
      failed: stats.unexpected,
      skipped: stats.skipped,
    }),
  )
}

/** A run that ends badly without saying how many tests failed counts as one failure. */
function counted(name, run, read) {
  const folder = mkdtempSync(join(tmpdir(), 'redpack-tests-'))
  const file = join(folder, name)
  try {
    const isWell = run(file)
    if (!existsSync(file)) return { passed: 0, failed: 1, skipped: 0 }
    const counts = read(JSON.parse(readFileSync(file, 'utf8')))
    return !isWell && counts.failed === 0 ? { ...counts, failed: 1 } : counts
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The Chromium of this machine; none is downloaded. */
export function findChromium() {
  const named = process.env['CHROMIUM_PATH']
  const usual = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
  return [...(named ? [named] : []), ...usual].find((path) => existsSync(path))
}

/** True when there is a Python that the second implementation of the draw runs on. */
export function hasPython() {
  const tooOld = 'import sys; sys.exit(sys.version_info < (3, 9))'
  return spawnSync('python3', ['-c', tooOld]).status === 0
}

/** True when something accepts connections at the address. */
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
