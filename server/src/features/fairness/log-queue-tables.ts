// The SQL of the public log's queue: what waits with all it names, and the sums of what was drawn.

import { type Queryable, statement } from '../../adapters/db/database.ts'
import { sha256Hex } from '../../adapters/random/rolls.ts'
import type { LoggedOpening, LogSource } from '../../rules/log-entry.ts'

// A reference that is not what its kind names finds nothing, and fails nothing.
const readWaiting = statement(
  'read_log_queue',
  `WITH head AS MATERIALIZED (
     SELECT id, kind, ref, body,
       CASE WHEN body IS NULL AND kind <> 'openings' AND ref ~ '^[0-9]{1,18}$'
         THEN ref::bigint END AS row_id,
       CASE WHEN kind IN ('openings', 'carried')
         AND ref ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN ref::uuid END AS request_id
     FROM log_queue WHERE set_aside IS NULL ORDER BY id LIMIT $1
   ), counted AS (
     SELECT head.*, r.id AS found_id, r.created_at, r.pack_type_id, r.odds_table_id,
       r.seed_pair_id, r.first_nonce, CASE WHEN kind = 'openings' THEN r.quantity END AS quantity,
       sum(CASE WHEN kind = 'openings' THEN coalesce(r.quantity, 1) ELSE 1 END)
         OVER (ORDER BY head.id) AS entries
     FROM head LEFT JOIN opening_requests r ON r.id = head.request_id
   )
   SELECT c.id, c.kind, c.ref, c.body, c.found_id AS request_id, c.created_at, c.pack_type_id,
     e.id AS event_id,
     c.odds_table_id, c.first_nonce, c.quantity, s.id AS pair_id, s.server_seed_hash, s.client_seed,
     s.scheme, CASE WHEN s.status = 'revealed' THEN s.server_seed END AS server_seed,
     t.table_hash, CASE WHEN c.kind = 'table' THEN t.body END AS table_body,
     e.ref_id AS prize_id, e.delta, e.quantity_after,
     l.request_id IS NOT NULL OR k.event_id IS NOT NULL
       OR (c.kind = 'commitment' AND s.commitment_index IS NOT NULL) AS is_logged
   FROM counted c
   LEFT JOIN seed_pairs s ON s.id = CASE c.kind WHEN 'openings' THEN c.seed_pair_id
     WHEN 'commitment' THEN c.row_id WHEN 'reveal' THEN c.row_id END
   LEFT JOIN odds_tables t ON t.id = CASE c.kind WHEN 'openings' THEN c.odds_table_id
     WHEN 'table' THEN c.row_id END
   LEFT JOIN stock_events e ON c.kind = 'stock' AND e.id = c.row_id
   LEFT JOIN log_stock_events k ON k.event_id = e.id
   LEFT JOIN log_requests l ON l.request_id = c.found_id
   WHERE c.entries - coalesce(c.quantity, 1) < $2
   ORDER BY c.id`,
)

const readOpenings = statement(
  'read_openings_to_log',
  `SELECT request_id, id, nonce, prize_id, sold_out_prize_id, stock_after, red_coin_earned
   FROM all_pack_openings WHERE request_id = ANY ($1::uuid[]) ORDER BY request_id, nonce`,
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

interface QueueRow {
  readonly id: number
  readonly kind: 'commitment' | 'table' | 'stock' | 'openings' | 'reveal' | 'carried'
  readonly ref: string
  readonly body: string | null
  readonly request_id: string | null
  readonly created_at: Date | null
  readonly pack_type_id: number
  readonly odds_table_id: number
  readonly first_nonce: number
  readonly quantity: number | null
  readonly pair_id: number | null
  readonly server_seed_hash: string
  readonly client_seed: string | null
  readonly scheme: number
  readonly server_seed: string | null
  readonly table_hash: string | null
  readonly table_body: string | null
  readonly event_id: number | null
  readonly prize_id: number | null
  readonly delta: number
  readonly quantity_after: number | null
  readonly is_logged: boolean
}

interface OpeningRow {
  readonly request_id: string
  readonly id: number
  readonly nonce: number
  readonly prize_id: number | null
  readonly sold_out_prize_id: number | null
  readonly stock_after: number | null
  readonly red_coin_earned: number
}

/** A row of the queue with what it names. */
export interface WaitingRow {
  readonly id: number
  readonly kind: QueueRow['kind']
  readonly ref: string
  /** Undefined when what it names is missing. */
  readonly source: LogSource | undefined
  /** True when an earlier row has brought it into the log. */
  readonly isLogged: boolean
  /** Entries it should make. */
  readonly weight: number
  /** Of an opening request, also of a carried one. */
  readonly requestId: string | undefined
  /** Of a staff change of stock. */
  readonly stockEventId: number | undefined
  readonly oddsTableId: number
}

/** How much one reading of the queue brings at most. */
export interface BatchSize {
  readonly rows: number
  /** About: the last row may make more. */
  readonly entries: number
}

/** The oldest rows of the queue. */
export async function waitingRows(tx: Queryable, max: BatchSize): Promise<WaitingRow[]> {
  const rows = await tx.run<QueueRow>(readWaiting, [max.rows, max.entries])
  const requestIds = rows.flatMap(({ kind, request_id: id }) =>
    kind === 'openings' && id !== null ? [id] : [],
  )
  const openings = new Map<string, LoggedOpening[]>()
  const found = requestIds.length > 0 ? await tx.run<OpeningRow>(readOpenings, [requestIds]) : []
  for (const row of found) {
    const list = openings.get(row.request_id) ?? []
    list.push(openingFrom(row))
    openings.set(row.request_id, list)
  }
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    ref: row.ref,
    source: sourceOf(row, openings),
    isLogged: row.is_logged,
    weight: row.kind === 'openings' ? (row.quantity ?? 1) : 1,
    requestId: row.request_id ?? undefined,
    stockEventId: row.event_id ?? undefined,
    oddsTableId: row.odds_table_id,
  }))
}

function openingFrom(row: OpeningRow): LoggedOpening {
  return {
    id: row.id,
    nonce: row.nonce,
    prizeId: row.prize_id,
    soldOutPrizeId: row.sold_out_prize_id,
    stockAfter: row.stock_after,
    redCoinEarned: row.red_coin_earned,
  }
}

function sourceOf(
  row: QueueRow,
  openings: ReadonlyMap<string, readonly LoggedOpening[]>,
): LogSource | undefined {
  const { kind, body, pair_id: pairId, client_seed: clientSeed, table_hash: tableHash } = row
  if (body !== null) {
    const isMissing = kind === 'carried' && row.request_id === null
    return isMissing ? undefined : { kind: 'written', body }
  }
  if (kind === 'commitment' && pairId !== null) {
    return { kind, pairId, serverSeedHash: row.server_seed_hash, scheme: row.scheme }
  }
  if (kind === 'reveal' && pairId !== null && row.server_seed !== null && clientSeed !== null) {
    return { kind, pairId, serverSeed: row.server_seed, clientSeed }
  }
  if (kind === 'table' && tableHash !== null && row.table_body !== null) {
    return { kind, tableHash, body: row.table_body }
  }
  if (kind === 'stock' && row.prize_id !== null) {
    return { kind, prizeId: row.prize_id, delta: row.delta, after: row.quantity_after }
  }
  if (kind !== 'openings' || row.request_id === null || row.created_at === null) return undefined
  if (pairId === null || clientSeed === null || tableHash === null) return undefined
  return {
    kind,
    request: {
      createdAt: row.created_at,
      packTypeId: row.pack_type_id,
      tableHash,
      pairId,
      clientSeedHash: sha256Hex(clientSeed),
      firstNonce: row.first_nonce,
      quantity: row.quantity ?? 0,
      openings: openings.get(row.request_id) ?? [],
    },
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
  for (const { source, oddsTableId } of rows) {
    if (source?.kind !== 'openings') continue
    for (const { prizeId: won, soldOutPrizeId } of source.request.openings) {
      const prizeId = won ?? soldOutPrizeId ?? 0
      const key = `${oddsTableId}:${prizeId}`
      const count = counts.get(key) ?? { oddsTableId, prizeId, wins: 0, soldOut: 0 }
      if (soldOutPrizeId === null) count.wins += 1
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
