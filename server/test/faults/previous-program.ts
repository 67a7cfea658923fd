// The program of the release before: built from the history of this repository.

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))
// Below node_modules, so that it runs with the packages that are installed.
const cache = join(root, 'node_modules/.cache/redpack')
/** The baseline of version 1.0: no program was released before it. */
const lastOfBaseline = 12

const git = (...words: string[]): string =>
  execFileSync('git', words, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })

export interface PreviousProgram {
  /** The commit before the newest migration. */
  readonly commit: string
}

/** The program before the newest migration, or in words why there is none to try. */
export function findPreviousProgram(): PreviousProgram | string {
  const newest = readdirSync(join(root, 'server/migrations'))
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .at(-1)
  if (Number(newest?.slice(0, 4)) <= lastOfBaseline) return 'no migration since version 1.0'
  try {
    const added = git('log', '--diff-filter=A', '--format=%H', '--', `server/migrations/${newest}`)
    const [commit = ''] = added.trim().split('\n').slice(-1)
    // A migration that is not committed yet follows the newest commit.
    return { commit: git('rev-parse', commit === '' ? 'HEAD' : `${commit}^`).trim() }
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
