// What players see of packs: holdings, types, their openings and totals.

import type { Holding, Opening, PackType, StatsResponse } from '@redpack/contract'
import { openingsListMax } from '@redpack/contract/limits'
import { and, asc, desc, eq, isNull } from 'drizzle-orm'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import { packOpenings, packTypes, prizeClaims, userPacks } from '../../adapters/db/schema-packs.ts'

const packTypesMax = 500

const readStats = statement(
  'read_player_stats',
  `SELECT
     (SELECT coalesce(sum(quantity), 0)::bigint FROM user_packs WHERE user_id = $1) AS "totalPacks",
     (SELECT count(*)::int FROM pack_openings WHERE user_id = $1) AS "packsOpened"`,
)

/** Packs held and opened; openings hidden by a statistics reset do not count. */
export async function playerStats(db: Queryable, userId: number): Promise<StatsResponse> {
  const rows = await db.run<StatsResponse>(readStats, [userId])
  return rows[0] ?? { totalPacks: 0, packsOpened: 0 }
}

/** The caller's latest openings with what they gave, newest first, at most 100. */
export async function latestOpenings(db: Queryable, userId: number): Promise<Opening[]> {
  const rows = await db.orm
    .select({
      id: packOpenings.id,
      createdAt: packOpenings.createdAt,
      prize: {
        id: prizeClaims.prizeId,
        name: prizeClaims.prizeName,
        redCoinAmount: prizeClaims.redCoinAmount,
      },
      packType: { id: packTypes.id, name: packTypes.name },
    })
    .from(packOpenings)
    .innerJoin(packTypes, eq(packTypes.id, packOpenings.packTypeId))
    .leftJoin(prizeClaims, eq(prizeClaims.packOpeningId, packOpenings.id))
    .where(eq(packOpenings.userId, userId))
    .orderBy(desc(packOpenings.id))
    .limit(openingsListMax)
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }))
}

/** Hashes of the odds in force, by pack type id. */
type OddsHashes = ReadonlyMap<number, string>

/** A pack type that was made after the hashes were read has none, and waits for the next answer. */
function withHash<Row>(rows: readonly Row[], hashes: OddsHashes, idOf: (row: Row) => number) {
  return rows.flatMap((row) => {
    const oddsHash = hashes.get(idOf(row))
    return oddsHash === undefined ? [] : [{ ...row, oddsHash }]
  })
}

/** The caller's holdings, without uploaded images: those stand in the list of types. */
export async function holdingsOf(
  db: Queryable,
  userId: number,
  hashes: OddsHashes,
): Promise<Holding[]> {
  const rows = await db.orm
    .select({
      packTypeId: userPacks.packTypeId,
      quantity: userPacks.quantity,
      packType: {
        id: packTypes.id,
        name: packTypes.name,
        description: packTypes.description,
        icon: packTypes.icon,
        color: packTypes.color,
        imageUrl: packTypes.imageUrl,
      },
    })
    .from(userPacks)
    .innerJoin(packTypes, and(eq(packTypes.id, userPacks.packTypeId), isNull(packTypes.archivedAt)))
    .where(eq(userPacks.userId, userId))
    .orderBy(asc(userPacks.packTypeId))
    .limit(packTypesMax)
  return withHash(rows, hashes, ({ packTypeId }) => packTypeId)
}

/** Every pack type that is not archived, by id. */
export async function packTypesForPlayers(db: Queryable, hashes: OddsHashes): Promise<PackType[]> {
  const rows = await db.orm
    .select({
      id: packTypes.id,
      name: packTypes.name,
      description: packTypes.description,
      icon: packTypes.icon,
      color: packTypes.color,
      imageUrl: packTypes.imageUrl,
      imageData: packTypes.imageData,
      imageType: packTypes.imageType,
    })
    .from(packTypes)
    .where(isNull(packTypes.archivedAt))
    .orderBy(asc(packTypes.id))
    .limit(packTypesMax)
  return withHash(rows, hashes, ({ id }) => id)
}
