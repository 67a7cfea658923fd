// The acceptance command: reads the repository, prints the account, returns the exit code.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { repositoryFiles, repositoryRoot } from '../tidy/repository-files.ts'
import { accountLines, type PartAccount, takeAccount } from './account.ts'
import { indexPath, readExcuses, readProofs, readRequirements } from './papers.ts'
import { scanTests } from './test-titles.ts'

const exceptionsPath = 'docs/acceptance-exceptions.md'
const testFile = /\.test\.tsx?$|\.faults\.ts$|^e2e\/.*\.spec\.ts$/

/** `--part P2` or `--part P2,P3` prints those parts alone. Answers the parts, none for all. */
export function readShownParts(args: readonly string[]): string[] {
  const { values } = parseArgs({ args: [...args], options: { part: { type: 'string' } } })
  return (values.part ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** What stops the account from being accepted: mistakes, rows without a test, unknown parts. */
export function failuresOf(
  shown: readonly string[],
  parts: readonly PartAccount[],
  mistakes: readonly string[],
): string[] {
  const known = new Set(parts.map(({ part }) => part))
  return [
    ...mistakes,
    ...shown.filter((part) => !known.has(part)).map((part) => `There is no part ${part}`),
    ...parts
      .flatMap(({ missing }) => missing)
      .map(
        ({ id }) =>
          `${id} is proven by no test: write a line for it into ${indexPath}, or the reason ` +
          `why no test can prove it into ${exceptionsPath}`,
      ),
  ]
}

/** Runs the command in the repository. Answers 0 when there is nothing to refuse, else 1. */
export async function runAcceptance(
  args: readonly string[],
  print: (line: string) => void,
): Promise<number> {
  const shown = readShownParts(args)
  const read = (path: string) => readFile(join(repositoryRoot, path), 'utf8')
  const files = repositoryFiles().filter((path) => testFile.test(path))
  const scans = await Promise.all(files.map(async (path) => scanTests(path, await read(path))))
  const { parts, mistakes } = takeAccount({
    requirements: readRequirements(await read('docs/requirements.md')),
    excuses: readExcuses(await read(exceptionsPath)),
    proofs: readProofs(await read(indexPath)),
    tests: scans.flat(),
  })
  const printed = parts.filter(({ part }) => shown.length === 0 || shown.includes(part))
  for (const line of accountLines(printed)) print(line)
  const failures = failuresOf(shown, parts, mistakes)
  for (const line of failures) print(`FAIL ${line}`)
  return failures.length === 0 ? 0 : 1
}
