// Two releases that follow each other, built from the history of this repository.

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { lastOfBaseline } from '../../../tools/tidy/migration-change.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
// Below node_modules, so that it runs with the packages that are installed.
const cache = join(root, 'node_modules/.cache/redpack')

const git = (...words: string[]): string =>
  execFileSync('git', words, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })

export interface OtherRelease {
  readonly commit: string
  /** Whether it is the one before this program; if not, it is this one with a migration more. */
  readonly isOlder: boolean
}

/**
 * The program before the newest migration. As long as there is none since the baseline, this
 * program with one more. Answers in words why neither can be built.
 */
export function findOtherRelease(): OtherRelease | string {
  const newest = readdirSync(join(root, 'server/migrations')).sort().at(-1)
  try {
    const head = git('rev-parse', 'HEAD').trim()
    if (Number(newest?.slice(0, 4)) <= lastOfBaseline) return { commit: head, isOlder: false }
    const added = git('log', '--diff-filter=A', '--format=%H', '--', `server/migrations/${newest}`)
    const [commit = ''] = added.trim().split('\n').slice(-1)
    // A migration that is not committed yet follows the newest commit.
    return { commit: commit === '' ? head : git('rev-parse', `${commit}^`).trim(), isOlder: true }
  } catch {
    return 'no history of the repository'
  }
}

/** Builds it; answers the folder of its repository, which the caller removes. */
export function buildOtherRelease({ commit, isOlder }: OtherRelease): string {
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'release-'))
  const archive = execFileSync('git', ['archive', '--format=tar', commit], {
    cwd: root,
    maxBuffer: 256 * 1024 * 1024,
  })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  if (!isOlder) {
    const name = `${String(lastOfBaseline + 1).padStart(4, '0')}_later.sql`
    const sql = "ALTER TABLE prizes ADD COLUMN later text NOT NULL DEFAULT 'later';\n"
    writeFileSync(join(folder, 'server/migrations', name), sql)
  }
  execFileSync(process.execPath, ['tools/build.mjs', 'server'], { cwd: folder, stdio: 'inherit' })
  return folder
}
