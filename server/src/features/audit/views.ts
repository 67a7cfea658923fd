// Who did what among staff, as pages and as a file.

import type { AuditEntry, AuditFileQuery, AuditQuery, AuditResponse } from '@redpack/contract'
import { adminFileRowsMax } from '@redpack/contract/limits'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import { csvPieces } from '../../shared/csv-file.ts'
import { containing, pagesOf } from '../../shared/search-pattern.ts'

/** People whose names match, and claims or files of theirs, that a search looks at. */
const namedMax = 1_000
const namedTargetsMax = 10_000

const columns = `a.id, a.created_at, a.action, a.target_type, a.target_id, a.before, a.after,
  a.reason, a.batch_id, a.request_id, u.id AS actor_id, u.username, u.display_name`
/**
 * People by name, at most as many as anybody would look through: from them it goes to what was done
 * to them, to their claims and to the files with rows of theirs, each along an index.
 */
const named = `named AS MATERIALIZED (
    SELECT id FROM users
    WHERE :search <> '' AND (username ILIKE :pattern OR display_name ILIKE :pattern)
    ORDER BY id LIMIT ${namedMax}
  ), named_claims AS MATERIALIZED (
    SELECT c.id FROM prize_claims c JOIN named ON c.user_id = named.id
    ORDER BY c.id DESC LIMIT ${namedTargetsMax}
  ), named_batches AS MATERIALIZED (
    SELECT DISTINCT r.batch_id AS id FROM bulk_batch_rows r JOIN named ON r.user_id = named.id
    LIMIT ${namedTargetsMax}
  )`
const matching = `FROM audit_log a LEFT JOIN users u ON u.id = a.actor_id
  WHERE (:search = '' OR a.action ILIKE :pattern OR a.target_id ILIKE :pattern
      OR a.reason ILIKE :pattern
      OR u.username ILIKE :pattern OR u.display_name ILIKE :pattern
      OR (a.target_type = 'user' AND a.target_id IN (SELECT id::text FROM named))
      OR (a.target_type = 'claim' AND a.target_id IN (SELECT id::text FROM named_claims))
      OR (a.target_type = 'bulk_batch' AND a.target_id IN (SELECT id::text FROM named_batches)))
    AND (:action = '' OR a.action = :action OR starts_with(a.action, :action || '.'))
    AND (:actorId::int IS NULL OR a.actor_id = :actorId)
    AND (:targetType = '' OR a.target_type = :targetType)
    AND (:targetId = '' OR a.target_id = :targetId)
    AND (:batchId::uuid IS NULL OR a.batch_id = :batchId)
    AND (:from::timestamptz IS NULL OR a.created_at >= :from)
    AND (:until::timestamptz IS NULL OR a.created_at < :until)`

// The total stands beside the page in one snapshot. A page past the end still has its one row.
const readPage = statement(
  'read_audit_log',
  `WITH ${named}
   SELECT counted.total, page.* FROM (SELECT count(*)::int AS total ${matching}) counted
   LEFT JOIN LATERAL (SELECT ${columns} ${matching} ORDER BY a.id DESC
     LIMIT :limit OFFSET :offset) page ON true
   ORDER BY page.id DESC`,
)
const readBefore = statement(
  'read_audit_log_before',
  `WITH ${named}
   SELECT ${columns} ${matching} AND a.id < :before ORDER BY a.id DESC LIMIT :limit`,
)

interface AuditRow {
  readonly id: number
  readonly created_at: Date
  readonly action: string
  readonly target_type: string | null
  readonly target_id: string | null
  readonly before: unknown
  readonly after: unknown
  readonly reason: string | null
  readonly batch_id: string | null
  readonly request_id: string | null
  readonly actor_id: number | null
  readonly username: string
  readonly display_name: string
}

function filterValues(query: AuditFileQuery) {
  const { search, action, actorId, targetType, targetId, batchId, from, until } = query
  return {
    search,
    pattern: containing(search),
    action,
    actorId: actorId ?? null,
    targetType,
    targetId,
    batchId: batchId ?? null,
    from: from ?? null,
    until: until ?? null,
  }
}

/**
 * One page of the log, newest first; `search` is looked for in actor, action, target, reason and in
 * the name of the person concerned.
 */
export async function auditPage(db: Queryable, query: AuditQuery): Promise<AuditResponse> {
  const { page, limit } = query
  const rows = await db.run<{ total: number } & (AuditRow | { readonly id: null })>(readPage, {
    ...filterValues(query),
    limit,
    offset: (page - 1) * limit,
  })
  const total = rows[0]?.total ?? 0
  return {
    entries: rows.flatMap((row) => (row.id === null ? [] : [auditEntry(row)])),
    total,
    totalPages: pagesOf(total, limit),
    page,
    limit,
  }
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
  const values = filterValues(query)
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
    target: row.target_type === null ? null : { type: row.target_type, id: row.target_id },
    before: row.before,
    after: row.after,
    reason: row.reason,
    batchId: row.batch_id,
    requestId: row.request_id,
  }
}
