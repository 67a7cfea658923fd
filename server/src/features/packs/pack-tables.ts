// The SQL of opening packs: one statement that reads everything, one that writes all or nothing.

import { type Queryable, statement } from '../../adapters/db/database.ts'
import { isKey, type StoredKey } from '../../adapters/db/stored-key.ts'
import type { OpenChain } from '../../adapters/random/draw-seeds.ts'
import type { OpenablePrize } from '../../rules/opening.ts'
import type { Suspension } from '../../rules/suspension.ts'
import { deliveryTerms } from '../../shared/delivery-terms-sql.ts'
import { anyList } from '../../shared/list-parameter-sql.ts'
import { suspensionOf } from '../../shared/standing-sql.ts'
import { consolationNow } from '../settings/consolation-sql.ts'

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

const readStates = statement(
  'read_opening_states',
  `WITH stock AS (
     SELECT x.pack_type_id, jsonb_object_agg(p.id, p.inventory_quantity) AS units
     FROM prize_pack_types x JOIN prizes p ON p.id = x.prize_id
     WHERE x.pack_type_id = ANY(${anyList('$2', 'int')}) AND p.is_active
       AND p.inventory_quantity IS NOT NULL
     GROUP BY x.pack_type_id
   )
   SELECT a.position::int AS n, u.red_coin_balance, t.odds_revision,
     (SELECT jsonb_object_agg(h.pack_type_id, h.quantity) FROM user_packs h WHERE h.user_id = u.id)
       AS held,
     CASE WHEN c.id IS NOT NULL THEN json_build_object('chainId', c.id, 'index', c.index,
       'commitment', c.commitment, 'sealedSeed', c.sealed_seed, 'day', c.day, 'userId', u.id) END
       AS chain, stock.units AS stock, k.input_hash, k.body, ${suspensionOf('u')} AS suspension
   FROM unnest(${anyList('$1', 'int')}, ${anyList('$2', 'int')}, ${anyList('$3', 'text')})
     WITH ORDINALITY AS a (user_id, pack_type_id, key, position)
   JOIN users u ON u.id = a.user_id AND u.deleted_at IS NULL
   LEFT JOIN pack_types t ON t.id = a.pack_type_id AND t.archived_at IS NULL
   LEFT JOIN stock ON stock.pack_type_id = t.id
   LEFT JOIN draw_chains c ON c.user_id = u.id AND c.ended_at IS NULL
   LEFT JOIN idempotency_keys k ON ${isKey('u.id', '$4', 'a.key')}`,
)

const lockLimited = statement(
  'lock_limited_prizes',
  `SELECT p.id FROM prizes p JOIN prize_pack_types x ON x.prize_id = p.id
   WHERE x.pack_type_id = $1 AND p.is_active AND p.inventory_quantity IS NOT NULL
   ORDER BY p.id FOR NO KEY UPDATE OF p`,
)

/** Holds the stock of all that a pack type draws. The caller holds the lock of a user's row. */
export const lockLimitedPrizes = (tx: Queryable, packTypeId: number) =>
  tx.run(lockLimited, [packTypeId])

interface StateRow {
  readonly n: number
  readonly red_coin_balance: number
  readonly odds_revision: number | null
  readonly held: Record<string, number> | null
  readonly chain: OpenChain | null
  readonly stock: Record<string, number> | null
  readonly input_hash: string | null
  readonly body: string | null
  readonly suspension: Suspension | null
}

export interface OpeningAsked {
  readonly userId: number
  readonly packTypeId: number
  readonly key: string | undefined
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
  const rows = await db.run<StateRow>(readStates, [
    asked.map(({ userId }) => userId),
    asked.map(({ packTypeId }) => packTypeId),
    asked.map(({ key }) => key ?? null),
    route,
  ])
  const states = new Map(rows.map((row) => [row.n, stateOf(row)]))
  return asked.map((_, index) => states.get(index + 1))
}

function stateOf(row: StateRow): OpeningState {
  return {
    packTypeExists: row.odds_revision !== null,
    oddsRevision: row.odds_revision ?? 0,
    held: byId(row.held),
    balance: row.red_coin_balance,
    stock: byId(row.stock),
    chain: row.chain ?? undefined,
    suspension: row.suspension,
    stored: row.input_hash === null ? undefined : { inputHash: row.input_hash, body: row.body },
  }
}

function byId(amounts: Record<string, number> | null): Map<number, number> {
  return new Map(Object.entries(amounts ?? {}).map(([id, amount]) => [Number(id), amount]))
}

const readPrizes = statement(
  'read_openable_prizes',
  `SELECT t.odds_revision,
     ${consolationNow} AS consolation,
     p.id, p.name, p.description, p.claim_instructions, p.win_frequency, p.total_packs,
     p.red_coin_amount, p.image_data, p.image_type, p.image_hash,
     CASE WHEN p.pack_quantity > 0 THEN p.pack_type_id END AS reward_pack_type_id,
     CASE WHEN p.pack_type_id IS NULL THEN 0 ELSE p.pack_quantity END AS reward_pack_quantity,
     p.inventory_quantity IS NOT NULL AS limited, p.is_also_sent,
     ${deliveryTerms} AS delivery, p.delivers_codes
   FROM pack_types t
   LEFT JOIN (prize_pack_types x JOIN prizes p ON p.id = x.prize_id AND p.is_active
     AND p.archived_at IS NULL) ON x.pack_type_id = t.id
   WHERE t.id = $1
   ORDER BY p.id`,
)

interface PrizeRow {
  readonly odds_revision: number
  readonly consolation: number
  readonly id: number | null
  readonly name: string
  readonly description: string
  readonly claim_instructions: string
  readonly win_frequency: number
  readonly total_packs: number
  readonly red_coin_amount: number
  readonly reward_pack_type_id: number | null
  readonly reward_pack_quantity: number
  readonly image_data: string | null
  readonly image_type: string | null
  readonly limited: boolean
  readonly image_hash: string | null
  readonly is_also_sent: boolean
  readonly delivery: OpenablePrize['delivery']
  readonly delivers_codes: boolean
}

/** What a pack type is drawn from, as it stood at one revision. */
export interface OddsInForce {
  readonly revision: number
  /** What a losing pack pays. */
  readonly consolationRedCoin: number
  /** In id order. */
  readonly prizes: OpenablePrize[]
}

/** The prizes of a pack type and the consolation, from one snapshot. */
export async function readOddsInForce(db: Queryable, packTypeId: number): Promise<OddsInForce> {
  const rows = await db.run<PrizeRow>(readPrizes, [packTypeId])
  const prizes = rows.flatMap((row): OpenablePrize[] =>
    row.id === null
      ? []
      : [
          {
            prizeId: row.id,
            name: row.name,
            winFrequency: row.win_frequency,
            totalPacks: row.total_packs,
            redCoinAmount: row.red_coin_amount,
            description: row.description,
            claimInstructions: row.claim_instructions,
            imageData: row.image_data,
            imageType: row.image_type,
            imageHash: row.image_hash,
            isAlsoSent: row.is_also_sent,
            delivery: row.delivery,
            deliversCodes: row.delivers_codes,
            rewardPackTypeId: row.reward_pack_type_id,
            rewardPackQuantity: row.reward_pack_quantity,
            limited: row.limited,
          },
        ],
  )
  return {
    revision: rows[0]?.odds_revision ?? 0,
    consolationRedCoin: rows[0]?.consolation ?? 0,
    prizes,
  }
}

const readRevisions = statement(
  'read_odds_revisions',
  `SELECT id, odds_revision AS revision FROM pack_types
   WHERE archived_at IS NULL ORDER BY id LIMIT 500`,
)

/** Every pack type that is not archived, with the revision of its odds. */
export function readOddsRevisions(
  db: Queryable,
): Promise<{ readonly id: number; readonly revision: number }[]> {
  return db.run(readRevisions, [])
}

const addOddsTable = statement(
  'add_odds_table',
  `INSERT INTO odds_tables (pack_type_id, table_hash, body, created_at) VALUES ($1, $2, $3, $4)
   ON CONFLICT (table_hash) DO NOTHING`,
)
const findOddsTable = statement(
  'find_odds_table',
  'SELECT id FROM odds_tables WHERE table_hash = $1',
)

/** The row of a table with this text, made when there is none yet. */
export async function storeOddsTable(
  db: Queryable,
  table: { readonly packTypeId: number; readonly tableHash: string; readonly body: string },
  now: Date,
): Promise<number> {
  await db.run(addOddsTable, [table.packTypeId, table.tableHash, table.body, now])
  const rows = await db.run<{ id: number }>(findOddsTable, [table.tableHash])
  const id = rows[0]?.id
  if (id === undefined) throw new Error('An odds table that was just stored is missing')
  return id
}
