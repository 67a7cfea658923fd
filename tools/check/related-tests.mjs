// Which tests a change reaches, nearest first, and how many of them fit into a time.

import { dirname } from 'node:path'
import { readImports } from './imports.mjs'

const testPattern = /\.test\.tsx?$/
/** A test file that was never timed. One of the server loads all of it, and a database. */
const unknownMillis = (file) => (file.startsWith('server/src/features/') ? 10_000 : 4_000)

/** For each source file below `root` those that import it, by paths relative to it. */
export function readImporters(root) {
  const importers = new Map()
  for (const { from, to } of readImports(root)) {
    importers.set(to, (importers.get(to) ?? new Set()).add(from))
  }
  return importers
}

/**
 * The test files that reach a changed file by imports, nearest first; a changed test is nearest of
 * all. Files beside a changed one come before others that are as near.
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
 * Tests that compare what is recorded or generated with what the server says now, or read its
 * sources: nothing in them imports what they depend on.
 */
const importless = [
  { test: 'server/test/recorded-answers.test.ts', of: /^(contract|server)\/(src|migrations)\// },
  { test: 'tools/generated-docs.test.ts', of: /^(contract\/src|server\/migrations)\// },
  { test: 'server/test/data-model.test.ts', of: /^server\/migrations\// },
  { test: 'server/test/statements.test.ts', of: /^server\/migrations\// },
]

/** Tests that a change brings along though they import nothing of it. */
export function broughtAlong(changed) {
  const sources = changed.filter((file) => !testPattern.test(file))
  return importless
    .filter(({ of }) => sources.some((file) => of.test(file)))
    .map(({ test }) => test)
}

/**
 * Splits `tests` at the first that no longer fits into `millisMax` on `workers`, going by how long
 * each took in an earlier run. A first test that takes longer than all the time is left, too. Those
 * of `always` are chosen whatever they take, and take from the time.
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
