// What staff see of bulk batches: the list, one with its rows, the receipt as a file; and how far
// acts on everyone reach.

import type {
  Batch,
  BatchesQuery,
  BatchQuery,
  BatchResponse,
  BatchRow,
  GrantReach,
} from '@redpack/contract'
import type { Queryable } from '../../adapters/db/database.ts'
import { oneQuery, oneValueQuery, rowQuery, rowsQuery } from '../../adapters/db/queries.ts'
import { csvPieces, ownColumns } from '../../shared/csv-file.ts'
import { type Dated, isoTimes } from '../../shared/iso-times.ts'
import { placeOf } from '../../shared/pagination.ts'

const columns = `b.id, b.kind,
  CASE WHEN p.id IS NOT NULL THEN jsonb_build_object('id', p.id, 'name', p.name) END AS "packType",
  b.created_at AS "createdAt", jsonb_build_object('id', a.id, 'username', a.username,
    'displayName', a.display_name) AS actor,
  b.recipients, b.description, b.file_name AS "fileName", b.file_hash AS "fileHash",
  b.processed_count AS "processedCount", b.failed_count AS "failedCount", b.total, b.reverses,
  r.id AS "reversedBy"`
const joins = `LEFT JOIN bulk_batches r ON r.reverses = b.id
  LEFT JOIN pack_types p ON p.id = b.pack_type_id
  JOIN users a ON a.id = b.actor_id`

/** SQL of the condition that a batch is of a kind and for such recipients, or of any. */
const chosen = (kind: string, recipients: string) =>
  `(${kind} = 'all' OR kind = ${kind}) AND (${recipients} = 'all' OR recipients = ${recipients})`

type BatchLine = Dated<Batch, 'createdAt'>

const readList = rowsQuery<
  BatchLine,
  [limit: number, offset: number, kind: string, recipients: string]
>(
  'read_bulk_batches',
  `SELECT ${columns} FROM (
     SELECT * FROM bulk_batches WHERE ${chosen('$3', '$4')}
     ORDER BY created_at DESC, id LIMIT $1 OFFSET $2
   ) b ${joins} ORDER BY b.created_at DESC, b.id`,
)
const countList = oneValueQuery<{ count: number }, [kind: string, recipients: string]>(
  'count_bulk_batches',
  `SELECT count(*)::int AS count FROM bulk_batches WHERE ${chosen('$1', '$2')}`,
)
const readOne = rowQuery<BatchLine, [id: string]>(
  'read_bulk_batch',
  `SELECT ${columns} FROM bulk_batches b ${joins} WHERE b.id = $1`,
)
const readRows = rowsQuery<BatchRow, [id: string, all: boolean, limit: number, offset: number]>(
  'read_bulk_batch_page',
  `SELECT r.row_number AS "row", r.username, r.user_id AS "userId", u.display_name AS "displayName",
     r.verdict, r.reason, r.amount, r.applied, r.after
   FROM bulk_batch_rows r LEFT JOIN users u ON u.id = r.user_id
   WHERE r.batch_id = $1 AND ($2 OR r.verdict <> 'ok')
   ORDER BY r.row_number LIMIT $3 OFFSET $4`,
)
const countRows = oneValueQuery<{ count: number }, [id: string, all: boolean]>(
  'count_bulk_batch_rows',
  `SELECT count(*)::int AS count FROM bulk_batch_rows
   WHERE batch_id = $1 AND ($2 OR verdict <> 'ok')`,
)

/** One page of the batches that match, newest first. */
export async function batchesPage(db: Queryable, { kind, recipients, page, limit }: BatchesQuery) {
  const lines = await readList(db, limit, (page - 1) * limit, kind, recipients)
  const total = await countList(db, kind, recipients)
  return { batches: lines.map(isoTimes), ...placeOf(total, { page, limit }) }
}

/** A batch with one page of its rows, or undefined when there is none with this id. */
export async function batchWithRows(
  db: Queryable,
  id: string,
  { rows: wanted, page, limit }: BatchQuery,
): Promise<BatchResponse | undefined> {
  const line = await readOne(db, id)
  if (line === undefined) return undefined
  const all = wanted === 'all'
  const rows = await readRows(db, id, all, limit, (page - 1) * limit)
  const total = await countRows(db, id, all)
  return { batch: isoTimes(line), rows, ...placeOf(total, { page, limit }) }
}

const receiptColumns = ownColumns(
  'row',
  'username',
  'displayName',
  'verdict',
  'reason',
  'amount',
  'applied',
  'after',
)

/**
 * Pieces of the receipt as a CSV file, in the order of the rows; or undefined when there is no such
 * batch.
 */
export async function batchReceipt(db: Queryable, id: string) {
  if ((await readOne(db, id)) === undefined) return undefined
  let done = 0
  return csvPieces<BatchRow>({
    columns: receiptColumns,
    rowsMax: Number.MAX_SAFE_INTEGER,
    async read(_last, limit) {
      const rows = await readRows(db, id, true, limit, done)
      done += rows.length
      return rows
    },
  })
}

export const grantReach = oneQuery<GrantReach>(
  'read_grant_reach',
  `SELECT u.recipients, u.held AS "redCoin", h.held AS packs
   FROM (
     SELECT (count(*) FILTER (WHERE NOT is_protected AND deleted_at IS NULL))::int AS recipients,
       json_build_object('total', coalesce(sum(red_coin_balance), 0)::bigint,
         'users', count(*) FILTER (WHERE red_coin_balance > 0)) AS held
     FROM users
   ) u, (
     SELECT json_build_object('total', coalesce(sum(quantity), 0)::bigint,
       'users', count(DISTINCT user_id)) AS held
     FROM user_packs WHERE quantity > 0
   ) h`,
)
