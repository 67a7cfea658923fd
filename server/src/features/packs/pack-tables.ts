// The SQL of opening packs: one statement that reads everything, one that writes all or nothing.

import { packTypesMax } from '@redpack/contract/limits'
import type { Queryable } from '../../adapters/db/database.ts'
import { oneValueQuery, rowsQuery, writeQuery } from '../../adapters/db/queries.ts'
import { isKey, type StoredKey } from '../../adapters/db/stored-key.ts'
import type { OpenChain } from '../../adapters/random/draw-seeds.ts'
import type { OpenablePrize } from '../../rules/opening.ts'
import type { Suspension } from '../../rules/roles.ts'
import { anyList } from '../../shared/list-parameter-sql.ts'
import { consolationNow, deliveryTerms } from '../../shared/odds-sql.ts'
import { suspensionOf } from '../../shared/standing-sql.ts'
import type { OpenPacksOrder } from './opening-tables.ts'

export interface OpeningState {
  readonly packTypeExists: boolean
  readonly oddsRevision: number
  /** Unopened packs of every type that the user has held, by pack type id. */
  readonly held: ReadonlyMap<number, number>
  readonly balance: number
  /** Units left of limited prizes, by prize id. */
  readonly stock: ReadonlyMap<number, number>
  /** Undefined for a user who has not looked or opened yet. */
  readonly chain: OpenChain | undefined
  readonly suspension: Suspension | null
  /** What was stored under the idempotency key of this request, if anything. */
  readonly stored: StoredKey | undefined
}

interface StateRow
  extends Pick<OpeningState, 'balance' | 'suspension'>,
    Pick<StoredKey, 'body' | 'status'> {
  readonly n: number
  readonly oddsRevision: number | null
  readonly held: Record<string, number> | null
  readonly chain: OpenChain | null
  readonly stock: Record<string, number> | null
  readonly inputHash: string | null
}

type Asked = [userIds: number[], packTypeIds: number[], keys: (string | null)[], route: string]

const readStates = rowsQuery<StateRow, Asked>(
  'read_opening_states',
  `WITH stock AS (
     SELECT x.pack_type_id, jsonb_object_agg(p.id, p.inventory_quantity) AS units
     FROM prize_pack_types x JOIN prizes p ON p.id = x.prize_id
     WHERE x.pack_type_id = ANY(${anyList('$2', 'int')}) AND p.is_active
       AND p.inventory_quantity IS NOT NULL
     GROUP BY x.pack_type_id
   )
   SELECT a.position::int AS n, u.red_coin_balance AS balance, t.odds_revision AS "oddsRevision",
     (SELECT jsonb_object_agg(h.pack_type_id, h.quantity) FROM user_packs h WHERE h.user_id = u.id)
       AS held,
     CASE WHEN c.id IS NOT NULL THEN json_build_object('chainId', c.id, 'index', c.index,
       'commitment', c.commitment, 'sealedSeed', c.sealed_seed, 'day', c.day, 'userId', u.id) END
       AS chain, stock.units AS stock, k.input_hash AS "inputHash", k.body, k.status,
     ${suspensionOf('u')} AS suspension
   FROM unnest(${anyList('$1', 'int')}, ${anyList('$2', 'int')}, ${anyList('$3', 'text')})
     WITH ORDINALITY AS a (user_id, pack_type_id, key, position)
   JOIN users u ON u.id = a.user_id AND u.deleted_at IS NULL
   LEFT JOIN pack_types t ON t.id = a.pack_type_id AND t.archived_at IS NULL
   LEFT JOIN stock ON stock.pack_type_id = t.id
   LEFT JOIN draw_chains c ON c.user_id = u.id AND c.ended_at IS NULL
   LEFT JOIN idempotency_keys k ON ${isKey('u.id', '$4', 'a.key')}`,
)

/** Holds the stock of all that a pack type draws. The caller holds the lock of a user's row. */
export const lockLimitedPrizes = writeQuery<[packTypeId: number]>(
  'lock_limited_prizes',
  `SELECT p.id FROM prizes p JOIN prize_pack_types x ON x.prize_id = p.id
   WHERE x.pack_type_id = $1 AND p.is_active AND p.inventory_quantity IS NOT NULL
   ORDER BY p.id FOR NO KEY UPDATE OF p`,
)

interface OpeningAsked {
  readonly userId: number
  readonly order: Pick<OpenPacksOrder, 'packTypeId' | 'idempotencyKey'>
}

/**
 * Reads, without locks and as of one moment, all that each of the openings depends on. In their
 * order; undefined for a user who is gone.
 */
export async function readOpeningStates(
  db: Queryable,
  route: string,
  asked: readonly OpeningAsked[],
): Promise<(OpeningState | undefined)[]> {
  const rows = await readStates(
    db,
    asked.map(({ userId }) => userId),
    asked.map(({ order }) => order.packTypeId),
    asked.map(({ order }) => order.idempotencyKey ?? null),
    route,
  )
  const states = new Map(rows.map((row) => [row.n, stateOf(row)]))
  return asked.map((_, index) => states.get(index + 1))
}

function stateOf(row: StateRow): OpeningState {
  return {
    packTypeExists: row.oddsRevision !== null,
    oddsRevision: row.oddsRevision ?? 0,
    held: byId(row.held),
    balance: row.balance,
    stock: byId(row.stock),
    chain: row.chain ?? undefined,
    suspension: row.suspension,
    stored: row.inputHash === null ? undefined : { ...row, inputHash: row.inputHash },
  }
}

function byId(amounts: Record<string, number> | null): Map<number, number> {
  return new Map(Object.entries(amounts ?? {}).map(([id, amount]) => [Number(id), amount]))
}

type PrizeRow = Omit<OpenablePrize, 'prizeId'> & {
  readonly revision: number
  readonly consolationRedCoin: number
  /** Null in the only row of a pack type without prizes. */
  readonly prizeId: number | null
}

const readPrizes = rowsQuery<PrizeRow, [packTypeId: number]>(
  'read_openable_prizes',
  `SELECT t.odds_revision AS revision,
     ${consolationNow} AS "consolationRedCoin",
     p.id AS "prizeId", p.name, p.description, p.claim_instructions AS "claimInstructions",
     p.win_frequency AS "winFrequency", p.total_packs AS "totalPacks",
     p.red_coin_amount AS "redCoinAmount", p.image_data AS "imageData",
     p.image_type AS "imageType", p.image_hash AS "imageHash",
     CASE WHEN p.pack_quantity > 0 THEN p.pack_type_id END AS "rewardPackTypeId",
     CASE WHEN p.pack_type_id IS NULL THEN 0 ELSE p.pack_quantity END AS "rewardPackQuantity",
     p.inventory_quantity IS NOT NULL AS limited, p.is_also_sent AS "isAlsoSent",
     ${deliveryTerms} AS delivery, p.delivers_codes AS "deliversCodes"
   FROM pack_types t
   LEFT JOIN (prize_pack_types x JOIN prizes p ON p.id = x.prize_id AND p.is_active
     AND p.archived_at IS NULL) ON x.pack_type_id = t.id
   WHERE t.id = $1
   ORDER BY p.id`,
)

/** The prizes of a pack type in id order, and what a losing pack pays, from one snapshot. */
export async function readOddsInForce(db: Queryable, packTypeId: number) {
  const rows = await readPrizes(db, packTypeId)
  const prizes = rows.flatMap(({ revision: _, consolationRedCoin: __, prizeId, ...prize }) =>
    prizeId === null ? [] : [{ prizeId, ...prize }],
  )
  const { revision = 0, consolationRedCoin = 0 } = rows[0] ?? {}
  return { revision, consolationRedCoin, prizes }
}

/** Every pack type that is not archived, with the revision of its odds. */
export const readOddsRevisions = rowsQuery<{ id: number; revision: number }>(
  'read_odds_revisions',
  `SELECT id, odds_revision AS revision FROM pack_types
   WHERE archived_at IS NULL ORDER BY id LIMIT ${packTypesMax}`,
)

const addOddsTable = writeQuery<[packTypeId: number, hash: string, body: string, now: Date]>(
  'add_odds_table',
  `INSERT INTO odds_tables (pack_type_id, table_hash, body, created_at) VALUES ($1, $2, $3, $4)
   ON CONFLICT (table_hash) DO NOTHING`,
)
const findOddsTable = oneValueQuery<{ id: number }, [hash: string]>(
  'find_odds_table',
  'SELECT id FROM odds_tables WHERE table_hash = $1',
)

/** The row of a table with this text, made when there is none yet. */
export async function storeOddsTable(
  db: Queryable,
  table: { readonly packTypeId: number; readonly tableHash: string; readonly body: string },
  now: Date,
): Promise<number> {
  await addOddsTable(db, table.packTypeId, table.tableHash, table.body, now)
  return findOddsTable(db, table.tableHash)
}
