// Invariants as SQL over ranges of keys, so that no statement has to look at everything at once,
// and over the keys that new rows are about.

import { statement } from '../../adapters/db/database.ts'
import {
  type BrokenRow,
  brokenRowsMax,
  type Found,
  type Invariant,
  type Progress,
  type Step,
} from './invariant.ts'
import type { Keys } from './keys.ts'

/** The condition that a column holds one of the keys to look at. */
export type Within = (column: string) => string

/** The same queries over sets of keys. */
function newParts(id: string, parts: readonly Part[]): Invariant['newParts'] {
  return parts.map((part) => {
    const { keys } = part
    const readNewlyBroken = statement(
      `new_rows_of_${id}_${part.name}`,
      brokenRows(part.sql((column) => `${column} = ANY ($1::text[]::${keys.type}[])`)),
    )
    return {
      keys,
      keysMax: keys.sizeMax,
      look: async (db, keysOf) => found(await db.run<FoundRow>(readNewlyBroken, [keysOf])),
    }
  })
}

// Materialized, for a plan that finds all of them: made for the first few of so many, it would look
// up one by one what does not exist.
const brokenRows = (sql: string) => `WITH broken AS MATERIALIZED (${sql})
  SELECT *, (SELECT count(*) FROM broken) AS rows_in_all FROM broken LIMIT ${brokenRowsMax}`

type FoundRow = BrokenRow & { rows_in_all: number }

function found(rows: readonly FoundRow[]): Found {
  return {
    broken: rows.map(({ rows_in_all: _count, ...row }) => row),
    brokenCount: Number(rows[0]?.rows_in_all ?? 0),
  }
}

/** One query of an invariant. */
export interface Part {
  readonly name: string
  readonly keys: Keys
  /** Answers the rows that break it among the keys that are within. */
  readonly sql: (within: Within) => string
}

/** An invariant of several queries. */
export function ranged(id: string, title: string, parts: readonly Part[]): Invariant {
  return { id, title, step: rangedSteps(id, parts), newParts: newParts(id, parts) }
}

/** An invariant of one query, which has the name of its keys. */
export function rangedBy(id: string, title: string, keysOf: Keys, sql: Part['sql']): Invariant {
  return ranged(id, title, [{ name: keysOf.name, keys: keysOf, sql }])
}

/** The steps of parts that follow each other, none of which may have the name of another. */
function rangedSteps(id: string, parts: readonly Part[]): Invariant['step'] {
  const prepared = parts.map((part) => prepare(id, part))
  const [first] = prepared
  return async (db, progress, size): Promise<Step> => {
    // Progress of another version of the program may name a part that is none any more.
    const current = prepared.find(({ part }) => part.name === progress?.part) ?? first
    if (current === undefined) return { broken: [], brokenCount: 0, next: undefined }
    const { part } = current
    const isGoingOn = part.name === progress?.part
    const after = isGoingOn ? String(progress['after']) : part.keys.first
    const range = [after, Math.min(size, part.keys.sizeMax)]
    const [end] = await db.run<{ key: string }>(current.readEnd, range)
    if (end !== undefined) {
      const rows = await db.run<FoundRow>(current.readBroken, [after, end.key])
      return { ...found(rows), next: { part: part.name, after: end.key } }
    }
    const following = prepared[prepared.indexOf(current) + 1]
    const next: Progress | undefined = following && {
      part: following.part.name,
      after: following.part.keys.first,
    }
    return { broken: [], brokenCount: 0, next }
  }
}

function prepare(id: string, part: Part) {
  const name = `invariant_${id}_${part.name}`
  return {
    part,
    readEnd: statement(
      `keys_of_${name}`,
      `SELECT key::text AS key FROM (${part.keys.sql}) AS k ORDER BY k.key DESC LIMIT 1`,
    ),
    readBroken: statement(
      name,
      brokenRows(part.sql((column) => `${column} > $1 AND ${column} <= $2`)),
    ),
  }
}
