// The acceptance command: reads the repository, prints the account, answers the exit code.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { repositoryFiles, repositoryRoot } from '../tidy/repository-files.ts'
import { accountLines, type PartAccount, takeAccount } from './account.ts'
import { readExcuses, readRequirements } from './requirement-rows.ts'
import { scanTitles } from './test-titles.ts'

export interface Options {
  /** Parts to print; all when empty. */
  readonly show: readonly string[]
  /** Parts that must have no missing row. */
  readonly require: readonly string[]
}

const testFile = /\.test\.tsx?$|^e2e\/.*\.spec\.ts$/

/** `--part P2` prints one part, `--require P2,P3` makes missing rows of those parts a failure. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: { part: { type: 'string' }, require: { type: 'string' } },
  })
  const list = (text: string | undefined) =>
    (text ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
  return { show: list(values.part), require: list(values.require) }
}

/** What stops the account from being accepted: mistakes, and parts unknown or not complete. */
export function failuresOf(
  { show, require }: Options,
  parts: readonly PartAccount[],
  mistakes: readonly string[],
): string[] {
  const known = new Map(parts.map((part) => [part.part, part]))
  return [
    ...mistakes,
    ...[...show, ...require]
      .filter((part) => !known.has(part))
      .map((part) => `There is no part ${part}`),
    ...require
      .filter((part) => (known.get(part)?.missing.length ?? 0) > 0)
      .map((part) => `Part ${part} is required and not complete`),
  ]
}

/** Runs the command in the repository. Answers 0 when there is nothing to refuse, else 1. */
export async function runAcceptance(
  args: readonly string[],
  print: (line: string) => void,
): Promise<number> {
  const options = readOptions(args)
  const read = (path: string) => readFile(join(repositoryRoot, path), 'utf8')
  const files = repositoryFiles().filter((path) => testFile.test(path))
  const scans = await Promise.all(files.map(async (path) => scanTitles(path, await read(path))))
  const { parts, mistakes } = takeAccount(
    readRequirements(await read('docs/requirements.md')),
    readExcuses(await read('docs/acceptance-exceptions.md')),
    scans.flatMap(({ claims }) => claims),
  )
  const { show } = options
  const shown = parts.filter(({ part }) => show.length === 0 || show.includes(part))
  for (const line of accountLines(shown)) print(line)
  const malformed = scans.flatMap((scan) => scan.malformed)
  const failures = failuresOf(options, parts, [...malformed, ...mistakes])
  for (const line of failures) print(`FAIL ${line}`)
  return failures.length === 0 ? 0 : 1
}
