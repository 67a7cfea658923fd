// What differs from the main line: committed on this branch, not committed, or new.

import { execFileSync } from 'node:child_process'
import { root } from '../install.mjs'

const git = (...words) =>
  execFileSync('git', words, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })

/** The commit of CHECK_BASE, or where this branch left the main line, or the last commit. */
export function baseCommit() {
  const named = process.env['CHECK_BASE']
  if (named) return named
  for (const line of ['origin/main', 'main']) {
    try {
      return git('merge-base', 'HEAD', line).trim()
    } catch {
      // There is no such line in this clone.
    }
  }
  return 'HEAD'
}

/**
 * Changed files, removed ones included. Without git, or in a copy that is no repository, nothing
 * is known and `undefined` is answered.
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
