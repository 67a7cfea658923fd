// Pack types as staff see them.

import type { AdminPackType, PackTypeImage } from '@redpack/contract'
import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import type { Queryable } from '../../adapters/db/database.ts'
import { packTypes } from '../../adapters/db/schema-packs.ts'
import { Refusal } from '../../rules/refusal.ts'

const packTypesMax = 1_000

const { imageUrl, imageData } = packTypes
const hasImage = sql<boolean>`${imageUrl} IS NOT NULL OR ${imageData} IS NOT NULL`

/** Every pack type that is not deleted, by id, without the bytes of its picture; at most 1,000. */
export async function packTypesForStaff(db: Queryable): Promise<AdminPackType[]> {
  return db.orm
    .select({
      id: packTypes.id,
      name: packTypes.name,
      description: packTypes.description,
      color: packTypes.color,
      icon: packTypes.icon,
      imageUrl: packTypes.imageUrl,
      hasImage,
    })
    .from(packTypes)
    .where(isNull(packTypes.archivedAt))
    .orderBy(asc(packTypes.id))
    .limit(packTypesMax)
}

/** The picture of a pack type; null where there is none. @throws Refusal not_found */
export async function imageOfPackType(db: Queryable, id: number): Promise<PackTypeImage> {
  const [row] = await db.orm
    .select({
      imageUrl: packTypes.imageUrl,
      imageData: packTypes.imageData,
      imageType: packTypes.imageType,
    })
    .from(packTypes)
    .where(and(eq(packTypes.id, id), isNull(packTypes.archivedAt)))
    .limit(1)
  if (row === undefined) throw new Refusal('not_found', 'Pack type not found')
  return row
}
