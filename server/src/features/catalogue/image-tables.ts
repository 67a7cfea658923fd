// SQL on pictures: each stands once under the hash of its bytes.

import type { Queryable } from '../../adapters/db/database.ts'
import { countQuery, existsQuery, rowsQuery, writeQuery } from '../../adapters/db/queries.ts'

/** A picture as the specification's fields carry it: base64 with its media type. */
export interface PictureText {
  readonly imageData: string | null
  readonly imageType: string | null
}

export interface StoredImage {
  /** SHA-256 of the bytes in hexadecimal digits. */
  readonly hash: string
  readonly type: string
  /** Null when they stand in a bucket. */
  readonly bytes: Buffer | null
}

type ImageRow = Omit<StoredImage, 'bytes'> & { readonly bytes: Uint8Array | null }

/** Keeps a picture from now on, the same one once. */
export const storeImage = writeQuery<[image: StoredImage & { readonly now: Date }]>(
  'add_image',
  `INSERT INTO images (hash, type, bytes, created_at) VALUES (:hash, :type, :bytes, :now)
   ON CONFLICT (hash) DO UPDATE
     SET unused_since = NULL, bytes = coalesce(images.bytes, EXCLUDED.bytes)`,
)
const findImages = rowsQuery<ImageRow, [hashes: readonly string[]]>(
  'find_images',
  'SELECT hash, type, bytes FROM images WHERE hash = ANY($1::text[])',
)

/** The pictures with these hashes that there are, in no order. */
export async function readImages(db: Queryable, hashes: readonly string[]): Promise<StoredImage[]> {
  const rows = await findImages(db, hashes)
  return rows.map((row) => ({ ...row, bytes: row.bytes && Buffer.from(row.bytes) }))
}

/** A picture as text; both are null where there is none. */
export async function readPictureText(db: Queryable, hash: string | null): Promise<PictureText> {
  const [image] = hash === null ? [] : await readImages(db, [hash])
  return { imageData: image?.bytes?.toString('base64') ?? null, imageType: image?.type ?? null }
}

/** Keeps a picture for an address that is about to be written; false when it is gone. */
export const keepImage = existsQuery<[hash: string]>(
  'keep_image',
  'UPDATE images SET unused_since = NULL WHERE hash = $1 RETURNING hash',
)

// An address may name this site or not, and carry a query: the hash in it is enough.
const isUsed = `(EXISTS (SELECT FROM prizes p WHERE p.image_hash = i.hash)
  OR EXISTS (SELECT FROM pack_types t
    WHERE t.image_hash = i.hash OR t.image_url LIKE '%' || i.hash || '%')
  OR EXISTS (SELECT FROM store_pack_listings l WHERE l.custom_image LIKE '%' || i.hash || '%')
  OR EXISTS (SELECT FROM prize_claims c WHERE c.image_hash = i.hash))`

const removeUnused = countQuery<[before: Date]>(
  'remove_unused_images',
  `DELETE FROM images i WHERE i.unused_since < $1 AND NOT ${isUsed} RETURNING i.hash`,
)
const markUnused = writeQuery<[now: Date]>(
  'mark_unused_images',
  `WITH found AS MATERIALIZED (
     SELECT i.hash, ${isUsed} AS used FROM images i WHERE i.bytes IS NOT NULL
   )
   UPDATE images SET unused_since = CASE WHEN NOT found.used THEN $1::timestamptz END
   FROM found WHERE found.hash = images.hash AND found.used = (unused_since IS NOT NULL)`,
)

/**
 * Removes the pictures that were found unused before a moment and still are, and marks those that
 * are found unused now: what an opening under way has won is in its claim by then. Pictures in a
 * bucket stay. Whoever begins to refer to a picture meanwhile takes the mark away, and its removal
 * with it. Answers how many went.
 */
export async function removeUnusedImages(db: Queryable, before: Date, now: Date): Promise<number> {
  const removed = await removeUnused(db, before)
  await markUnused(db, now)
  return removed
}
