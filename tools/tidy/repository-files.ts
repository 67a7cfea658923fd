// The files of the repository, except installed, built, measured and private ones.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const repositoryRoot = fileURLToPath(new URL('../..', import.meta.url))

/** What .gitignore leaves out, by name. A walk also works where there is no git. */
const ignoredNames = new Set([
  'node_modules',
  'dist',
  'data',
  'coverage',
  'test-results',
  'playwright-report',
  '.cache',
  '.git',
  '.env',
])

/** Paths below the root, with slashes, in a fixed order. */
export function repositoryFiles(root: string = repositoryRoot): string[] {
  const found: string[] = []
  const walk = (folder: string): void => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      if (ignoredNames.has(entry.name) || /\.(log|tmp)$/.test(entry.name)) continue
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) walk(path)
      else if (entry.isFile()) found.push(path)
    }
  }
  walk('')
  return found.sort()
}
