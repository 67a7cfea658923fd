// The program of the release before: built from the history of this repository.

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))
// Below node_modules, so that it runs with the packages that are installed.
const cache = join(root, 'node_modules/.cache/redpack')
/** Releases that came before this migration have promised nothing. */
const promisedFrom = 16

const git = (...words: string[]): string =>
  execFileSync('git', words, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })

export interface PreviousProgram {
  /** The commit before the newest migration. */
  readonly commit: string
  /** False for a program that refuses every schema newer than its own. */
  readonly mayStartAgain: boolean
}

/** The program before the newest migration, or in words why there is none to try. */
export function findPreviousProgram(): PreviousProgram | string {
  const newest = readdirSync(join(root, 'server/migrations'))
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .at(-1)
  try {
    const added = git('log', '--diff-filter=A', '--format=%H', '--', `server/migrations/${newest}`)
    const [commit = ''] = added.trim().split('\n').slice(-1)
    // A migration that is not committed yet follows the newest commit.
    const before = git('rev-parse', commit === '' ? 'HEAD' : `${commit}^`).trim()
    const known = git('ls-tree', '--name-only', before, 'server/migrations/').trim().split('\n')
    if (known.length < promisedFrom) return 'no migration since the promise was made'
    const migrate = git('show', `${before}:server/src/adapters/db/migrate.ts`)
    return { commit: before, mayStartAgain: migrate.includes("'contract'") }
  } catch {
    return 'no history of the repository'
  }
}

/** Builds it; answers the folder of its repository, which the caller removes. */
export function buildPreviousProgram({ commit }: PreviousProgram): string {
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'previous-'))
  const archive = execFileSync('git', ['archive', '--format=tar', commit], {
    cwd: root,
    maxBuffer: 256 * 1024 * 1024,
  })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  execFileSync(process.execPath, ['tools/build.mjs', 'server'], { cwd: folder, stdio: 'inherit' })
  return folder
}
