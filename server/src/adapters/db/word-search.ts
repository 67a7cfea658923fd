// Searches very many words for a part: by an index over letters if few match, by a scan if many do.
// Both find the same; one of them is quick.

import { type Queryable, type Statement, statement } from './database.ts'

/** Ways to the same rows; each takes the pattern and then how many rows at most. */
export interface WordSearch {
  /** Rows of some pages of the table, and those of them that match. */
  readonly sample: Statement
  readonly byIndex: Statement
  readonly sequentialScan: Statement
}

/** The text for SQL's LIKE, whose own wildcards mean themselves. */
export const literally = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/** Pattern for texts that contain `search`. */
export const containing = (search: string): string => `%${literally(search)}%`

/**
 * From this share of all rows on, hits are met in passing sooner than an index names all of them.
 */
const commonShare = 0.02

/** What to put before LIKE so that no index over letters fits. */
export const sequentialScan = (words: string): string => `${words} || ''`

/** A statement for `sample`, of a table whose `words` are in small letters. */
export function sampleOf(table: string, name: string, words = 'words'): Statement {
  return statement(
    name,
    `SELECT count(*)::int AS looked, count(*) FILTER (WHERE ${words} LIKE lower($1))::int AS hits
     FROM ${table} TABLESAMPLE SYSTEM (1)`,
  )
}

/** Whether so many rows match that going along all of them meets a hit soon. */
export async function isCommonWord(
  tx: Queryable,
  search: Pick<WordSearch, 'sample'>,
  pattern: string,
): Promise<boolean> {
  const [seen] = await tx.run<{ looked: number; hits: number }>(search.sample, [pattern])
  return seen !== undefined && seen.hits > seen.looked * commonShare
}

/** Rows that match `pattern`, `rowsMax` at most. To be planned for its values. */
export async function searchWords<Row>(
  tx: Queryable,
  search: WordSearch,
  pattern: string,
  rowsMax: number,
): Promise<Row[]> {
  const isCommon = await isCommonWord(tx, search, pattern)
  return tx.run<Row>(isCommon ? search.sequentialScan : search.byIndex, [pattern, rowsMax])
}

export interface PageOfIds {
  /** In the order that was asked for. */
  readonly ids: readonly number[]
  /** How many there are in all, or the most that a search counts. */
  readonly total: number
}

export interface IdRow {
  readonly id: number
}

export interface Part {
  readonly offset: number
  readonly limit: number
  /** How many rows the index has. */
  readonly total: number
}

export const idsOf = (rows: readonly IdRow[]): number[] => rows.map(({ id }) => id)

/** The ids of a part in the order of `there`; `back` is the same the other way round. */
export async function pageFromCloserEnd(
  tx: Queryable,
  [there, back]: readonly [there: Statement, back: Statement],
  { offset, limit, total }: Part,
): Promise<number[]> {
  if (offset <= total / 2) return idsOf(await tx.run<IdRow>(there, [limit, offset]))
  const fromEnd = Math.max(0, total - offset - limit)
  const count = Math.max(0, total - offset - fromEnd)
  return idsOf(await tx.run<IdRow>(back, [count, fromEnd])).toReversed()
}
