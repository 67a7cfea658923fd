// The SQL of the public draw log: the queue of requests, the chain, and the sums of what it holds.

import { type Queryable, statement } from '../../adapters/db/database.ts'
import type { ChainLink, LoggedRequest } from '../../rules/hash-chain.ts'

// Any constant that no other lock of the product uses.
const appendLock = 7_330_112

const tryLock = statement('try_draw_log_lock', 'SELECT pg_try_advisory_xact_lock($1) AS taken')

const requestColumns = `r.id, r.created_at, r.pack_type_id, r.odds_table_id, r.first_nonce,
  r.quantity, t.table_hash, s.server_seed_hash,
  (SELECT jsonb_agg(jsonb_build_array(o.prize_id, o.sold_out_prize_id) ORDER BY o.nonce)
   FROM all_pack_openings o WHERE o.request_id = r.id) AS drawn`
const requestTables = `opening_requests r
  JOIN odds_tables t ON t.id = r.odds_table_id
  JOIN seed_pairs s ON s.id = r.seed_pair_id`

const readWaiting = statement(
  'read_requests_to_log',
  `SELECT ${requestColumns} FROM ${requestTables}
   JOIN draw_log_queue q ON q.request_id = r.id
   ORDER BY r.created_at, r.id LIMIT $1`,
)
const readLogged = statement(
  'read_logged_requests',
  `SELECT d.position, d.body, d.hash, ${requestColumns}
   FROM draw_log d JOIN (${requestTables}) ON r.id = d.request_id
   WHERE d.position > $1 ORDER BY d.position LIMIT $2`,
)
const readLast = statement(
  'read_end_of_draw_log',
  'SELECT position, hash FROM draw_log ORDER BY position DESC LIMIT 1',
)
const addLinks = statement(
  'append_draw_log',
  `INSERT INTO draw_log (position, request_id, body, hash)
   SELECT * FROM unnest($1::bigint[], $2::uuid[], $3::text[], $4::text[])`,
)
const leaveQueue = statement(
  'leave_draw_log_queue',
  'DELETE FROM draw_log_queue WHERE request_id = ANY ($1::uuid[])',
)
const addToCounts = statement(
  'add_to_draw_counts',
  `INSERT INTO draw_counts (odds_table_id, prize_id, wins, sold_out)
   SELECT * FROM unnest($1::int[], $2::int[], $3::bigint[], $4::bigint[])
   ON CONFLICT (odds_table_id, prize_id) DO UPDATE
     SET wins = draw_counts.wins + EXCLUDED.wins,
       sold_out = draw_counts.sold_out + EXCLUDED.sold_out`,
)

interface RequestRow {
  readonly id: string
  readonly created_at: Date
  readonly pack_type_id: number
  readonly odds_table_id: number
  readonly first_nonce: number
  readonly quantity: number
  readonly table_hash: string
  readonly server_seed_hash: string
  readonly drawn: readonly (readonly [won: number | null, soldOut: number | null])[] | null
}

export interface RequestToLog extends LoggedRequest {
  readonly id: string
  readonly oddsTableId: number
  /** The prize that each draw landed on while it was sold out, else null. */
  readonly soldOutIds: readonly (number | null)[]
}

function requestFrom(row: RequestRow): RequestToLog {
  const drawn = row.drawn ?? []
  return {
    id: row.id,
    oddsTableId: row.odds_table_id,
    createdAt: row.created_at,
    packTypeId: row.pack_type_id,
    tableHash: row.table_hash,
    serverSeedHash: row.server_seed_hash,
    firstNonce: row.first_nonce,
    quantity: row.quantity,
    prizeIds: drawn.map(([won]) => won),
    soldOutIds: drawn.map(([, soldOut]) => soldOut),
  }
}

/** Makes this transaction the one that appends. False when another is at it. */
export async function takeAppendLock(tx: Queryable): Promise<boolean> {
  const rows = await tx.run<{ taken: boolean }>(tryLock, [appendLock])
  return rows[0]?.taken === true
}

/** Committed requests that are not in the log yet, oldest first. */
export async function requestsToLog(tx: Queryable, limit: number): Promise<RequestToLog[]> {
  return (await tx.run<RequestRow>(readWaiting, [limit])).map(requestFrom)
}

/** Entries behind a position, each with what the books say today about its request. */
export async function loggedRequests(
  db: Queryable,
  after: number,
  limit: number,
): Promise<(ChainLink & { readonly request: RequestToLog })[]> {
  const rows = await db.run<RequestRow & ChainLink>(readLogged, [after, limit])
  return rows.map((row) => {
    const { position, body, hash } = row
    return { position, body, hash, request: requestFrom(row) }
  })
}

export async function endOfChain(
  db: Queryable,
): Promise<Pick<ChainLink, 'position' | 'hash'> | undefined> {
  return (await db.run<Pick<ChainLink, 'position' | 'hash'>>(readLast, []))[0]
}

/** Appends one link per request, takes the requests out of the queue and adds up what they gave. */
export async function appendLinks(
  tx: Queryable,
  requests: readonly RequestToLog[],
  links: readonly ChainLink[],
): Promise<void> {
  const ids = requests.map(({ id }) => id)
  await tx.run(addLinks, [
    links.map(({ position }) => position),
    ids,
    links.map(({ body }) => body),
    links.map(({ hash }) => hash),
  ])
  await tx.run(leaveQueue, [ids])
  const counts = [...countDraws(requests).values()]
  await tx.run(addToCounts, [
    counts.map(({ oddsTableId }) => oddsTableId),
    counts.map(({ prizeId }) => prizeId),
    counts.map(({ wins }) => wins),
    counts.map(({ soldOut }) => soldOut),
  ])
}

interface Count {
  readonly oddsTableId: number
  readonly prizeId: number
  wins: number
  soldOut: number
}

function countDraws(requests: readonly RequestToLog[]): Map<string, Count> {
  const counts = new Map<string, Count>()
  for (const { oddsTableId, prizeIds, soldOutIds } of requests) {
    for (const [index, won] of prizeIds.entries()) {
      const soldOut = soldOutIds[index] ?? null
      const prizeId = won ?? soldOut ?? 0
      const key = `${oddsTableId}:${prizeId}`
      const count = counts.get(key) ?? { oddsTableId, prizeId, wins: 0, soldOut: 0 }
      if (soldOut === null) count.wins += 1
      else count.soldOut += 1
      counts.set(key, count)
    }
  }
  return counts
}
