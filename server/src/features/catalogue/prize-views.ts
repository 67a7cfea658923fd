// Prizes as staff see them.

import type { AdminPrize } from '@redpack/contract'
import { type Queryable, statement } from '../../adapters/db/database.ts'

const prizesMax = 1_000

const readPrizes = statement(
  'read_prizes_for_staff',
  `SELECT p.id, p.name, p.description, p.claim_instructions AS "claimInstructions",
     p.win_frequency AS "winFrequency", p.total_packs AS "totalPacks",
     p.red_coin_amount AS "redCoinAmount", p.pack_type_id AS "packTypeId",
     p.pack_quantity AS "packQuantity", p.is_also_sent AS "isAlsoSent",
     p.image_data AS "imageData", p.image_type AS "imageType",
     p.inventory_quantity AS "inventoryQuantity", p.is_active AS "isActive",
     p.created_at AS "createdAt",
     coalesce((SELECT json_agg(json_build_object('id', t.id, 'name', t.name) ORDER BY t.id)
       FROM prize_pack_types x JOIN pack_types t ON t.id = x.pack_type_id
       WHERE x.prize_id = p.id AND t.archived_at IS NULL), '[]'::json) AS "packTypes"
   FROM prizes p WHERE p.archived_at IS NULL
   ORDER BY p.id LIMIT ${prizesMax}`,
)

type PrizeRow = Omit<AdminPrize, 'createdAt' | 'packTypeIds'> & { readonly createdAt: Date }

/** Every prize that is not deleted, inactive ones included, by id; at most 1,000. */
export async function prizesForStaff(db: Queryable): Promise<AdminPrize[]> {
  const rows = await db.run<PrizeRow>(readPrizes, [])
  return rows.map((row) => ({
    ...row,
    createdAt: row.createdAt.toISOString(),
    packTypeIds: row.packTypes.map(({ id }) => id),
  }))
}
