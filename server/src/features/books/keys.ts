// The keys that rules are asked about: how they are cut into ranges, and which of them were written
// since the books were last looked at.

/** Histories: rows are added and stay. What is new has an id above the mark. */
export const histories = {
  ledger: { table: 'red_coin_transactions' },
  packHistory: { table: 'pack_transactions' },
  openings: { table: 'all_pack_openings' },
  claims: { table: 'prize_claims' },
  stock: { table: 'stock_events' },
  purchases: { table: 'store_purchases' },
  completions: { table: 'watch_completions' },
  watchSessions: { table: 'viewer_sessions' },
  chatRewards: { table: 'discord_reward_claims' },
  chains: { table: 'draw_chains' },
  tables: { table: 'odds_tables' },
  batchRows: { table: 'bulk_batch_rows' },
} as const satisfies Readonly<Record<string, { readonly table: string }>>

/** States: rows change. What is new was written by a transaction from the horizon on. */
export const states = {
  users: { table: 'users' },
  holdings: { table: 'user_packs' },
  prizes: { table: 'prizes' },
  listings: { table: 'store_pack_listings' },
  shipments: { table: 'shipments' },
} as const satisfies Readonly<Record<string, { readonly table: string }>>

export type History = keyof typeof histories
export type State = keyof typeof states

/** Where rows of a history are written first: its ids are settled when nobody writes there. */
export const writtenFirst = (feed: History) =>
  feed === 'openings' ? 'pack_openings' : histories[feed].table

export const isHistory = (feed: History | State): feed is History => feed in histories

/**
 * Where new keys come from: a range of ids of a history or state, rows since a moment, or rows of a
 * small table, which a transaction from the horizon on has written.
 */
type Feed = History | State | 'since' | 'written'

/**
 * Rows that bring keys: those with ids above $1 and up to $2, with the horizon as $3 where it
 * matters; or those from the moment or horizon $1.
 */
interface Rows {
  readonly feed: Feed
  /** A key, as SQL of what stands behind FROM. */
  readonly key: string
  readonly from: string
}

/** Along what a part is cut into ranges. */
export interface Keys {
  readonly name: string
  /** Keys after $1 in ascending order, at most $2 of them, as `key`. */
  readonly sql: string
  /** Below every key. */
  readonly first: string
  /** Keys in a range at most, where each may stand for many rows. */
  readonly sizeMax: number
  readonly type: 'int' | 'bigint' | 'uuid'
  /** Those that new rows are about. */
  readonly news: readonly Rows[]
}

/** A source that is a request's id, as SQL; null for any other text. */
export const uuidOf = (source: string) =>
  `CASE WHEN ${source} ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN ${source}::uuid END`

const added = (feed: History, key = 'n.id', where = 'true', join = ''): Rows => ({
  feed,
  key,
  from: `${histories[feed].table} n ${join} WHERE n.id > $1 AND n.id <= $2 AND ${where}`,
})

// The distance to the newest transaction, in a circle of 2^32: rows of one from the horizon on are
// not farther than the horizon. One that is older than half the circle counts as new, which costs a
// look and hides nothing.
const isWrittenFrom = (row: string, horizon: string) =>
  `age(${row}.xmin) <= age(${horizon}::text::xid8::xid)`

const changed = (feed: State, key = 'n.id'): Rows => ({
  feed,
  key,
  from: `${states[feed].table} n WHERE n.id > $1 AND n.id <= $2
     AND ${isWrittenFrom('n', '$3')}`,
})

const since = (key: string, from: string): Rows => ({ feed: 'since', key, from })
const written = (key: string, from: string): Rows => ({ feed: 'written', key, from })

// A request comes with its openings, by which it is found: these are the ones that have none.
const bareRequests = `opening_requests r WHERE r.created_at >= $1
  AND NOT EXISTS (SELECT FROM all_pack_openings o WHERE o.request_id = r.id)`
const sourceIs = (type: string) => `n.source_type = '${type}'`
const uuidSource = uuidOf('n.source_id')
const numberSource = `CASE WHEN n.source_id ~ '^[0-9]{1,9}$' THEN n.source_id::int END`
const sourced = (feed: History, type: string) => added(feed, numberSource, sourceIs(type))
const stockOf = (kind: 'prize' | 'listing') => [added('stock', 'n.ref_id', `n.kind = '${kind}'`)]

const intFirst = '-2147483648'
const bigintFirst = '-9223372036854775808'
const uuidFirst = '00000000-0000-0000-0000-000000000000'
const types: Readonly<Record<string, Keys['type']>> = {
  [bigintFirst]: 'bigint',
  [uuidFirst]: 'uuid',
}
const rowsMax = 20_000
const groupsMax = 50

/** The ids of a table. */
const ids = (table: string, first: string, news: readonly Rows[], sizeMax = rowsMax): Keys => ({
  name: table,
  sql: `SELECT id AS key FROM ${table} WHERE id > $1 ORDER BY id LIMIT $2`,
  first,
  sizeMax,
  type: types[first] ?? 'int',
  news,
})

/** Jumps from one prize or listing to the next in the index, however many events each has. */
const stockKeys = (kind: 'prize' | 'listing'): Keys => ({
  name: `stock_of_${kind}s`,
  sql: `WITH RECURSIVE refs AS (
      (SELECT ref_id FROM stock_events WHERE kind = '${kind}' AND ref_id > $1
        ORDER BY ref_id LIMIT 1)
      UNION ALL
      SELECT (SELECT ref_id FROM stock_events WHERE kind = '${kind}' AND ref_id > refs.ref_id
        ORDER BY ref_id LIMIT 1)
      FROM refs WHERE refs.ref_id IS NOT NULL)
    SELECT ref_id AS key FROM refs WHERE ref_id IS NOT NULL LIMIT $2`,
  first: intFirst,
  sizeMax: groupsMax,
  type: 'int',
  news: stockOf(kind),
})

/** Every kind of keys that a part is cut along. */
export const keys = {
  users: ids('users', intFirst, [
    changed('users'),
    changed('holdings', 'n.user_id'),
    added('ledger', 'n.user_id'),
    added('packHistory', 'n.user_id'),
    added('openings', 'n.user_id'),
    since(
      'i.user_id',
      `idempotency_keys i WHERE i.status IS NULL
         AND i.created_at >= $1::timestamptz - interval '15 minutes'`,
    ),
  ]),
  ledger: ids('red_coin_transactions', bigintFirst, [added('ledger')]),
  packHistory: ids('pack_transactions', bigintFirst, [added('packHistory')]),
  purchases: ids('store_purchases', intFirst, [
    added('purchases'),
    sourced('ledger', 'purchase'),
    sourced('packHistory', 'purchase'),
  ]),
  completions: ids('watch_completions', intFirst, [
    added('completions'),
    sourced('ledger', 'watch_completion'),
    sourced('packHistory', 'watch_completion'),
  ]),
  watchSessions: ids('viewer_sessions', intFirst, [added('watchSessions')]),
  chatRewards: ids('discord_reward_claims', intFirst, [
    added('chatRewards'),
    added(
      'ledger',
      'c.id',
      sourceIs('discord_message'),
      'JOIN discord_reward_claims c ON c.message_id = n.source_id AND c.user_id = n.user_id',
    ),
  ]),
  batches: ids(
    'bulk_batches',
    uuidFirst,
    [
      written('b.id', `bulk_batches b WHERE ${isWrittenFrom('b', '$1')}`),
      added('batchRows', 'n.batch_id'),
      added('ledger', uuidSource, sourceIs('grant')),
      added('packHistory', uuidSource, sourceIs('grant')),
    ],
    groupsMax,
  ),
  openings: ids('all_pack_openings', bigintFirst, [
    added('openings'),
    added('claims', 'n.pack_opening_id'),
  ]),
  requests: ids('opening_requests', uuidFirst, [
    added('openings', 'n.request_id'),
    added(
      'ledger',
      `coalesce(o.request_id, CASE WHEN ${sourceIs('opening_request')} THEN ${uuidSource} END)`,
      'true',
      'LEFT JOIN all_pack_openings o ON o.id = n.pack_opening_id',
    ),
    added('packHistory', uuidSource, "n.type = 'prize_reward'"),
    since('r.id', bareRequests),
  ]),
  claims: ids('prize_claims', intFirst, [added('claims'), changed('shipments')]),
  shipments: ids('shipments', intFirst, [changed('shipments')]),
  chains: ids('draw_chains', intFirst, [
    added('chains'),
    written('c.id', `draw_chains c WHERE c.ended_at IS NULL AND ${isWrittenFrom('c', '$1')}`),
    added('openings', 'r.chain_id', 'true', 'JOIN opening_requests r ON r.id = n.request_id'),
    since('r.chain_id', bareRequests),
  ]),
  tables: ids('odds_tables', intFirst, [added('tables')]),
  stockEvents: ids('stock_events', bigintFirst, [
    added('stock'),
    added(
      'openings',
      'e.id',
      'true',
      `JOIN stock_events e ON e.kind = 'prize' AND e.ref_id = n.prize_id
         AND e.source_type = 'claim' AND e.source_id = n.request_id::text`,
    ),
  ]),
  prizes: ids('prizes', intFirst, [changed('prizes'), ...stockOf('prize')], groupsMax),
  listings: ids(
    'store_pack_listings',
    intFirst,
    [changed('listings'), ...stockOf('listing')],
    groupsMax,
  ),
  stockOfPrizes: stockKeys('prize'),
  stockOfListings: stockKeys('listing'),
  queue: ids('log_queue', bigintFirst, [
    since('q.id', 'log_queue q WHERE q.set_aside IS NOT NULL AND $1::timestamptz IS NOT NULL'),
  ]),
  logKeys: ids('log_keys', intFirst, [
    since('l.id', 'log_keys l WHERE $1::timestamptz IS NOT NULL'),
  ]),
} as const
