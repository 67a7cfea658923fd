// Every column that holds sealed texts: which keys are in use there, and how rows are sealed anew.

import { secretContext } from '../../rules/second-factor.ts'
import {
  botTokenContext,
  contactInfoContext,
  prizeCodeContext,
  seedContext,
  signInContext,
} from '../../shared/sealed-text.ts'
import { type Queryable, type Statement, statement } from '../db/database.ts'
import { rowsQuery, valuesQuery } from '../db/queries.ts'

export interface SealedColumn {
  readonly table: string
  readonly column: string
  /** What an operator calls the texts that stand there. */
  readonly words: string
  /** Integer column that names the row. */
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
export const sealedColumns: readonly SealedColumn[] = [
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
function keyIdIn({ column, type, keyColumn }: SealedColumn): string {
  if (keyColumn !== undefined) return keyColumn
  return type === 'jsonb'
    ? `(${column} ->> 'keyId')`
    : `substring(${column} from '"keyId":"([0-9a-f]{16})"')`
}

/** Steps from key to key instead of reading every row, where an index allows it. */
function keysIn(column: SealedColumn): string {
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
  `SELECT DISTINCT id FROM (${sealedColumns.map(keysIn).join(' UNION ALL ')}) AS keys ORDER BY id`,
)

export interface SealedCount {
  readonly words: string
  readonly keyId: string
  readonly count: number
}

/** How many texts each key has sealed, by what they are; reads every row. */
export const countSealed = rowsQuery<SealedCount>(
  'count_sealed_texts_by_key',
  `SELECT words, "keyId", count(*)::int AS count FROM (${sealedColumns
    .map(
      (column) =>
        `SELECT '${column.words}' AS words, ${keyIdIn(column)} AS "keyId" FROM ${column.table}`,
    )
    .join(' UNION ALL ')}) AS texts WHERE "keyId" IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2`,
)

/** A sealed text as it stands in its row. */
export interface SealedRow {
  readonly id: number
  readonly part: number
  readonly stored: string
}

interface ColumnStatements {
  readonly read: Statement
  readonly write: Statement
}

const statements = new Map<SealedColumn, ColumnStatements>(
  sealedColumns.map((column) => {
    const { table, rowKey, partKey = '0', isAtRest, type } = column
    const name = `${table}_${column.column}`
    const read = `-- not null: stored (what has a key is a sealed text)
      SELECT ${rowKey} AS id, ${partKey}::int AS part, ${column.column}::text AS stored
      FROM ${table}
      WHERE ${keyIdIn(column)} <> $1 AND ${rowKey} > $2 ORDER BY ${rowKey} LIMIT $3`
    // A mark that another row has by now stays as it was.
    const mark = `, mark = coalesce((SELECT s.mark WHERE NOT EXISTS
      (SELECT FROM ${table} other WHERE other.mark = s.mark)), ${table}.mark)`
    // What was written by somebody else meanwhile stays as it is.
    const write = `UPDATE ${table}
      SET ${column.column} = s.fresh::${type}${column.hasMark ? mark : ''}
      FROM unnest($1::int[], $2::text[], $3::text[], $4::text[]) AS s (id, stored, fresh, mark)
      WHERE ${table}.${rowKey} = s.id AND ${table}.${column.column} = s.stored::${type}
        AND ${isAtRest}
      RETURNING s.id`
    return [
      column,
      {
        read: statement(`read_sealed_${name}`, read),
        write: statement(`write_sealed_${name}`, write),
      },
    ]
  }),
)

function statementsOf(column: SealedColumn): ColumnStatements {
  const found = statements.get(column)
  if (found === undefined) throw new Error(`The column ${column.column} is not in the list`)
  return found
}

/** Up to `limit` rows with a larger id that another key than `keyId` has sealed, by id. */
export async function readSealedByOthers(
  db: Queryable,
  column: SealedColumn,
  range: { readonly keyId: string; readonly after: number; readonly limit: number },
): Promise<SealedRow[]> {
  return db.run<SealedRow>(statementsOf(column).read, [range.keyId, range.after, range.limit])
}

export interface FreshRow extends SealedRow {
  readonly fresh: string
  readonly mark: string | null
}

/** Replaces the texts of rows that still hold what was read; answers how many that were. */
export async function replaceSealed(
  tx: Queryable,
  column: SealedColumn,
  rows: readonly FreshRow[],
): Promise<number> {
  const marks = rows.map(({ mark }) => mark)
  const replaced = await tx.run(statementsOf(column).write, [
    rows.map(({ id }) => id),
    rows.map(({ stored }) => stored),
    rows.map(({ fresh }) => fresh),
    marks.map((mark, at) => (marks.indexOf(mark) === at ? mark : null)),
  ])
  return replaced.length
}
