// What the books say today that entries of the public log must be.

import { type Queryable, type Statement, statement } from '../../adapters/db/database.ts'
import { seedCommitment, sha256Hex } from '../../adapters/random/rolls.ts'
import { DamagedLogSource, type LogSource, logEntries } from '../../rules/log-entry.ts'
import {
  type CarriedRow,
  carriedDifference,
  type Fields,
  type LoggedEntry,
  type LogMemory,
} from './carried-entries.ts'

const readPairs = statement(
  'read_logged_pairs',
  `SELECT id, server_seed_hash, client_seed, scheme, commitment_index,
     CASE WHEN status = 'revealed' THEN server_seed END AS server_seed
   FROM seed_pairs WHERE id = ANY ($1::int[])`,
)
const readTables = statement(
  'read_logged_tables',
  'SELECT table_hash, body FROM odds_tables WHERE table_hash = ANY ($1::text[])',
)
const readOpenings = statement(
  'read_logged_openings',
  `-- not null: client_seed (a pair has one before its first opening)
   SELECT o.id, o.nonce, o.prize_id, o.sold_out_prize_id, o.stock_after, o.red_coin_earned,
     r.created_at, r.pack_type_id, t.table_hash, r.seed_pair_id, s.client_seed,
     l.first_index + o.nonce - r.first_nonce AS index
   FROM all_pack_openings o JOIN opening_requests r ON r.id = o.request_id
   JOIN odds_tables t ON t.id = r.odds_table_id
   JOIN seed_pairs s ON s.id = r.seed_pair_id
   JOIN log_requests l ON l.request_id = r.id AND NOT l.is_carried
   WHERE o.id = ANY ($1::bigint[])`,
)
const readStock = statement(
  'read_logged_stock',
  `SELECT l.index, e.ref_id, e.delta, e.quantity_after FROM log_stock_events l
   JOIN stock_events e ON e.id = l.event_id WHERE l.index = ANY ($1::bigint[])`,
)
const readCarried = statement(
  'read_carried_requests',
  `SELECT l.first_index AS index, r.created_at, r.pack_type_id, r.first_nonce, r.quantity,
     t.table_hash, s.server_seed_hash,
     (SELECT jsonb_agg(o.prize_id ORDER BY o.nonce) FROM all_pack_openings o
      WHERE o.request_id = r.id) AS prize_ids
   FROM log_requests l
   JOIN opening_requests r ON r.id = l.request_id
   JOIN odds_tables t ON t.id = r.odds_table_id
   JOIN seed_pairs s ON s.id = r.seed_pair_id
   WHERE l.is_carried AND l.first_index = ANY ($1::bigint[])`,
)

interface PairRow {
  readonly id: number
  readonly server_seed_hash: string
  readonly client_seed: string | null
  readonly scheme: number
  readonly commitment_index: number | null
  readonly server_seed: string | null
}

interface OpeningRow {
  readonly id: number
  readonly nonce: number
  readonly prize_id: number | null
  readonly sold_out_prize_id: number | null
  readonly stock_after: number | null
  readonly red_coin_earned: number
  readonly created_at: Date
  readonly pack_type_id: number
  readonly table_hash: string
  readonly seed_pair_id: number
  readonly client_seed: string
  readonly index: number
}

interface StockRow {
  readonly index: number
  readonly ref_id: number
  readonly delta: number
  readonly quantity_after: number | null
}

/** The rows that the entries of one batch speak of. */
export interface LogRows {
  readonly pairs: ReadonlyMap<unknown, PairRow>
  readonly tables: ReadonlyMap<unknown, string>
  readonly openings: ReadonlyMap<unknown, OpeningRow>
  readonly stock: ReadonlyMap<number, StockRow>
  readonly carried: ReadonlyMap<number, CarriedRow>
  /** Hashes of client seeds, each made once. */
  readonly seedHashes: Map<string, string>
}

const idMax = 2 ** 31 - 1
const isId = (value: unknown): value is number => Number.isInteger(value) && Number(value) > 0

/** At most five queries for a batch, whatever is in it. */
export async function rowsOf(
  db: Queryable,
  entries: readonly (LoggedEntry & { readonly fields: Fields })[],
): Promise<LogRows> {
  const of = (type: string) => entries.filter(({ fields }) => fields['type'] === type)
  const named = (types: readonly string[], field: string) =>
    types.flatMap((type) => of(type).map(({ fields }) => fields[field]))
  const pairIds = named(['commitment', 'reveal'], 'pairId').filter(isId)
  const hashes = named(['table'], 'tableHash').filter((hash) => typeof hash === 'string')
  const indexes = (type: string) => of(type).map(({ index }) => index)
  // Most batches hold openings alone.
  const find = async <Row>(query: Statement, ids: readonly unknown[]): Promise<Row[]> =>
    ids.length === 0 ? [] : db.run<Row>(query, [ids])
  const pairs = await find<PairRow>(
    readPairs,
    pairIds.filter((id) => id <= idMax),
  )
  const tables = await find<{ table_hash: string; body: string }>(readTables, hashes)
  const openings = await find<OpeningRow>(readOpenings, named(['opening'], 'id').filter(isId))
  const stock = await find<StockRow>(readStock, indexes('stock'))
  const carried = await find<CarriedRow>(readCarried, indexes('carried'))
  return {
    pairs: new Map(pairs.map((row) => [row.id, row])),
    tables: new Map(tables.map((row) => [row.table_hash, row.body])),
    openings: new Map(openings.map((row) => [row.id, row])),
    stock: new Map(stock.map((row) => [row.index, row])),
    carried: new Map(carried.map((row) => [row.index, row])),
    seedHashes: new Map(),
  }
}

/** Why an entry is not what the books say, undefined when it is. */
export function differenceOf(
  { index, body, fields }: LoggedEntry & { readonly fields: Fields },
  rows: LogRows,
  memory: LogMemory,
): string | undefined {
  switch (fields['type']) {
    case 'commitment': {
      const pair = rows.pairs.get(fields['pairId'])
      if (pair === undefined) return 'it commits to a seed pair that does not exist'
      const { id: pairId, server_seed_hash: serverSeedHash, scheme } = pair
      const expected = textOf({ kind: 'commitment', pairId, serverSeedHash, scheme })
      if (body !== expected) return 'the commitment of the seed pair was exchanged'
      return pair.commitment_index === index ? undefined : 'the seed pair names another entry'
    }
    case 'reveal':
      return revealDifference(body, rows.pairs.get(fields['pairId']))
    case 'table':
      return tableDifference(body, fields, rows)
    case 'opening': {
      const row = rows.openings.get(fields['id'])
      if (row === undefined) return 'there is no such opening'
      if (body !== openingText(row, rows.seedHashes)) return 'the opening is another one'
      return row.index === index ? drawDifference(row, memory) : 'the opening stands elsewhere'
    }
    case 'stock':
      return stockDifference(body, fields, rows.stock.get(index), memory)
    case 'carried':
      return carriedDifference(fields, rows.carried.get(index), memory)
    default:
      return 'it is of no known type'
  }
}

function textOf(source: LogSource): string | undefined {
  return textsOf(source)[0]
}

function textsOf(source: LogSource): readonly string[] {
  try {
    return logEntries(source)
  } catch (error) {
    if (error instanceof DamagedLogSource) return []
    throw error
  }
}

function revealDifference(body: string, pair: PairRow | undefined): string | undefined {
  const serverSeed = pair?.server_seed ?? null
  const clientSeed = pair?.client_seed ?? null
  if (pair === undefined || serverSeed === null || clientSeed === null) {
    return 'it reveals a seed pair that is not revealed'
  }
  const expected = textOf({ kind: 'reveal', pairId: pair.id, serverSeed, clientSeed })
  if (body !== expected) return 'the seeds of the pair are others'
  const isCommitted = seedCommitment(serverSeed) === pair.server_seed_hash
  return isCommitted ? undefined : 'the revealed seed is not the one committed to'
}

function tableDifference(body: string, fields: Fields, rows: LogRows): string | undefined {
  const hash = fields['tableHash']
  const stored = rows.tables.get(hash)
  if (stored === undefined || typeof hash !== 'string') return 'there is no such odds table'
  if (sha256Hex(stored) !== hash) return 'the odds table is not the one that was hashed'
  const texts = textsOf({ kind: 'table', tableHash: hash, body: stored })
  const part = isId(fields['part']) ? fields['part'] : 1
  return texts[part - 1] === body ? undefined : 'the odds table is another one'
}

function openingText(row: OpeningRow, seedHashes: Map<string, string>): string | undefined {
  const { id, nonce, created_at: createdAt, pack_type_id: packTypeId } = row
  const clientSeedHash = hashOnce(row.client_seed, seedHashes)
  const opening = {
    id,
    nonce,
    prizeId: row.prize_id,
    soldOutPrizeId: row.sold_out_prize_id,
    stockAfter: row.stock_after,
    redCoinEarned: row.red_coin_earned,
  }
  return textOf({
    kind: 'openings',
    request: {
      createdAt,
      packTypeId,
      tableHash: row.table_hash,
      pairId: row.seed_pair_id,
      clientSeedHash,
      firstNonce: nonce,
      quantity: 1,
      openings: [opening],
    },
  })
}

const otherStock = 'the stock does not follow from the entries before'

/** Keeps what is left of a prize. False when it is not what was left before and the change. */
function isNextStock(
  { stock }: LogMemory,
  prizeId: unknown,
  change: number,
  left: number | null,
): boolean {
  const before = stock.get(prizeId) ?? null
  stock.set(prizeId, left)
  return before === null || left === null || before + change === left
}

/**
 * Draws stand in the log in the order in which they took from a stock: each has one unit less than
 * the last, and a prize is sold out when none is left. A stock that was never told is not followed.
 */
function drawDifference(row: OpeningRow, memory: LogMemory): string | undefined {
  const { prize_id: won, sold_out_prize_id: soldOut, stock_after: left } = row
  const prizeId = won ?? soldOut
  if (!memory.stock.has(prizeId)) return undefined
  return isNextStock(memory, prizeId, won === null ? 0 : -1, left) ? undefined : otherStock
}

/** Without an event stands what changes nothing, and what a prize had when the log began. */
function stockDifference(
  body: string,
  fields: Fields,
  row: StockRow | undefined,
  memory: LogMemory,
): string | undefined {
  const { prizeId, delta, after } = fields
  const isFirst = !memory.stock.has(prizeId)
  const told = typeof after === 'number' ? after : null
  if (!isNextStock(memory, prizeId, Number(delta), told)) return otherStock
  if (row === undefined) {
    const isPlain = delta === 0 || (isFirst && delta === after)
    return isPlain ? undefined : 'nothing in the history changed this stock'
  }
  const { ref_id: id, delta: change, quantity_after: left } = row
  const expected = textOf({ kind: 'stock', prizeId: id, delta: change, after: left })
  return body === expected ? undefined : 'the change of stock is another one'
}

function hashOnce(text: string, known: Map<string, string>): string {
  const hash = known.get(text) ?? sha256Hex(text)
  known.set(text, hash)
  return hash
}
