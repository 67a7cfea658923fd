// The SQL of the public log's queue: what waits with all it names, and the sums of what was drawn.

import { isHex32 } from '@redpack/fair/bytes'
import {
  entryOfText,
  entryText,
  type LogEntry,
  type LoggedResult,
  minuteOf,
  tableEntries,
} from '@redpack/fair/entries'
import { tableOfText } from '@redpack/fair/odds'
import { type Queryable, statement } from '../../adapters/db/database.ts'

/** What an opening request says in the log, from `r`, `c` (its chain) and `t` (its table). */
export const loggedOpeningColumns = `r.id AS request_id, r.created_at, r.pack_type_id, t.table_hash,
  r.chain_id, r.chain_index, r.server_seed, r.entropy, r.entropy_from, r.next_commitment,
  (SELECT json_agg(json_build_array(o.prize_id, o.sold_out_prize_id, o.stock_after,
     o.red_coin_earned) ORDER BY o.position)
   FROM all_pack_openings o WHERE o.request_id = r.id) AS results`

// A reference that is not what its kind names finds nothing, and fails nothing. What it names is
// looked up row by row: a plain join is planned to read all requests and chains that there are.
const readWaiting = statement(
  'read_log_queue',
  `WITH head AS MATERIALIZED (
     SELECT id, kind, ref, body,
       CASE WHEN body IS NULL AND kind <> 'opening' AND ref ~ '^[0-9]{1,18}$'
         THEN ref::bigint END AS row_id,
       CASE WHEN kind = 'opening' AND ref LIKE '________-____-____-____-____________'
         AND octet_length(translate(ref, '-', '')) = 32 AND ref !~ '[^0-9a-f-]'
         THEN ref::uuid END AS named_request
     FROM log_queue WHERE set_aside IS NULL ORDER BY id LIMIT $1
   )
   SELECT h.id, h.kind, h.ref, h.body, r.odds_table_id, ${loggedOpeningColumns},
     t.body AS table_body,
     c.id AS found_chain, c.first_commitment, c.index, c.ended_at IS NOT NULL AS is_ended,
     c.end_seed, e.id AS event_id, e.ref_id AS prize_id, e.delta, e.quantity_after,
     l.request_id IS NOT NULL OR k.event_id IS NOT NULL AS is_logged
   FROM head h
   LEFT JOIN LATERAL (SELECT * FROM opening_requests WHERE id = h.named_request LIMIT 1) r ON true
   LEFT JOIN LATERAL (SELECT * FROM draw_chains WHERE id = CASE h.kind
     WHEN 'opening' THEN r.chain_id WHEN 'end' THEN h.row_id END LIMIT 1) c ON true
   LEFT JOIN odds_tables t ON t.id = CASE h.kind WHEN 'opening' THEN r.odds_table_id
     WHEN 'table' THEN h.row_id END
   LEFT JOIN LATERAL (SELECT * FROM stock_events WHERE h.kind = 'stock' AND id = h.row_id LIMIT 1) e
     ON true
   LEFT JOIN LATERAL (SELECT event_id FROM log_stock_events WHERE event_id = e.id LIMIT 1) k ON true
   LEFT JOIN LATERAL (SELECT request_id FROM log_requests WHERE request_id = r.id LIMIT 1) l ON true
   ORDER BY h.id`,
)

const setAside = statement(
  'set_log_queue_aside',
  `UPDATE log_queue SET set_aside = d.reason
   FROM unnest($1::bigint[], $2::text[]) AS d (id, reason) WHERE log_queue.id = d.id`,
)
const addToCounts = statement(
  'add_to_draw_counts',
  `INSERT INTO draw_counts (odds_table_id, prize_id, wins, sold_out)
   SELECT * FROM unnest($1::int[], $2::int[], $3::bigint[], $4::bigint[])
   ON CONFLICT (odds_table_id, prize_id) DO UPDATE
     SET wins = draw_counts.wins + EXCLUDED.wins,
       sold_out = draw_counts.sold_out + EXCLUDED.sold_out`,
)

/** An opening request as its entry tells it. */
export interface LoggedOpeningRow {
  readonly request_id: string
  readonly created_at: Date
  readonly pack_type_id: number
  readonly table_hash: string
  readonly chain_id: number
  readonly chain_index: number
  readonly server_seed: string
  readonly entropy: string
  readonly entropy_from: 'player' | 'server'
  readonly next_commitment: string
  readonly results: readonly LoggedResult[] | null
}

/** A chain as its entries tell it. */
export interface LoggedChainRow {
  readonly first_commitment: string
  readonly index: number
  readonly is_ended: boolean
  readonly end_seed: string | null
}

interface QueueRow extends Omit<LoggedOpeningRow, 'request_id'>, LoggedChainRow {
  readonly id: number
  readonly kind: 'table' | 'stock' | 'opening' | 'end'
  readonly ref: string
  readonly body: string | null
  readonly request_id: string | null
  readonly odds_table_id: number
  readonly table_body: string | null
  readonly found_chain: number | null
  readonly event_id: number | null
  readonly prize_id: number
  readonly delta: number
  readonly quantity_after: number | null
  readonly is_logged: boolean
}

/** A row of the queue with what it becomes. */
export interface WaitingRow {
  readonly id: number
  readonly kind: QueueRow['kind']
  readonly ref: string
  /** Texts of its entries, none when what it names is missing or cannot be told. */
  readonly entries: readonly string[]
  /** True when an earlier row has brought it into the log. */
  readonly isLogged: boolean
  /** Of an opening request, whose entry is the last of these. */
  readonly requestId: string | undefined
  /** Of a staff change of stock. */
  readonly stockEventId: number | undefined
  readonly oddsTableId: number
  readonly results: readonly LoggedResult[]
}

/** The oldest `limit` rows of the queue. */
export async function waitingRows(tx: Queryable, limit: number): Promise<WaitingRow[]> {
  const rows = await tx.run<QueueRow>(readWaiting, [limit])
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    ref: row.ref,
    entries: textsOf(row),
    isLogged: row.is_logged,
    requestId: row.request_id ?? undefined,
    stockEventId: row.event_id ?? undefined,
    oddsTableId: row.odds_table_id,
    results: row.results ?? [],
  }))
}

/** What no reader would take for an entry is none. */
function textsOf(row: QueueRow): string[] {
  if (row.body !== null) return entryOfText(row.body) === undefined ? [] : [row.body]
  const texts = entriesOf(row).map(entryText)
  return texts.every((text) => entryOfText(text) !== undefined) ? texts : []
}

function entriesOf(row: QueueRow): LogEntry[] {
  const { kind, request_id, found_chain: chainId } = row
  if (kind === 'table' && row.table_body !== null && isHex32(row.table_hash)) {
    const table = tableOfText(row.table_body)
    return table === undefined ? [] : tableEntries(row.table_hash, table)
  }
  if (kind === 'stock' && row.event_id !== null) {
    return [stockEntry(row.prize_id, row.delta, row.quantity_after)]
  }
  if (chainId === null) return []
  if (kind === 'end') return row.is_ended ? [endEntry(chainId, row)] : []
  if (kind !== 'opening' || request_id === null) return []
  const opening = openingEntry({ ...row, request_id })
  return row.chain_index === 0 ? [chainEntry(chainId, row), opening] : [opening]
}

/** The entry with which a chain begins. */
export function chainEntry(chainId: number, { first_commitment }: LoggedChainRow): LogEntry {
  return { type: 'chain', chainId, commitment: first_commitment }
}

/** The entry with which a chain ends. */
export function endEntry(chainId: number, { index, end_seed }: LoggedChainRow): LogEntry {
  return { type: 'end', chainId, index, serverSeed: end_seed }
}

/** The entry of a change of stock. */
export function stockEntry(prizeId: number, delta: number, after: number | null): LogEntry {
  return { type: 'stock', prizeId, delta, after }
}

/** The entry of an opening request. */
export function openingEntry(row: LoggedOpeningRow): LogEntry {
  return {
    type: 'opening',
    id: row.request_id,
    at: minuteOf(row.created_at),
    packTypeId: row.pack_type_id,
    tableHash: row.table_hash,
    chainId: row.chain_id,
    index: row.chain_index,
    serverSeed: row.server_seed,
    entropy: row.entropy,
    entropyFrom: row.entropy_from,
    next: row.next_commitment,
    results: row.results ?? [],
  }
}

/** Leaves rows in the queue for the books to name them, out of the way of those behind them. */
export async function setRowsAside(
  tx: Queryable,
  rows: readonly { readonly id: number; readonly reason: string }[],
): Promise<void> {
  await tx.run(setAside, [rows.map(({ id }) => id), rows.map(({ reason }) => reason)])
}

interface Count {
  readonly oddsTableId: number
  readonly prizeId: number
  wins: number
  soldOut: number
}

/** Adds up what the openings of requests gave, per odds table and prize. */
export async function countDraws(tx: Queryable, rows: readonly WaitingRow[]): Promise<void> {
  const counts = new Map<string, Count>()
  for (const { results, oddsTableId } of rows) {
    for (const [won, soldOut] of results) {
      const prizeId = won ?? soldOut ?? 0
      const key = `${oddsTableId}:${prizeId}`
      const count = counts.get(key) ?? { oddsTableId, prizeId, wins: 0, soldOut: 0 }
      if (soldOut === null) count.wins += 1
      else count.soldOut += 1
      counts.set(key, count)
    }
  }
  if (counts.size === 0) return
  const list = [...counts.values()]
  await tx.run(addToCounts, [
    list.map(({ oddsTableId }) => oddsTableId),
    list.map(({ prizeId }) => prizeId),
    list.map(({ wins }) => wins),
    list.map(({ soldOut }) => soldOut),
  ])
}
