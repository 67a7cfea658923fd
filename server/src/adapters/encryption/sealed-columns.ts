// Every column with sealed texts: which keys are in use there, and how rows are resealed.

import { secretContext } from '../../rules/second-factor.ts'
import {
  botTokenContext,
  contactInfoContext,
  prizeCodeContext,
  seedContext,
  signInContext,
} from '../../shared/sealed-text.ts'
import type { Queryable } from '../db/database.ts'
import { countQuery, rowsQuery, valuesQuery } from '../db/queries.ts'

interface Place {
  readonly table: string
  readonly column: string
  /** What an operator calls the texts that stand there. */
  readonly words: string
  readonly rowKey: string
  /** Integer column that names the place within the row, where one text follows another there. */
  readonly partKey?: string
  /** Column with the key's name, where the table has one. */
  readonly keyColumn?: string
  readonly type: 'jsonb' | 'text'
  /** Condition for rows that may be changed now; the others come later. */
  readonly isAtRest: string
  /** The place to which the text of a row is bound. */
  contextOf(rowId: number, part: number): string
  /** Where the column `mark` beside it knows the code of a prize again. */
  readonly hasMark?: true
}

/** A text as JSON that may be sealed anew at any time. */
const atRest = { type: 'jsonb', isAtRest: 'true' } as const
/** Tokens that somebody renews at this moment are written by them. */
const noRefreshUnderWay = '(refresh_until IS NULL OR refresh_until < clock_timestamp())'

/** A test compares the list with the columns of a database in which everything was used. */
const places: readonly Place[] = [
  {
    table: 'draw_chains',
    column: 'sealed_seed',
    words: 'server seeds',
    rowKey: 'id',
    partKey: 'index',
    keyColumn: 'sealed_by',
    ...atRest,
    contextOf: seedContext,
  },
  {
    table: 'prize_claims',
    column: 'contact_info',
    words: 'delivery details',
    rowKey: 'id',
    ...atRest,
    contextOf: contactInfoContext,
  },
  {
    table: 'prize_codes',
    column: 'sealed',
    words: 'codes of prizes',
    rowKey: 'id',
    ...atRest,
    contextOf: prizeCodeContext,
    hasMark: true,
  },
  {
    table: 'twitch_sign_ins',
    column: 'tokens',
    words: 'sign-ins',
    rowKey: 'user_id',
    ...atRest,
    contextOf: signInContext,
  },
  {
    table: 'second_factors',
    column: 'secret',
    words: 'second factors',
    rowKey: 'user_id',
    ...atRest,
    contextOf: secretContext,
  },
  ...(['access_token', 'refresh_token'] as const).map((column) => ({
    table: 'twitch_bot_credentials',
    column,
    words: 'bot tokens',
    rowKey: 'id',
    type: 'text' as const,
    isAtRest: noRefreshUnderWay,
    contextOf: () => botTokenContext(column),
  })),
]

/** The key's name in a row. What is no sealed text, or a damaged one, has none. */
function keyIdIn({ column, type, keyColumn }: Place): string {
  if (keyColumn !== undefined) return keyColumn
  return type === 'jsonb'
    ? `(${column} ->> 'keyId')`
    : `substring(${column} from '"keyId":"([0-9a-f]{16})"')`
}

/** Steps from key to key instead of reading every row, where an index allows it. */
function keysIn(column: Place): string {
  const { table } = column
  const key = keyIdIn(column)
  const from = `FROM ${table} WHERE ${column.keyColumn ?? column.column} IS NOT NULL`
  return `(WITH RECURSIVE found AS (
      SELECT (SELECT min(${key}) ${from}) AS id
      UNION ALL
      SELECT (SELECT min(${key}) ${from} AND ${key} > found.id) FROM found
      WHERE found.id IS NOT NULL)
    SELECT id FROM found WHERE id IS NOT NULL)`
}

/** Names of the keys that have sealed anything that stands in the database. */
export const keysInUse = valuesQuery<{ id: string }>(
  'read_encryption_keys_in_use',
  `SELECT DISTINCT id FROM (${places.map(keysIn).join(' UNION ALL ')}) AS keys ORDER BY id`,
)

export interface SealedCount {
  readonly words: string
  readonly keyId: string
  readonly count: number
}

/** How many texts each key has sealed, by what they are; reads every row. */
export const countSealed = rowsQuery<SealedCount>(
  'count_sealed_texts_by_key',
  `SELECT words, "keyId", count(*)::int AS count FROM (${places
    .map(
      (column) =>
        `SELECT '${column.words}' AS words, ${keyIdIn(column)} AS "keyId" FROM ${column.table}`,
    )
    .join(' UNION ALL ')}) AS texts WHERE "keyId" IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2`,
)

export interface SealedRow {
  readonly id: number
  readonly part: number
  readonly stored: string
}

export interface FreshRow extends SealedRow {
  readonly fresh: string
  readonly mark: string | null
}

export const sealedColumns = places.map((column) => {
  const { table, rowKey, partKey = '0', isAtRest, type } = column
  const name = `${table}_${column.column}`
  // A mark that another row has by now stays as it was.
  const mark = `, mark = coalesce((SELECT s.mark WHERE NOT EXISTS
      (SELECT FROM ${table} other WHERE other.mark = s.mark)), ${table}.mark)`
  return {
    ...column,
    /** Up to `limit` rows with a larger id that another key than `keyId` has sealed, by id. */
    readOfOthers: rowsQuery<SealedRow, [keyId: string, after: number, limit: number]>(
      `read_sealed_${name}`,
      `-- not null: stored (what has a key is a sealed text)
      SELECT ${rowKey} AS id, ${partKey}::int AS part, ${column.column}::text AS stored
      FROM ${table}
      WHERE ${keyIdIn(column)} <> $1 AND ${rowKey} > $2 ORDER BY ${rowKey} LIMIT $3`,
    ),
    // What was written by somebody else meanwhile stays as it is.
    write: countQuery<[ids: number[], stored: string[], fresh: string[], marks: (string | null)[]]>(
      `write_sealed_${name}`,
      `UPDATE ${table}
      SET ${column.column} = s.fresh::${type}${column.hasMark ? mark : ''}
      FROM unnest($1::int[], $2::text[], $3::text[], $4::text[]) AS s (id, stored, fresh, mark)
      WHERE ${table}.${rowKey} = s.id AND ${table}.${column.column} = s.stored::${type}
        AND ${isAtRest}
      RETURNING s.id`,
    ),
  }
})
export type SealedColumn = (typeof sealedColumns)[number]

/** Replaces the texts of rows that still hold what was read; answers how many that were. */
export function replaceSealed(
  tx: Queryable,
  { write }: SealedColumn,
  rows: readonly FreshRow[],
): Promise<number> {
  const marks = rows.map(({ mark }) => mark)
  return write(
    tx,
    rows.map(({ id }) => id),
    rows.map(({ stored }) => stored),
    rows.map(({ fresh }) => fresh),
    marks.map((mark, at) => (marks.indexOf(mark) === at ? mark : null)),
  )
}
