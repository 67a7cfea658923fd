// Pack types as staff see them.

import type { AdminPackType, PackTypeImage } from '@redpack/contract'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import { DomainError } from '../../shared/domain-error.ts'

const packTypesMax = 1_000

const readTypes = statement(
  'read_pack_types_of_staff',
  `SELECT id, name, description, color, icon, image_url AS "imageUrl",
     image_url IS NOT NULL OR image_data IS NOT NULL AS "hasImage"
   FROM pack_types WHERE archived_at IS NULL ORDER BY id LIMIT ${packTypesMax}`,
)
const readImage = statement(
  'read_image_of_pack_type',
  `SELECT image_url AS "imageUrl", image_data AS "imageData", image_type AS "imageType"
   FROM pack_types WHERE id = $1 AND archived_at IS NULL`,
)

/** Every pack type that is not deleted, by id, without the bytes of its picture; at most 1,000. */
export async function packTypesForStaff(db: Queryable): Promise<AdminPackType[]> {
  return db.run<AdminPackType>(readTypes, [])
}

/** The picture of a pack type; null where there is none. @throws DomainError not_found */
export async function imageOfPackType(db: Queryable, id: number): Promise<PackTypeImage> {
  const [row] = await db.run<PackTypeImage>(readImage, [id])
  if (row === undefined) throw new DomainError('not_found', 'Pack type not found')
  return row
}
