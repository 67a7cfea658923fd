// Who did what among staff, as pages and as a file.

import type { AuditEntry, AuditFileQuery, AuditQuery, AuditResponse } from '@redpack/contract'
import { adminFileRowsMax } from '@redpack/contract/limits'
import { type Database, type Queryable, statement } from '../../adapters/db/database.ts'
import { atOneMoment } from '../../adapters/db/retry.ts'
import { csvPieces } from '../../shared/csv-file.ts'
import { pagesOf } from '../../shared/search-pattern.ts'
import {
  auditFilters,
  auditIds,
  auditNames,
  auditSays,
  filterValues,
  searchValues,
} from './order-views.ts'

const columns = `a.id, a.created_at, a.action, a.target_type, a.target_id, a.before, a.after,
  a.reason, a.batch_id, a.request_id, u.id AS actor_id, u.username, u.display_name`
/** A claim is called by its prize and its winner: its Claim ID is not for everybody's eyes. */
const targetName = `CASE a.target_type
    WHEN 'user' THEN (SELECT '@' || username FROM users WHERE id = t.id)
    WHEN 'prize' THEN (SELECT name FROM prizes WHERE id = t.id)
    WHEN 'pack_type' THEN (SELECT name FROM pack_types WHERE id = t.id)
    WHEN 'listing' THEN (SELECT p.name FROM store_pack_listings l
      JOIN pack_types p ON p.id = l.pack_type_id WHERE l.id = t.id)
    WHEN 'stream' THEN (SELECT display_name FROM twitch_streams WHERE id = t.id)
    WHEN 'claim' THEN (SELECT c.prize_name || ' of @' || w.username FROM prize_claims c
      JOIN users w ON w.id = c.user_id WHERE c.id = t.id)
  END`
const readPicked = statement(
  'read_picked_audit',
  `SELECT ${columns}, ${targetName} AS target_name
   FROM audit_log a LEFT JOIN users u ON u.id = a.actor_id
   CROSS JOIN LATERAL (SELECT substring(a.target_id FROM '^[0-9]{1,9}$')::int AS id) t
   WHERE a.id = ANY($1::bigint[]) ORDER BY array_position($1::bigint[], a.id)`,
)
const readBefore = statement(
  'read_audit_log_before',
  `WITH ${auditNames}
   SELECT ${columns}, NULL::text AS target_name
   FROM audit_log a LEFT JOIN users u ON u.id = a.actor_id
   WHERE ${auditFilters} AND (:search = '' OR ${auditSays}) AND a.id < :before
   ORDER BY a.id DESC LIMIT :limit`,
)

interface AuditRow {
  readonly id: number
  readonly created_at: Date
  readonly action: string
  readonly target_type: string | null
  readonly target_id: string | null
  /** Of pages alone: the file has no room for it. */
  readonly target_name: string | null
  readonly before: unknown
  readonly after: unknown
  readonly reason: string | null
  readonly batch_id: string | null
  readonly request_id: string | null
  readonly actor_id: number | null
  readonly username: string
  readonly display_name: string
}

/**
 * One page of the log; `search` is looked for in actor, action, target, reason and in
 * the name of the person concerned.
 */
export async function auditPage(db: Database, query: AuditQuery): Promise<AuditResponse> {
  const { page, limit } = query
  const { rows, total } = await atOneMoment(db, async (tx) => {
    const { ids, total } = await auditIds(tx, query, (page - 1) * limit, limit)
    return { total, rows: await tx.run<AuditRow>(readPicked, [ids]) }
  })
  return { entries: rows.map(auditEntry), total, totalPages: pagesOf(total, limit), page, limit }
}

const heading = [
  'id',
  'createdAt',
  'actorId',
  'actor',
  'action',
  'targetType',
  'targetId',
  'before',
  'after',
  'reason',
  'batchId',
  'requestId',
]

/** The log as pieces of a CSV file, newest first. */
export function auditFile(
  db: Queryable,
  query: AuditFileQuery,
  rowsMax = adminFileRowsMax,
): AsyncIterable<string> {
  const values = { ...filterValues(query), ...searchValues(query.search) }
  return csvPieces<AuditRow>({
    heading,
    rowsMax,
    read: (last, limit) =>
      db.run<AuditRow>(readBefore, {
        ...values,
        before: last?.id ?? Number.MAX_SAFE_INTEGER,
        limit,
      }),
    cells: (row) => [
      row.id,
      row.created_at.toISOString(),
      row.actor_id,
      row.actor_id === null ? null : row.username,
      row.action,
      row.target_type,
      row.target_id,
      row.before === null ? null : JSON.stringify(row.before),
      row.after === null ? null : JSON.stringify(row.after),
      row.reason,
      row.batch_id,
      row.request_id,
    ],
  })
}

function auditEntry(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    createdAt: row.created_at.toISOString(),
    actor:
      row.actor_id === null
        ? null
        : { id: row.actor_id, username: row.username, displayName: row.display_name },
    action: row.action,
    target:
      row.target_type === null
        ? null
        : { type: row.target_type, id: row.target_id, name: row.target_name },
    before: row.before,
    after: row.after,
    reason: row.reason,
    batchId: row.batch_id,
    requestId: row.request_id,
  }
}
