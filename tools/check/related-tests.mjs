// Which tests a change reaches, nearest first, and how many fit into a time limit.

import { dirname } from 'node:path'
import { readImports } from './imports.mjs'

const testPattern = /\.test\.tsx?$/
/** For test files never timed. Those of the server load all of it, and a database. */
const unknownMillis = (file) => (file.startsWith('server/src/features/') ? 10_000 : 4_000)

/** The importers of each source file below `root`, by relative path. */
export function readImporters(root) {
  const importers = new Map()
  for (const { from, to } of readImports(root)) {
    importers.set(to, (importers.get(to) ?? new Set()).add(from))
  }
  return importers
}

/**
 * The test files that reach a changed file by imports, nearest first; a changed test comes first of
 * all. Of equally near ones, those beside a changed file come first.
 */
export function reachedTests(importers, changed) {
  const distances = new Map(changed.map((file) => [file, 0]))
  const queue = [...changed]
  for (const file of queue) {
    for (const importer of importers.get(file) ?? []) {
      if (distances.has(importer)) continue
      distances.set(importer, distances.get(file) + 1)
      queue.push(importer)
    }
  }
  const folders = new Set(changed.map((file) => dirname(file)))
  const rank = (file) => distances.get(file) * 2 + (folders.has(dirname(file)) ? 0 : 1)
  return queue
    .filter((file) => testPattern.test(file))
    .sort((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1))
}

/**
 * Tests that compare recorded or generated texts with the server's, or read its sources: they do
 * not import what they depend on.
 */
const importless = [
  { test: 'server/test/recorded-answers.test.ts', of: /^(contract|server)\/(src|migrations)\// },
  { test: 'tools/generated-docs.test.ts', of: /^(contract\/src|server\/migrations)\// },
  { test: 'server/test/data-model.test.ts', of: /^server\/migrations\// },
  { test: 'server/test/statements.test.ts', of: /^server\/migrations\// },
]

/** Tests that a change requires though they import nothing of it. */
export function broughtAlong(changed) {
  const sources = changed.filter((file) => !testPattern.test(file))
  return importless
    .filter(({ of }) => sources.some((file) => of.test(file)))
    .map(({ test }) => test)
}

/**
 * Splits `tests` at the first that no longer fits into `millisMax` on `workers`, by how long each
 * took in an earlier run. Even the first test is left if it takes longer than that. Those of
 * `always` are chosen in any case, and their time counts.
 */
export function fitInto(tests, millisOf, millisMax, { always = [], workers = 2 } = {}) {
  const millisFor = (test) => millisOf(test) ?? unknownMillis(test)
  const chosen = [...always]
  const left = []
  let millis = always.reduce((sum, test) => sum + millisFor(test), 0)
  for (const test of tests.filter((one) => !always.includes(one))) {
    const more = millisFor(test)
    if (millis + more <= millisMax * workers && more <= millisMax) {
      chosen.push(test)
      millis += more
    } else {
      left.push(test)
    }
  }
  return { chosen, left }
}
