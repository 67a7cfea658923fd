// Sets the rows of the list against the titles that prove them and says what is missing.

import type { Excuse, Requirement } from './requirement-rows.ts'
import type { Claim } from './test-titles.ts'

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

export function takeAccount(
  requirements: readonly Requirement[],
  excuses: readonly Excuse[],
  claims: readonly Claim[],
): Account {
  const known = new Set(requirements.map(({ id }) => id))
  const excused = new Set(excuses.map(({ id }) => id))
  const proven = new Set(claims.map(({ id }) => id))
  const mistakes = [
    ...claims
      .filter(({ id }) => !known.has(id))
      .map(({ id, where }) => `${where} names ${id}, which is no row of the list`),
    ...excuses
      .filter(({ id }) => !known.has(id))
      .map(({ id }) => `${id} is excused, but is no row of the list`),
    ...claims
      .filter(({ id }) => excused.has(id))
      .map(({ id, where }) => `${id} is excused, but ${where} proves it`),
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
