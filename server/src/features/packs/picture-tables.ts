// The SQL of pictures that prizes have or had.

import { type Queryable, statement } from '../../adapters/db/database.ts'

const readByHash = statement(
  'read_prize_pictures',
  'SELECT hash, image_data FROM prize_images WHERE hash = ANY($1::text[])',
)

/** Pictures in base64 by their hashes; one that nobody has kept is missing. */
export async function readPictures(
  db: Queryable,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.run<{ hash: string; image_data: string }>(readByHash, [hashes])
  return new Map(rows.map((row) => [row.hash, row.image_data]))
}
