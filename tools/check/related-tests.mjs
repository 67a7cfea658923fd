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
 * Tests that a change brings along though nothing in them imports it: they compare what is recorded
 * or generated with what the server says now, or read its sources.
 */
export function broughtAlong(changed) {
  const isTouched = (pattern) =>
    changed.some((file) => pattern.test(file) && !testPattern.test(file))
  return [
    ...(isTouched(/^(contract|server)\/(src|migrations)\//)
      ? ['server/test/recorded-answers.test.ts']
      : []),
    ...(isTouched(/^(contract\/src|server\/migrations)\//) ? ['tools/generated-docs.test.ts'] : []),
    ...(isTouched(/^server\/migrations\//)
      ? ['server/test/data-model.test.ts', 'server/test/statements.test.ts']
      : []),
  ]
}

/**
 * Splits `tests` at the first that no longer fits into `millisMax` on `workers`, going by how long
 * each took in an earlier run. A first test that takes longer than all the time is left, too, but
 * not one of `always`.
 */
export function fitInto(tests, millisOf, millisMax, { always = [], workers = 2 } = {}) {
  const chosen = [...always]
  const left = []
  let millis = 0
  for (const test of tests.filter((one) => !always.includes(one))) {
    const more = millisOf(test) ?? unknownMillis(test)
    if (millis + more <= millisMax * workers && more <= millisMax) {
      chosen.push(test)
      millis += more
    } else {
      left.push(test)
    }
  }
  return { chosen, left }
}
