// What has been written since the books were last looked at, as the keys that each rule is about.

import { type Statement, statement } from '../../adapters/db/database.ts'

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
export type Feed = History | State | 'since' | 'written'

export interface Source {
  readonly feed: Feed
  /** Answers each `key` as text, from ids above $1 and up to $2, and the horizon where it matters;
   * or from the moment or horizon $1. */
  readonly keys: Statement
}

/** A source that is a request's id, as SQL; null for any other text. */
export const uuidOf = (source: string) =>
  `CASE WHEN ${source} ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN ${source}::uuid END`

const answer = (name: string, key: string, from: string) =>
  statement(
    `new_keys_${name}`,
    `SELECT DISTINCT k.key::text AS key FROM (SELECT ${key} AS key FROM ${from}) k
     WHERE k.key IS NOT NULL`,
  )

const added = (name: string, feed: History, key: string, where = 'true', join = ''): Source => ({
  feed,
  keys: answer(
    name,
    key,
    `${histories[feed].table} n ${join} WHERE n.id > $1 AND n.id <= $2 AND ${where}`,
  ),
})

// The distance to the newest transaction, in a circle of 2^32: rows of one from the horizon on are
// not farther than the horizon. One that is older than half the circle counts as new, which costs a
// look and hides nothing.
const isWrittenFrom = (row: string, horizon: string) =>
  `age(${row}.xmin) <= age(${horizon}::text::xid8::xid)`

const changed = (name: string, feed: State, key: string): Source => ({
  feed,
  keys: answer(
    name,
    key,
    `${states[feed].table} n WHERE n.id > $1 AND n.id <= $2
     AND ${isWrittenFrom('n', '$3')}`,
  ),
})

const since = (name: string, key: string, from: string): Source => ({
  feed: 'since',
  keys: answer(name, key, from),
})

const written = (name: string, key: string, from: string): Source => ({
  feed: 'written',
  keys: answer(name, key, from),
})

// A request comes with its openings, by which it is found: these are the ones that have none.
const bareRequests = `opening_requests r WHERE r.created_at >= $1
  AND NOT EXISTS (SELECT FROM all_pack_openings o WHERE o.request_id = r.id)`
const sourceIs = (type: string) => `n.source_type = '${type}'`
const uuidSource = uuidOf('n.source_id')
const numberSource = `CASE WHEN n.source_id ~ '^[0-9]{1,9}$' THEN n.source_id::int END`
const sourced = (name: string, feed: History, type: string) =>
  added(name, feed, numberSource, sourceIs(type))

/** Each answers the keys that one kind of new rows is about. */
export const sources = {
  usersChanged: changed('users', 'users', 'n.id'),
  usersOfHoldings: changed('holders', 'holdings', 'n.user_id'),
  usersOfLedger: added('users_of_ledger', 'ledger', 'n.user_id'),
  usersOfPacks: added('users_of_packs', 'packHistory', 'n.user_id'),
  usersOfOpenings: added('users_of_openings', 'openings', 'n.user_id'),
  usersOfStuckKeys: since(
    'users_of_stuck_keys',
    'i.user_id',
    `idempotency_keys i WHERE i.status IS NULL
       AND i.created_at >= $1::timestamptz - interval '15 minutes'`,
  ),
  ledger: added('ledger', 'ledger', 'n.id'),
  packs: added('packs', 'packHistory', 'n.id'),
  openings: added('openings', 'openings', 'n.id'),
  openingsOfClaims: added('openings_of_claims', 'claims', 'n.pack_opening_id'),
  claims: added('claims', 'claims', 'n.id'),
  shipmentsChanged: changed('shipments', 'shipments', 'n.id'),
  requestsOfOpenings: added('requests_of_openings', 'openings', 'n.request_id'),
  requestsOfLedger: added(
    'requests_of_ledger',
    'ledger',
    `coalesce(o.request_id, CASE WHEN ${sourceIs('opening_request')} THEN ${uuidSource} END)`,
    'true',
    'LEFT JOIN all_pack_openings o ON o.id = n.pack_opening_id',
  ),
  requestsOfPacks: added('requests_of_packs', 'packHistory', uuidSource, "n.type = 'prize_reward'"),
  bareRequests: since('bare_requests', 'r.id', bareRequests),
  chains: added('chains', 'chains', 'n.id'),
  chainsOfOpenings: added(
    'chains_of_openings',
    'openings',
    'r.chain_id',
    'true',
    'JOIN opening_requests r ON r.id = n.request_id',
  ),
  chainsOpen: written(
    'open_chains',
    'c.id',
    `draw_chains c WHERE c.ended_at IS NULL AND ${isWrittenFrom('c', '$1')}`,
  ),
  chainsOfBareRequests: since('chains_of_bare_requests', 'r.chain_id', bareRequests),
  tables: added('tables', 'tables', 'n.id'),
  purchases: added('purchases', 'purchases', 'n.id'),
  purchasesOfLedger: sourced('purchases_of_ledger', 'ledger', 'purchase'),
  purchasesOfPacks: sourced('purchases_of_packs', 'packHistory', 'purchase'),
  completions: added('completions', 'completions', 'n.id'),
  completionsOfLedger: sourced('completions_of_ledger', 'ledger', 'watch_completion'),
  completionsOfPacks: sourced('completions_of_packs', 'packHistory', 'watch_completion'),
  watchSessions: added('watch_sessions', 'watchSessions', 'n.id'),
  chatRewards: added('chat_rewards', 'chatRewards', 'n.id'),
  chatRewardsOfLedger: added(
    'chat_rewards_of_ledger',
    'ledger',
    'c.id',
    sourceIs('discord_message'),
    'JOIN discord_reward_claims c ON c.message_id = n.source_id AND c.user_id = n.user_id',
  ),
  prizesChanged: changed('prizes', 'prizes', 'n.id'),
  prizesOfStock: added('prizes_of_stock', 'stock', 'n.ref_id', "n.kind = 'prize'"),
  listingsChanged: changed('listings', 'listings', 'n.id'),
  listingsOfStock: added('listings_of_stock', 'stock', 'n.ref_id', "n.kind = 'listing'"),
  stock: added('stock', 'stock', 'n.id'),
  stockOfOpenings: added(
    'stock_of_openings',
    'openings',
    'e.id',
    'true',
    `JOIN stock_events e ON e.kind = 'prize' AND e.ref_id = n.prize_id
       AND e.source_type = 'claim' AND e.source_id = n.request_id::text`,
  ),
  batches: written('batches', 'b.id', `bulk_batches b WHERE ${isWrittenFrom('b', '$1')}`),
  batchesOfRows: added('batches_of_rows', 'batchRows', 'n.batch_id'),
  batchesOfLedger: added('batches_of_ledger', 'ledger', uuidSource, sourceIs('grant')),
  batchesOfPacks: added('batches_of_packs', 'packHistory', uuidSource, sourceIs('grant')),
  setAside: since(
    'set_aside',
    'q.id',
    'log_queue q WHERE q.set_aside IS NOT NULL AND $1::timestamptz IS NOT NULL',
  ),
  logKeys: since('log_keys', 'l.id', 'log_keys l WHERE $1::timestamptz IS NOT NULL'),
} as const satisfies Readonly<Record<string, Source>>

export type SourceName = keyof typeof sources
