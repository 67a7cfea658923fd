// What people see of the changes of their own balance.

import type { RedCoinEntry, RedCoinHistoryQuery, RedCoinHistoryResponse } from '@redpack/contract'
import { csvLine } from '@redpack/contract/csv'
import { historyFileRowsMax } from '@redpack/contract/limits'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import { paginationOf } from '../../shared/pagination.ts'

const columns = `t.id, t.created_at, t.amount, t.type, t.description, t.balance_after,
  c.prize_name, t.pack_opening_id`

// The index red_coin_transactions_user holds the rows in this order. The total stands beside the
// page in one snapshot; a page past the end still has its one row, empty.
const readPage = statement(
  'read_red_coin_history',
  `SELECT matching.total, page.*
   FROM (
     SELECT count(*)::int AS total FROM red_coin_transactions
     WHERE user_id = $1 AND ($2 = 'all' OR type = $2)
   ) matching
   LEFT JOIN LATERAL (
     SELECT ${columns}
     FROM (
       SELECT * FROM red_coin_transactions
       WHERE user_id = $1 AND ($2 = 'all' OR type = $2)
       ORDER BY id DESC LIMIT $3 OFFSET $4
     ) t
     LEFT JOIN prize_claims c ON c.pack_opening_id = t.pack_opening_id
   ) page ON true
   ORDER BY page.id DESC`,
)
const readBefore = statement(
  'read_red_coin_history_before',
  `SELECT ${columns}
   FROM (
     SELECT * FROM red_coin_transactions
     WHERE user_id = $1 AND ($2 = 'all' OR type = $2) AND id < $3
     ORDER BY id DESC LIMIT $4
   ) t
   LEFT JOIN prize_claims c ON c.pack_opening_id = t.pack_opening_id
   ORDER BY t.id DESC`,
)

interface EntryRow {
  readonly id: number
  readonly created_at: Date
  readonly amount: number
  readonly type: RedCoinEntry['type']
  readonly description: string
  readonly balance_after: number
  readonly prize_name: string | null
  readonly pack_opening_id: number | null
}

/** One page of the caller's ledger, newest first. A page past the end is empty. */
export async function redCoinHistory(
  db: Queryable,
  userId: number,
  { page, limit, type }: RedCoinHistoryQuery,
): Promise<RedCoinHistoryResponse> {
  const rows = await db.run<{ total: number } & (EntryRow | { readonly id: null })>(readPage, [
    userId,
    type,
    limit,
    (page - 1) * limit,
  ])
  return {
    entries: rows.flatMap((row) => (row.id === null ? [] : [entryFrom(row)])),
    pagination: paginationOf(rows[0]?.total ?? 0, page, limit),
  }
}

function entryFrom(row: EntryRow): RedCoinEntry {
  return {
    id: row.id,
    createdAt: row.created_at.toISOString(),
    amount: row.amount,
    type: row.type,
    description: row.description,
    balanceAfter: row.balance_after,
    prizeName: row.prize_name,
    openingId: row.pack_opening_id,
  }
}

const heading = [
  'id',
  'createdAt',
  'amount',
  'type',
  'description',
  'balanceAfter',
  'prizeName',
  'openingId',
] as const satisfies readonly (keyof RedCoinEntry)[]

const batchRowsMax = 1_000

/**
 * The ledger as pieces of a CSV file, newest first, `rowsMax` rows at most, read in batches of
 * 1000. Rows that are written meanwhile are newer than the first batch and so left out.
 */
export async function* redCoinFile(
  db: Queryable,
  userId: number,
  type: RedCoinHistoryQuery['type'],
  rowsMax = historyFileRowsMax,
): AsyncGenerator<string> {
  yield csvLine(heading)
  let before = Number.MAX_SAFE_INTEGER
  for (let left = rowsMax; left > 0; ) {
    const wanted = Math.min(left, batchRowsMax)
    const rows = await db.run<EntryRow>(readBefore, [userId, type, before, wanted])
    if (rows.length > 0) yield rows.map(lineFrom).join('')
    if (rows.length < wanted) return
    left -= rows.length
    before = rows.at(-1)?.id ?? 0
  }
}

function lineFrom(row: EntryRow): string {
  const entry = entryFrom(row)
  return csvLine(heading.map((key) => entry[key]))
}
