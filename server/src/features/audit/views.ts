// Who did what among staff: which entries stand on a page, as pages and as a file.

import type { AuditEntry, AuditFileQuery, AuditQuery, AuditResponse } from '@redpack/contract'
import { adminFileRowsMax, hitsMax } from '@redpack/contract/limits'
import { type Database, type Queryable, statement } from '../../adapters/db/database.ts'
import { oneValueQuery } from '../../adapters/db/queries.ts'
import { atOneMoment } from '../../adapters/db/retry.ts'
import {
  containing,
  type IdRow,
  idsOf,
  isCommonWord,
  literally,
  type PageOfIds,
  pageFromCloserEnd,
  sampleOf,
  searchWords,
  type WordSearch,
  sequentialScan as wordsScanned,
} from '../../adapters/db/word-search.ts'
import { csvPieces } from '../../shared/csv-file.ts'
import { type Dated, isoTimes } from '../../shared/iso-times.ts'
import { placeOf } from '../../shared/pagination.ts'
import { authorOf } from '../../shared/standing-sql.ts'
import { rowsOf } from '../books/history-sums-sql.ts'

/** People whose names match, and claims or files of theirs, that a search looks at. */
const namedMax = 1_000
const namedTargetsMax = 10_000

/** What a search looks at, written as the index over letters has it. */
const words = `lower(a.action || E'\\n' || coalesce(a.target_id, '') || E'\\n'
  || coalesce(a.reason, ''))`

export const auditFilters = `(:action = '' OR a.action = :action OR a.action LIKE :actions)
    AND (:actorId::int IS NULL OR a.actor_id = :actorId)
    AND (:targetType = '' OR a.target_type = :targetType)
    AND (:targetId = '' OR a.target_id = :targetId)
    AND (:batchId::uuid IS NULL OR a.batch_id = :batchId)
    AND (:from::timestamptz IS NULL OR a.created_at >= :from)
    AND (:until::timestamptz IS NULL OR a.created_at < :until)
    AND (:before::bigint IS NULL OR a.id < :before)`

/** Claims of the people by name, and files with rows of theirs. */
const targetsOf = (named: string) => `named_claims AS MATERIALIZED (
    SELECT c.id FROM prize_claims c JOIN ${named} named ON c.user_id = named.id
    ORDER BY c.id DESC LIMIT ${namedTargetsMax}
  ), named_batches AS MATERIALIZED (
    SELECT DISTINCT r.batch_id AS id FROM bulk_batch_rows r JOIN ${named} named
      ON r.user_id = named.id LIMIT ${namedTargetsMax}
  )`

/**
 * People by name, at most as many as anybody would look through: from them it goes to what was done
 * to them, to their claims and to the files with rows of theirs, each along an index.
 */
export const auditNames = `named AS MATERIALIZED (
    SELECT id FROM users
    WHERE :search <> '' AND (username ILIKE :pattern OR display_name ILIKE :pattern)
    ORDER BY id LIMIT ${namedMax}
  ), ${targetsOf('named')}`
const concernsThem = `(a.target_type = 'user' AND a.target_id IN (SELECT id::text FROM named))
    OR (a.target_type = 'claim' AND a.target_id IN (SELECT id::text FROM named_claims))
    OR (a.target_type = 'bulk_batch' AND a.target_id IN (SELECT id::text FROM named_batches))`
/** Whether an entry `a` of the actor `u` says what is looked for. */
export const auditSays = `(a.action ILIKE :pattern OR a.target_id ILIKE :pattern
    OR a.reason ILIKE :pattern OR u.username ILIKE :pattern OR u.display_name ILIKE :pattern
    OR ${concernsThem})`

const namedBy = (column: string) =>
  `SELECT u.id FROM people_search s JOIN users u ON u.id = s.user_id
   WHERE ${column} LIKE lower($1) AND (u.username ILIKE $1 OR u.display_name ILIKE $1)
   ORDER BY s.user_id LIMIT $2`
const named: WordSearch = {
  sample: sampleOf('people_search', 'sample_named_in_audit'),
  byIndex: statement('find_named_in_audit', namedBy('s.words')),
  sequentialScan: statement('find_named_in_audit_in_passing', namedBy(wordsScanned('s.words'))),
}
const auditWords = { sample: sampleOf('audit_log a', 'sample_audit_words', words) }
// From one actor to the next along their index: they are few, and their entries many.
const readActors = statement(
  'find_actors_by_name',
  `WITH RECURSIVE actor (id) AS (
     SELECT min(actor_id) FROM audit_log
     UNION ALL
     SELECT (SELECT min(actor_id) FROM audit_log WHERE actor_id > actor.id) FROM actor
     WHERE actor.id IS NOT NULL
   )
   SELECT u.id FROM actor JOIN users u ON u.id = actor.id
   WHERE u.username ILIKE $1 OR u.display_name ILIKE $1`,
)

const countAll = oneValueQuery<{ total: number }>(
  'count_audit',
  `SELECT ${rowsOf('audit', 'audit_log')}::int AS total`,
)
const page = (order: string) => `SELECT id FROM audit_log ORDER BY id${order} LIMIT $1 OFFSET $2`
const readDown = statement('audit_newest', page(' DESC'))
const readUp = statement('audit_oldest', page(''))

/** What finds entries, with the newest of them first or the oldest. */
function searchesOf(name: string, order: string) {
  const first = `ORDER BY a.id${order} LIMIT :rowsMax`
  const part = (where: string) =>
    `(SELECT a.id FROM audit_log a WHERE ${auditFilters} AND ${where} ${first})`
  const targeted = (type: string, ids: string) =>
    part(`a.target_type = '${type}' AND a.target_id = ANY(ARRAY(${ids}))`)
  return {
    filtered: statement(
      `audit_filtered${name}`,
      `SELECT a.id FROM audit_log a WHERE ${auditFilters} ${first}`,
    ),
    sequentialScan: statement(
      `find_audit_in_passing${name}`,
      `WITH ${auditNames}
       SELECT a.id FROM audit_log a LEFT JOIN users u ON u.id = a.actor_id
       WHERE ${auditFilters} AND ${auditSays} ${first}`,
    ),
    byIndex: statement(
      `find_audit_by_index${name}`,
      `WITH named AS MATERIALIZED (SELECT unnest(:named::int[]) AS id), ${targetsOf('named')}
       SELECT id FROM (
         ${part(`${words} LIKE lower(:pattern)`)}
         UNION ${part('a.actor_id = ANY(:actors::int[])')}
         UNION ${targeted('user', 'SELECT id::text FROM named')}
         UNION ${targeted('claim', 'SELECT id::text FROM named_claims')}
         UNION ${targeted('bulk_batch', 'SELECT id::text FROM named_batches')}
       ) found ORDER BY id${order} LIMIT :rowsMax`,
    ),
  }
}
const searches = { '-createdAt': searchesOf('', ' DESC'), createdAt: searchesOf('_oldest', '') }

/** The filters of a query as values of `auditFilters`; `before` is apart. */
export function filterValues(query: AuditFileQuery) {
  const { action, actorId, targetType, targetId, batchId, from, until } = query
  return {
    action,
    // What LIKE takes for a sign of its own may stand in an action.
    actions: `${literally(action)}.%`,
    actorId: actorId ?? null,
    targetType,
    targetId,
    batchId: batchId ?? null,
    from: from ?? null,
    until: until ?? null,
  }
}

/** The search of a query as values of `auditNames` and `auditSays`. */
export function searchValues(search: string) {
  return { search, pattern: containing(search) }
}

/** Entries from `offset` on. To be read at one moment, with statements planned for their values. */
export async function auditIds(
  tx: Queryable,
  query: AuditQuery,
  offset: number,
  limit: number,
): Promise<PageOfIds> {
  const { search, sort } = query
  const filters = filterValues(query)
  const { actions: _actions, ...asked } = filters
  const isFiltered = Object.values(asked).some((value) => value !== null && value !== '')
  if (search !== '' || isFiltered) {
    const hits = await hitsOf(tx, query, { ...filters, before: null, rowsMax: hitsMax + 1 })
    const total = Math.min(hits.length, hitsMax)
    return { ids: hits.slice(offset, Math.min(offset + limit, total)), total }
  }
  const total = await countAll(tx)
  const [there, back] = sort === 'createdAt' ? [readUp, readDown] : [readDown, readUp]
  return { ids: await pageFromCloserEnd(tx, [there, back], { offset, limit, total }), total }
}

type FilterValues = ReturnType<typeof filterValues> & {
  readonly before: number | null
  readonly rowsMax: number
}

async function hitsOf(
  tx: Queryable,
  { search, sort }: Pick<AuditQuery, 'search' | 'sort'>,
  filters: FilterValues,
): Promise<number[]> {
  const { filtered, sequentialScan, byIndex } = searches[sort]
  if (search === '') return idsOf(await tx.run<IdRow>(filtered, filters))
  const pattern = containing(search)
  if (await isCommonWord(tx, auditWords, pattern)) {
    return idsOf(await tx.run<IdRow>(sequentialScan, { ...filters, ...searchValues(search) }))
  }
  const people = idsOf(await searchWords<IdRow>(tx, named, pattern, namedMax))
  const actors = idsOf(await tx.run<IdRow>(readActors, [pattern]))
  return idsOf(await tx.run<IdRow>(byIndex, { ...filters, pattern, named: people, actors }))
}

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
  `SELECT a.id, a.created_at AS "createdAt", ${authorOf('u')} AS actor, a.action,
     CASE WHEN a.target_type IS NOT NULL THEN json_build_object('type', a.target_type,
       'id', a.target_id, 'name', ${targetName}) END AS target,
     a.before, a.after, a.reason, a.batch_id AS "batchId", a.request_id AS "requestId"
   FROM audit_log a LEFT JOIN users u ON u.id = a.actor_id
   CROSS JOIN LATERAL (SELECT substring(a.target_id FROM '^[0-9]{1,9}$')::int AS id) t
   WHERE a.id = ANY($1::bigint[]) ORDER BY array_position($1::bigint[], a.id)`,
)

type AuditRow = Dated<AuditEntry, 'createdAt'>

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
  return { entries: rows.map(isoTimes), ...placeOf(total, query) }
}

/** The log as pieces of a CSV file, newest first. */
export function auditFile(
  db: Database,
  query: AuditFileQuery,
  rowsMax = adminFileRowsMax,
): AsyncIterable<string> {
  const newestFirst = { ...query, sort: '-createdAt' } as const
  return csvPieces<AuditRow>({
    rowsMax,
    read: (last, limit) =>
      atOneMoment(db, async (tx) => {
        const part = { before: last?.id ?? null, rowsMax: limit }
        const ids = await hitsOf(tx, newestFirst, { ...filterValues(query), ...part })
        return tx.run<AuditRow>(readPicked, [ids])
      }),
    columns: {
      id: (row) => row.id,
      createdAt: (row) => row.createdAt.toISOString(),
      actorId: (row) => row.actor?.id,
      actor: (row) => row.actor?.username,
      action: (row) => row.action,
      targetType: (row) => row.target?.type,
      targetId: (row) => row.target?.id,
      before: (row) => (row.before === null ? null : JSON.stringify(row.before)),
      after: (row) => (row.after === null ? null : JSON.stringify(row.after)),
      reason: (row) => row.reason,
      batchId: (row) => row.batchId,
      requestId: (row) => row.requestId,
    },
  })
}
