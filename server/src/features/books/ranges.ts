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
import type { SourceName } from './new-sources.ts'

/** The condition that a column holds one of the keys to look at. */
export type Within = (column: string) => string

/** The same queries over sets of keys. */
function newParts(id: string, parts: readonly Part[]): Invariant['newParts'] {
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
const brokenRows = (sql: string) => `WITH broken AS MATERIALIZED (${sql})
  SELECT *, (SELECT count(*) FROM broken) AS rows_in_all FROM broken LIMIT ${brokenRowsMax}`

type FoundRow = BrokenRow & { rows_in_all: number }

function found(rows: readonly FoundRow[]): Found {
  return {
    broken: rows.map(({ rows_in_all: _count, ...row }) => row),
    brokenCount: Number(rows[0]?.rows_in_all ?? 0),
  }
}

/** Along what a part is cut into ranges. */
export interface Keys {
  readonly name: string
  /** Keys after $1 in ascending order, at most $2 of them, as `key`. */
  readonly sql: string
  /** Below every key. */
  readonly first: string
  /** Keys in a range at most, where each may stand for many rows. */
  readonly sizeMax: number
  readonly type: 'int' | 'bigint' | 'uuid'
}

/** One query of an invariant. */
export interface Part {
  readonly name: string
  readonly keys: Keys
  /** Which of its keys new rows are about. */
  readonly news: readonly SourceName[]
  /** Answers the rows that break it among the keys that are within. */
  readonly sql: (within: Within) => string
}

const intFirst = '-2147483648'
const bigintFirst = '-9223372036854775808'
const uuidFirst = '00000000-0000-0000-0000-000000000000'
const types: Readonly<Record<string, Keys['type']>> = {
  [bigintFirst]: 'bigint',
  [uuidFirst]: 'uuid',
}
const rowsMax = 20_000
const groupsMax = 50

const column = (table: string, key: string, first: string, sizeMax = rowsMax): Keys => ({
  name: table,
  sql: `SELECT ${key} AS key FROM ${table} WHERE ${key} > $1 ORDER BY ${key} LIMIT $2`,
  first,
  sizeMax,
  type: types[first] ?? 'int',
})

/** Jumps from one prize or listing to the next in the index, however many events each has. */
const stockKeys = (kind: 'prize' | 'listing'): Keys => ({
  name: `stock_of_${kind}s`,
  sql: `WITH RECURSIVE refs AS (
      (SELECT ref_id FROM stock_events WHERE kind = '${kind}' AND ref_id > $1
        ORDER BY ref_id LIMIT 1)
      UNION ALL
      SELECT (SELECT ref_id FROM stock_events WHERE kind = '${kind}' AND ref_id > refs.ref_id
        ORDER BY ref_id LIMIT 1)
      FROM refs WHERE refs.ref_id IS NOT NULL)
    SELECT ref_id AS key FROM refs WHERE ref_id IS NOT NULL LIMIT $2`,
  first: intFirst,
  sizeMax: groupsMax,
  type: 'int',
})

/** Every kind of keys that a part is cut along. */
export const keys = {
  users: column('users', 'id', intFirst),
  ledger: column('red_coin_transactions', 'id', bigintFirst),
  packHistory: column('pack_transactions', 'id', bigintFirst),
  purchases: column('store_purchases', 'id', intFirst),
  completions: column('watch_completions', 'id', intFirst),
  watchSessions: column('viewer_sessions', 'id', intFirst),
  chatRewards: column('discord_reward_claims', 'id', intFirst),
  batches: column('bulk_batches', 'id', uuidFirst, groupsMax),
  openings: column('all_pack_openings', 'id', bigintFirst),
  requests: column('opening_requests', 'id', uuidFirst),
  claims: column('prize_claims', 'id', intFirst),
  shipments: column('shipments', 'id', intFirst),
  chains: column('draw_chains', 'id', intFirst),
  tables: column('odds_tables', 'id', intFirst),
  stockEvents: column('stock_events', 'id', bigintFirst),
  prizes: column('prizes', 'id', intFirst, groupsMax),
  listings: column('store_pack_listings', 'id', intFirst, groupsMax),
  stockOfPrizes: stockKeys('prize'),
  stockOfListings: stockKeys('listing'),
  queue: column('log_queue', 'id', bigintFirst),
  logKeys: column('log_keys', 'id', intFirst),
} as const

/** An invariant of several queries. */
export function ranged(id: string, title: string, parts: readonly Part[]): Invariant {
  return { id, title, step: rangedSteps(id, parts), newParts: newParts(id, parts) }
}

/** An invariant of one query, which has the name of its keys. */
export function rangedBy(
  id: string,
  title: string,
  keysOf: Keys,
  news: readonly SourceName[],
  sql: Part['sql'],
): Invariant {
  return ranged(id, title, [{ name: keysOf.name, keys: keysOf, news, sql }])
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
