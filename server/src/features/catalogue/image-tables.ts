// SQL on uploaded pictures.

import { type Queryable, statement } from '../../adapters/db/database.ts'

const addImage = statement(
  'add_image',
  `INSERT INTO images (hash, type, bytes, created_at) VALUES ($1, $2, $3, $4)
   ON CONFLICT (hash) DO NOTHING`,
)
const findImage = statement('find_image', 'SELECT type, bytes FROM images WHERE hash = $1')

/** Keeps a picture under the hash of its bytes; null stands for bytes in a bucket. */
export async function storeImage(
  tx: Queryable,
  image: { readonly hash: string; readonly type: string; readonly bytes: Buffer | null },
  now: Date,
): Promise<void> {
  await tx.run(addImage, [image.hash, image.type, image.bytes, now])
}

export interface StoredImage {
  readonly type: string
  readonly bytes: Buffer | null
}

export async function readImage(db: Queryable, hash: string): Promise<StoredImage | undefined> {
  const rows = await db.run<{ type: string; bytes: Uint8Array | null }>(findImage, [hash])
  const row = rows[0]
  if (row === undefined) return undefined
  return { type: row.type, bytes: row.bytes === null ? null : Buffer.from(row.bytes) }
}
