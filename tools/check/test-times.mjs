// How long each test file last took on this machine.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { root } from '../install.mjs'

const timesFile = join(root, 'node_modules/.cache/redpack/test-times.json')
/** Time to start a worker and load the program, besides the tests of a file. */
const loadMillis = 2_000

/** Milliseconds by path of the test file, except those that never ran here. */
export function readTestTimes() {
  try {
    return JSON.parse(readFileSync(timesFile, 'utf8'))
  } catch {
    return {}
  }
}

/** Stores the times of Vitest's JSON report; files that did not run keep theirs. */
export function keepTestTimes({ testResults }) {
  const times = readTestTimes()
  for (const { name, startTime, endTime } of testResults) {
    const file = relative(root, name).split(sep).join('/')
    times[file] = Math.round(endTime - startTime) + loadMillis
  }
  mkdirSync(dirname(timesFile), { recursive: true })
  writeFileSync(timesFile, JSON.stringify(times, undefined, 1))
}
