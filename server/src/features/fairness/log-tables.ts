// The SQL of the public log: its queue, its entries and the hashes of its subtrees, with the roots
// that follow from them; and the sums of what was drawn.

import { hexOf, isHex32 } from '@redpack/fair/bytes'
import { tableOfText } from '@redpack/fair/draw'
import { entryOfText, entryText, isEntry, type LogEntry, tableEntries } from '@redpack/fair/entries'
import {
  type HashRun,
  hashBytes,
  hashesIn,
  type LeafRange,
  rangeEdges,
  rangeRoots,
  type Subtree,
  type TreeEdge,
} from '@redpack/fair/tree'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import { oneValueQuery, writeQuery } from '../../adapters/db/queries.ts'
import { logHashes } from '../../adapters/random/hashing.ts'

// Any constant that no other lock of the product uses.
const appendLock = 7_330_112

/** Makes this transaction the one that appends, once no other does. */
export const waitForAppendLock = writeQuery(
  'wait_for_draw_log_lock',
  `SELECT pg_advisory_xact_lock(${appendLock})`,
)
/** False when another transaction appends. */
export const tryAppendLock = oneValueQuery<{ taken: boolean }>(
  'try_draw_log_lock',
  `SELECT pg_try_advisory_xact_lock(${appendLock}) AS taken`,
)

export const logSize = oneValueQuery<{ size: number }>(
  'read_log_size',
  'SELECT coalesce(max(index) + 1, 0)::bigint AS size FROM log_entries',
)

// Hashes of neighbouring subtrees of one level, put together; the leaves are level 0.
const readRuns = statement(
  'read_log_hashes',
  `SELECT CASE WHEN w.level = 0
     THEN (SELECT string_agg(leaf_hash, ''::bytea ORDER BY index) FROM log_entries
       WHERE index >= w.first AND index < w.first + w.count)
     ELSE (SELECT string_agg(hash, ''::bytea ORDER BY position) FROM log_subtrees
       WHERE level = w.level AND position >= w.first AND position < w.first + w.count) END AS hashes
   FROM unnest($1::int[], $2::bigint[], $3::int[]) WITH ORDINALITY AS w (level, first, count, place)
   ORDER BY w.place`,
)

const addEntries = statement(
  'append_log_entries',
  `WITH entries AS (
     INSERT INTO log_entries (index, body, leaf_hash)
     SELECT :firstIndex::bigint + place - 1, body,
       substring(:leafHashes::bytea FROM place::int * 32 - 31 FOR 32)
     FROM string_to_table(:bodies, E'\\n') WITH ORDINALITY AS e (body, place)
   ), subtrees AS (
     INSERT INTO log_subtrees (level, position, hash)
     SELECT level, position, decode(hash, 'hex')
     FROM unnest(:levels::int[], :positions::bigint[], :hashes::text[]) AS s (level, position, hash)
   ), requests AS (
     INSERT INTO log_requests (request_id, index)
     SELECT * FROM unnest(:requestIds::uuid[], :requestIndexes::bigint[])
   ), stock AS (
     INSERT INTO log_stock_events (event_id, index)
     SELECT * FROM unnest(:eventIds::bigint[], :eventIndexes::bigint[])
   )
   DELETE FROM log_queue WHERE id = ANY (:queueIds::bigint[])`,
)
/** Brings the hashes of each run of neighbouring subtrees. @throws Error when one is missing */
const runsIn = (db: Queryable) => async (runs: readonly HashRun[]) => {
  if (runs.length === 0) return []
  const rows = await db.run<{ hashes: Uint8Array | null }>(readRuns, [
    runs.map(({ level }) => level),
    runs.map(({ first }) => first),
    runs.map(({ count }) => count),
  ])
  return runs.map(({ level, first, count }, place) => {
    const bytes = rows[place]?.hashes ?? new Uint8Array()
    if (bytes.length !== count * hashBytes) {
      throw new Error(`The log has lost hashes of level ${level} from ${first} on`)
    }
    return hashesIn(bytes, count)
  })
}

export async function treeEdge(db: Queryable, size: number): Promise<TreeEdge> {
  const [edge = []] = await rangeEdges([{ start: 0, end: size }], runsIn(db), logHashes)
  return edge
}

export function logRoots(db: Queryable, ranges: readonly LeafRange[]): Promise<Uint8Array[]> {
  return rangeRoots(ranges, runsIn(db), logHashes)
}

/**
 * Writes entries, subtrees and where their sources stand; takes the rows off the queue. First steps
 * of shipments follow the opening of their row.
 */
export async function appendEntries(
  tx: Queryable,
  size: number,
  rows: readonly WaitingRow[],
  firstSteps: ReadonlyMap<number, readonly string[]>,
  bodies: readonly string[],
  leafHashes: readonly Uint8Array[],
  subtrees: readonly Subtree[],
): Promise<void> {
  let end = size
  const placed = rows.map((row) => {
    const index = end + row.entries.length - 1
    end = index + 1 + (firstSteps.get(row.id)?.length ?? 0)
    return { ...row, index }
  })
  const requests = placed.filter(({ requestId }) => requestId !== null)
  const events = placed.filter(({ stockEventId }) => stockEventId !== null)
  await tx.run(addEntries, {
    firstIndex: size,
    // One text: an array would be quoted and read back piece by piece. JSON has no line breaks.
    bodies: bodies.join('\n'),
    leafHashes: Buffer.concat(leafHashes),
    levels: subtrees.map(({ level }) => level),
    positions: subtrees.map(({ position }) => position),
    hashes: subtrees.map(({ hash }) => hexOf(hash)),
    requestIds: requests.map(({ requestId }) => requestId),
    requestIndexes: requests.map(({ index }) => index),
    eventIds: events.map(({ stockEventId }) => stockEventId),
    eventIndexes: events.map(({ index }) => index),
    queueIds: rows.map(({ id }) => id),
  })
}

/** The unit that the end of a shipment has given back into stock. */
const givenBack = `SELECT s.id FROM prize_claims p JOIN stock_events s ON s.kind = 'prize'
  AND s.ref_id = p.prize_id AND s.source_type = 'shipment' AND s.source_id = h.ref
  WHERE p.id = h.row_id`

/**
 * What the rows of the product say of those of `head`: each has an `id`, a `kind` of entry and the
 * `ref` of what it tells, or a `body` of its own. A reference that is not what its kind names finds
 * nothing, and fails nothing. What it names is looked up row by row: a plain join is planned to
 * read all requests and chains that there are.
 */
const toldSql = (head: string) => `WITH head AS MATERIALIZED (
     SELECT id, kind, ref, body,
       CASE WHEN (kind = 'shipment' OR body IS NULL AND kind <> 'opening')
         AND ref ~ '^[0-9]{1,18}$' THEN ref::bigint END AS row_id,
       CASE WHEN kind = 'opening' AND ref LIKE '________-____-____-____-____________'
         AND octet_length(translate(ref, '-', '')) = 32 AND ref !~ '[^0-9a-f-]'
         THEN ref::uuid END AS named_request
     FROM (${head}) AS told
   )
   SELECT h.id, h.kind, h.ref, h.body, r.id AS "requestId", r.odds_table_id AS "oddsTableId",
     t.table_hash AS "tableHash", CASE WHEN h.kind = 'table' THEN t.body END AS "tableBody",
     e.id AS "stockEventId",
     CASE WHEN c.id IS NOT NULL AND (h.kind = 'chain' OR r.chain_index = 0)
       THEN json_build_object('type', 'chain', 'chainId', c.id, 'commitment', c.first_commitment)
       END AS chain,
     CASE WHEN e.id IS NOT NULL
       THEN json_build_object('type', 'stock', 'prizeId', e.ref_id, 'delta', e.delta,
         'after', e.quantity_after)
     WHEN c.id IS NULL OR h.kind = 'chain' THEN NULL
     WHEN r.id IS NOT NULL
       THEN json_build_object('type', 'opening', 'id', r.id,
         'at', to_char(r.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI":00.000Z"'),
         'packTypeId', r.pack_type_id, 'tableHash', t.table_hash, 'chainId', r.chain_id,
         'index', r.chain_index, 'serverSeed', r.server_seed, 'entropy', r.entropy,
         'entropyFrom', r.entropy_from, 'next', r.next_commitment,
         'results', (SELECT json_agg(json_build_array(o.prize_id, o.sold_out_prize_id,
             o.stock_after, o.red_coin_earned) ORDER BY o.position)
           FROM all_pack_openings o WHERE o.request_id = r.id))
     WHEN c.ended_at IS NOT NULL
       THEN json_build_object('type', 'end', 'chainId', c.id, 'index', c.index,
         'serverSeed', c.end_seed) END AS entry,
     coalesce(l.index, k.index) AS "loggedAt"
   FROM head h
   LEFT JOIN LATERAL (SELECT * FROM opening_requests WHERE id = h.named_request LIMIT 1) r ON true
   LEFT JOIN LATERAL (SELECT * FROM draw_chains WHERE id = CASE WHEN h.kind = 'opening'
     THEN r.chain_id WHEN h.kind IN ('chain', 'end') THEN h.row_id END LIMIT 1) c ON true
   LEFT JOIN odds_tables t ON t.id = CASE h.kind WHEN 'opening' THEN r.odds_table_id
     WHEN 'table' THEN h.row_id END
   LEFT JOIN LATERAL (SELECT * FROM stock_events WHERE id = CASE WHEN h.kind = 'stock' THEN h.row_id
     WHEN h.kind = 'shipment' AND h.body ~ '"step":"(declined|lapsed)"' THEN (${givenBack})
     END LIMIT 1) e ON true
   LEFT JOIN LATERAL (SELECT index FROM log_stock_events WHERE event_id = e.id LIMIT 1) k ON true
   LEFT JOIN LATERAL (SELECT index FROM log_requests WHERE request_id = r.id LIMIT 1) l ON true
   ORDER BY h.id`

const readWaiting = statement(
  'read_log_queue',
  toldSql('SELECT id, kind, ref, body FROM log_queue WHERE set_aside IS NULL ORDER BY id LIMIT $1'),
)
const readBehind = statement(
  'read_rows_behind_entries',
  toldSql(`SELECT index AS id, kind, NULL::text AS body,
     CASE kind WHEN 'table' THEN (SELECT id::text FROM odds_tables WHERE table_hash = named)
       ELSE named END AS ref
     FROM unnest($1::bigint[], $2::text[], $3::text[]) AS n (index, kind, named)`),
)
const readEvents = statement(
  'read_stock_events_behind_entries',
  `SELECT index, event_id::text AS named FROM log_stock_events WHERE index = ANY ($1::bigint[])`,
)

const setAside = statement(
  'set_log_queue_aside',
  `UPDATE log_queue SET set_aside = d.reason
   FROM unnest($1::bigint[], $2::text[]) AS d (id, reason) WHERE log_queue.id = d.id`,
)
const addToCounts = statement(
  'add_to_draw_counts',
  `INSERT INTO draw_counts (odds_table_id, prize_id, wins, sold_out)
   SELECT odds_table_id, prize_id, count(*) FILTER (WHERE NOT is_sold_out),
     count(*) FILTER (WHERE is_sold_out)
   FROM unnest($1::int[], $2::int[], $3::boolean[]) AS d (odds_table_id, prize_id, is_sold_out)
   GROUP BY odds_table_id, prize_id
   ON CONFLICT (odds_table_id, prize_id) DO UPDATE
     SET wins = draw_counts.wins + EXCLUDED.wins,
       sold_out = draw_counts.sold_out + EXCLUDED.sold_out`,
)

interface ToldRow {
  readonly id: number
  readonly kind: LogEntry['type']
  readonly ref: string
  /** The entry itself, of what was changed without an event. */
  readonly body: string | null
  /** Of an opening request, whose entry is the last of its row. */
  readonly requestId: string | null
  readonly oddsTableId: number
  readonly tableHash: string
  readonly tableBody: string | null
  readonly stockEventId: number | null
  /** What begins the chain, of the chain and of its first opening. */
  readonly chain: LogEntry | null
  readonly entry: LogEntry | null
  /** Where an opening request or a change of stock stands in the log. */
  readonly loggedAt: number | null
}

export interface WaitingRow extends ToldRow {
  /** Texts of its entries, none when what it names is missing or cannot be told. */
  readonly entries: readonly string[]
}

const told = (rows: readonly ToldRow[]): WaitingRow[] =>
  rows.map((row) => ({ ...row, entries: textsOf(row) }))

export async function waitingRows(tx: Queryable, limit: number): Promise<WaitingRow[]> {
  return told(await tx.run<ToldRow>(readWaiting, [limit]))
}

/** An entry as it stands in the log; undefined where its text is none. */
export interface LoggedEntry {
  readonly index: number
  readonly entry: LogEntry | undefined
}

/** What the product's rows say of entries of the log, by their index. */
export async function rowsBehind(db: Queryable, logged: readonly LoggedEntry[]) {
  const stock = logged.flatMap(({ index, entry }) => (entry?.type === 'stock' ? index : []))
  // Most entries are openings.
  const events =
    stock.length === 0 ? [] : await db.run<{ index: number; named: string }>(readEvents, [stock])
  const eventAt = new Map(events.map(({ index, named }) => [index, named]))
  const namedBy = ({ index, entry }: LoggedEntry) => {
    if (entry?.type === 'opening') return entry.id
    if (entry?.type === 'table') return entry.tableHash
    if (entry?.type === 'stock') return eventAt.get(index)
    return entry && 'chainId' in entry ? String(entry.chainId) : undefined
  }
  const rows = await db.run<ToldRow>(readBehind, [
    logged.map(({ index }) => index),
    logged.map(({ entry }) => entry?.type ?? null),
    logged.map((each) => namedBy(each) ?? null),
  ])
  return new Map(told(rows).map((row) => [row.id, row]))
}

/** What no reader would take for an entry is none. */
function textsOf({ kind, body, tableHash, tableBody, chain, entry }: ToldRow): string[] {
  if (body !== null && entryOfText(body)?.type !== kind) return []
  const hasEntries = kind === 'chain' || entry !== null
  const own = hasEntries ? [chain, entry].filter((each) => each !== null) : []
  const isNamed = kind === 'table' && isHex32(tableHash)
  const table = isNamed ? tableOfText(tableBody ?? '') : undefined
  const entries = table ? tableEntries(tableHash, table) : own
  const texts = entries.every(isEntry) ? entries.map(entryText) : []
  return body === null ? texts : [body, ...texts]
}

/** Leaves rows in the queue for the books to name them, out of the way of those behind them. */
export const setRowsAside = (
  tx: Queryable,
  rows: readonly { readonly id: number; readonly reason: string }[],
) => tx.run(setAside, [rows.map(({ id }) => id), rows.map(({ reason }) => reason)])

/** Adds up what the openings of requests gave, per odds table and prize. */
export async function countDraws(tx: Queryable, rows: readonly WaitingRow[]): Promise<void> {
  const draws = rows.flatMap(({ entry, oddsTableId }) =>
    entry?.type === 'opening' ? entry.results.map((result) => ({ oddsTableId, result })) : [],
  )
  if (draws.length === 0) return
  await tx.run(addToCounts, [
    draws.map(({ oddsTableId }) => oddsTableId),
    draws.map(({ result: [won, soldOut] }) => won ?? soldOut ?? 0),
    draws.map(({ result: [, soldOut] }) => soldOut !== null),
  ])
}
