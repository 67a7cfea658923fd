// The steps of the recipes in CONTRIBUTING.md, and how to take one.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { repositoryRoot } from '../tidy/repository-files.ts'

export interface RecipeStep {
  readonly path: string
  /** A new file, or the line of an existing one beside which the code goes. */
  readonly at: 'new' | { readonly side: 'after' | 'before'; readonly line: string }
  readonly code: string
}

const heading =
  /^\*\*`(?<path>[^`]+)`\*\*(?: \((?<isNew>new)\)|, (?<side>after|before) `(?<line>[^`]+)`:)\n\n```\w+\n(?<code>[\s\S]*?)^```$/gm

/** The number that the next migration gets, which the page calls NNNN. */
function nextMigration(): string {
  const last = readdirSync(join(repositoryRoot, 'server/migrations')).sort().at(-1) ?? ''
  return String(Number.parseInt(last, 10) + 1).padStart(4, '0')
}

/** What the page tells to write, in its order. */
export function recipeSteps(page: string): RecipeStep[] {
  return [...page.matchAll(heading)].map(({ groups = {} }) => {
    const { path = '', isNew, side, line = '', code = '' } = groups
    const at = isNew
      ? 'new'
      : { side: side === 'before' ? ('before' as const) : ('after' as const), line }
    return { path: path.replace('NNNN', nextMigration), at, code }
  })
}

/** Takes a step below `root`. @throws Error when the line is not there exactly once */
export function takeStep(root: string, { path, at, code }: RecipeStep): void {
  const file = join(root, path)
  if (at === 'new') {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, code, { flag: 'wx' })
    return
  }
  const lines = readFileSync(file, 'utf8').split('\n')
  const places = lines.flatMap((line, index) => (line === at.line ? [index] : []))
  const [place] = places
  if (place === undefined || places.length > 1) {
    throw new Error(`CONTRIBUTING.md: ${path} has this line ${places.length} times: ${at.line}`)
  }
  lines.splice(at.side === 'after' ? place + 1 : place, 0, ...code.replace(/\n$/, '').split('\n'))
  writeFileSync(file, lines.join('\n'))
}
