// The SQL of opening packs: one statement that reads everything, one that writes all or nothing.

import { type Queryable, statement } from '../../adapters/db/database.ts'
import type { OpenablePrize } from '../../rules/opening.ts'

export interface OpeningState {
  readonly packTypeExists: boolean
  readonly oddsRevision: number
  readonly held: number
  readonly balance: number
  /** Value of the setting, null while it is not stored. */
  readonly consolationRedCoin: number | null
  /** Units left of limited prizes, by prize id. */
  readonly stock: ReadonlyMap<number, number>
  readonly seeds:
    | {
        readonly pairId: number
        readonly serverSeed: string
        readonly clientSeed: string
        readonly nonce: number
      }
    | undefined
  /** What was stored under the idempotency key of this request, if anything. */
  readonly stored: { readonly inputHash: string; readonly body: string | null } | undefined
}

const readState = statement(
  'read_opening_state',
  `SELECT u.red_coin_balance, t.odds_revision, h.quantity,
     s.id AS pair_id, s.server_seed, s.client_seed, s.nonce,
     (SELECT value FROM app_settings WHERE key = 'consolationRedCoin') AS consolation,
     (SELECT jsonb_object_agg(p.id, p.inventory_quantity)
        FROM prize_pack_types x JOIN prizes p ON p.id = x.prize_id
        WHERE x.pack_type_id = t.id AND p.is_active AND p.inventory_quantity IS NOT NULL) AS stock,
     k.input_hash, k.body
   FROM users u
   LEFT JOIN pack_types t ON t.id = $2 AND t.archived_at IS NULL
   LEFT JOIN user_packs h ON h.user_id = u.id AND h.pack_type_id = t.id
   LEFT JOIN seed_pairs s ON s.user_id = u.id AND s.status = 'active'
   LEFT JOIN idempotency_keys k ON k.user_id = u.id AND k.route = $3 AND k.key = $4
   WHERE u.id = $1 AND u.deleted_at IS NULL`,
)

interface StateRow {
  readonly red_coin_balance: number
  readonly odds_revision: number | null
  readonly quantity: number | null
  readonly pair_id: number | null
  readonly server_seed: string
  readonly client_seed: string
  readonly nonce: number
  readonly consolation: number | null
  readonly stock: Record<string, number> | null
  readonly input_hash: string | null
  readonly body: string | null
}

/** Reads, without locks, all that an opening depends on. Undefined when the user is gone. */
export async function readOpeningState(
  db: Queryable,
  userId: number,
  packTypeId: number,
  key: { readonly route: string; readonly key: string | undefined },
): Promise<OpeningState | undefined> {
  const rows = await db.run<StateRow>(readState, [userId, packTypeId, key.route, key.key ?? null])
  const row = rows[0]
  if (row === undefined) return undefined
  const stock = Object.entries(row.stock ?? {}).map(([id, units]) => [Number(id), units] as const)
  return {
    packTypeExists: row.odds_revision !== null,
    oddsRevision: row.odds_revision ?? 0,
    held: row.quantity ?? 0,
    balance: row.red_coin_balance,
    consolationRedCoin: row.consolation,
    stock: new Map(stock),
    seeds:
      row.pair_id === null
        ? undefined
        : {
            pairId: row.pair_id,
            serverSeed: row.server_seed,
            clientSeed: row.client_seed,
            nonce: row.nonce,
          },
    stored: row.input_hash === null ? undefined : { inputHash: row.input_hash, body: row.body },
  }
}

const readPrizes = statement(
  'read_openable_prizes',
  `SELECT t.odds_revision, p.id, p.name, p.description, p.claim_instructions, p.win_frequency,
     p.total_packs, p.red_coin_amount, p.pack_type_id, p.pack_quantity, p.image_data, p.image_type
   FROM pack_types t
   LEFT JOIN (prize_pack_types x JOIN prizes p ON p.id = x.prize_id AND p.is_active
     AND p.archived_at IS NULL) ON x.pack_type_id = t.id
   WHERE t.id = $1
   ORDER BY p.id`,
)

interface PrizeRow {
  readonly odds_revision: number
  readonly id: number | null
  readonly name: string
  readonly description: string
  readonly claim_instructions: string
  readonly win_frequency: number
  readonly total_packs: number
  readonly red_coin_amount: number
  readonly pack_type_id: number | null
  readonly pack_quantity: number
  readonly image_data: string | null
  readonly image_type: string | null
}

/** The prizes of a pack type in id order, with the revision they belong to, from one snapshot. */
export async function readOpenablePrizes(
  db: Queryable,
  packTypeId: number,
): Promise<{ revision: number; prizes: OpenablePrize[] }> {
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
            rewardPackTypeId: row.pack_type_id,
            rewardQuantity: row.pack_quantity,
          },
        ],
  )
  return { revision: rows[0]?.odds_revision ?? 0, prizes }
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
  table: { readonly packTypeId: number; readonly hash: string; readonly body: string },
  now: Date,
): Promise<number> {
  await db.run(addOddsTable, [table.packTypeId, table.hash, table.body, now])
  const rows = await db.run<{ id: number }>(findOddsTable, [table.hash])
  const id = rows[0]?.id
  if (id === undefined) throw new Error('An odds table that was just stored is missing')
  return id
}
