// Pages of ids along an index, read from the end of it that is nearer, so that no page is far away.

import type { Queryable, Statement } from './database.ts'

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
