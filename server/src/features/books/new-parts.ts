// The queries of rules over sets of keys, which new rows are about.

import { statement } from '../../adapters/db/database.ts'
import { type BrokenRow, brokenRowsMax, type Found, type Invariant } from './invariant.ts'
import type { SourceName } from './new-sources.ts'

/** The condition that a column holds one of the keys to look at. */
export type Within = (column: string) => string

interface NewQuery {
  readonly name: string
  readonly keys: { readonly type: 'int' | 'bigint' | 'uuid'; readonly sizeMax: number }
  readonly news: readonly SourceName[]
  readonly sql: (within: Within) => string
}

/** The same queries over sets of keys. */
export function newParts(id: string, parts: readonly NewQuery[]): Invariant['newParts'] {
  return parts.map((part) => {
    const { type, sizeMax } = part.keys
    const readNewlyBroken = statement(
      `new_rows_of_${id}_${part.name}`,
      brokenRows(part.sql((column) => `${column} = ANY ($1::text[]::${type}[])`)),
    )
    return {
      news: part.news,
      keysMax: sizeMax,
      look: async (db, keysOf) => found(await db.run<FoundRow>(readNewlyBroken, [keysOf])),
    }
  })
}

// Materialized, for a plan that finds all of them: made for the first few of so many, it would look
// up one by one what does not exist.
export const brokenRows = (sql: string) => `WITH broken AS MATERIALIZED (${sql})
  SELECT *, (SELECT count(*) FROM broken) AS rows_in_all FROM broken LIMIT ${brokenRowsMax}`

export type FoundRow = BrokenRow & { rows_in_all: number }

export function found(rows: readonly FoundRow[]): Found {
  return {
    broken: rows.map(({ rows_in_all: _count, ...row }) => row),
    brokenCount: Number(rows[0]?.rows_in_all ?? 0),
  }
}
