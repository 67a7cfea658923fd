// Which files are product and which are tests, how many lines they have, and which differ from the
// main branch.

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../install.mjs'
import { roomOf } from './import-graph.mjs'

const counted = /\.(ts|tsx|mjs|css|sql)$/
const house = /^(contract|fair|server|web|tools|sandbox|bench|e2e|simulation)\/|^[^/]+$/
const tests = /\.(test|spec|faults|fixture)\.|^(server\/test|web\/test|e2e|simulation)\//

/** Checks the product and is not part of it. */
export const isTest = (file) => counted.test(file) && house.test(file) && tests.test(file)

/** Has hand-written lines that are not a test. */
export const isProduct = (file) => counted.test(file) && house.test(file) && !tests.test(file)

export const countLines = (text) => text.split('\n').length - 1

const git = (...words) =>
  execFileSync('git', words, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 100_000_000,
    stdio: ['ignore', 'pipe', 'ignore'],
  })

/** Lines that changes since commit `base` add to product and tests, by room. */
export function addedLines(files, base) {
  const rooms = new Map()
  for (const file of files.filter((one) => isProduct(one) || isTest(one))) {
    const room = rooms.get(roomOf(file)) ?? { product: 0, tests: 0 }
    room[isTest(file) ? 'tests' : 'product'] += linesNow(file) - linesAt(base, file)
    rooms.set(roomOf(file), room)
  }
  return rooms
}

const linesNow = (file) =>
  existsSync(join(root, file)) ? countLines(readFileSync(join(root, file), 'utf8')) : 0

function linesAt(base, file) {
  try {
    return countLines(git('show', `${base}:${file}`))
  } catch {
    return 0
  }
}

/** The commit of CHECK_BASE, or where this branch left the main one, or the last commit. */
export function baseCommit() {
  const named = process.env['CHECK_BASE']
  if (named) return named
  for (const line of ['origin/main', 'main']) {
    try {
      return git('merge-base', 'HEAD', line).trim()
    } catch {
      // This clone has no such branch.
    }
  }
  return 'HEAD'
}

/**
 * Changed files, including removed ones; `undefined` without git or outside a repository.
 */
export function changedFiles() {
  try {
    const base = baseCommit()
    const changed = git('diff', '--name-only', '--no-renames', '-z', base)
    const added = git('ls-files', '--others', '--exclude-standard', '-z')
    return [...new Set(`${changed}${added}`.split('\0').filter((file) => file !== ''))].sort()
  } catch {
    return undefined
  }
}
