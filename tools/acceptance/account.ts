// Compares the rows of the list with the tests that the index names, and says what is missing.

import { type Excuse, indexPath, type Proof, type Requirement } from './papers.ts'
import type { FoundTest } from './test-titles.ts'

export interface Account {
  readonly parts: readonly PartAccount[]
  /** What makes the account itself wrong, whatever it adds up to. */
  readonly mistakes: readonly string[]
}

export interface PartAccount {
  readonly part: string
  readonly proven: number
  readonly excused: number
  readonly missing: readonly Requirement[]
}

/** What the account is taken of. */
export interface Papers {
  readonly requirements: readonly Requirement[]
  readonly excuses: readonly Excuse[]
  readonly proofs: readonly Proof[]
  readonly tests: readonly FoundTest[]
}

/** A row counts as proven by a line of the index; a line that is not true is a mistake. */
export function takeAccount({ requirements, excuses, proofs, tests }: Papers): Account {
  const known = new Set(requirements.map(({ id }) => id))
  const excused = new Set(excuses.map(({ id }) => id))
  const proven = new Set(proofs.map(({ id }) => id))
  const mistakes = [
    ...excuses
      .filter(({ id }) => !known.has(id))
      .map(({ id }) => `${id} is excused, but is no row of the list`),
    ...proofs
      .filter(({ id }) => excused.has(id))
      .map(({ id, line }) => `${id} is excused, but ${indexPath}:${line} names its test`),
    ...misplaced(proofs, requirements),
    ...untrue(proofs, tests),
  ]
  const parts = [...new Set(requirements.map(({ part }) => part))].map((part): PartAccount => {
    const rows = requirements.filter((row) => row.part === part)
    return {
      part,
      proven: rows.filter(({ id }) => proven.has(id)).length,
      excused: rows.filter(({ id }) => excused.has(id)).length,
      missing: rows.filter(({ id }) => !proven.has(id) && !excused.has(id)),
    }
  })
  return { parts, mistakes }
}

/** Lines of the index for no row, below another part's heading, out of order, or there twice. */
function misplaced(proofs: readonly Proof[], requirements: readonly Requirement[]): string[] {
  const places = new Map(requirements.map(({ id, part }, place) => [id, { part, place }]))
  const written = new Set<string>()
  let highest = -1
  return proofs.flatMap(({ id, file, title, case: chosen, part, line }) => {
    const row = places.get(id)
    if (row === undefined) return [`${indexPath}:${line} names ${id}, which is no row of the list`]
    const key = JSON.stringify([id, file, title, chosen])
    if (written.has(key)) return [`${indexPath}:${line} appears twice: remove one`]
    written.add(key)
    if (row.part !== part)
      return [`${indexPath}:${line} ${id} belongs under the heading ${row.part}`]
    if (row.place < highest) return [`${indexPath}:${line} ${id} belongs further up: sort by ID`]
    highest = row.place
    return []
  })
}

/** Lines of the index whose test is not there exactly once, does not run, or has no such case. */
function untrue(proofs: readonly Proof[], tests: readonly FoundTest[]): string[] {
  const places = grouped(tests, ({ file, title }) => JSON.stringify([file, title]))
  const titles = grouped(tests, ({ title }) => title)
  return proofs.flatMap(({ id, file, title, case: chosen, line }) => {
    const named = `${indexPath}:${line} ${id}:`
    const [test, ...more] = places.get(JSON.stringify([file, title])) ?? []
    if (test === undefined) {
      const others = titles.get(title) ?? []
      const seen =
        others.length === 0 ? '' : ` (${others.map((one) => one.file).join(', ')} has one)`
      return [
        `${named} ${file} has no test "${title}"${seen}. Put the test's current file and ` +
          'title into this line, or name another test that proves the row',
      ]
    }
    if (more.length > 0) {
      const lines = [test, ...more].map((one) => one.line).join(', ')
      return [`${named} ${file} has more than one test "${title}" (lines ${lines}): rename them`]
    }
    if (!test.runs) return [`${named} "${title}" in ${file} is switched off and proves nothing`]
    if (chosen !== undefined && !test.cases.includes(chosen)) {
      return [
        `${named} the table of "${title}" in ${file} has no text "${chosen}". Put a text of ` +
          'the row that proves it into the last column',
      ]
    }
    return []
  })
}

function grouped(tests: readonly FoundTest[], keyOf: (test: FoundTest) => string) {
  const groups = new Map<string, FoundTest[]>()
  for (const test of tests) groups.set(keyOf(test), [...(groups.get(keyOf(test)) ?? []), test])
  return groups
}

/** One line per part with its counts, the missing rows below it, and the total last. */
export function accountLines(parts: readonly PartAccount[]): string[] {
  const total = { proven: 0, excused: 0, missing: 0 }
  const lines = parts.flatMap(({ part, proven, excused, missing }) => {
    total.proven += proven
    total.excused += excused
    total.missing += missing.length
    return [
      `${part}: ${proven} proven, ${excused} excused, ${missing.length} missing`,
      ...missing.map(({ id, text }) => `  ${id} ${text}`),
    ]
  })
  return [
    ...lines,
    `All: ${total.proven} proven, ${total.excused} excused, ${total.missing} missing`,
  ]
}
