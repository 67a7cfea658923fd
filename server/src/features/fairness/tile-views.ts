// What everyone reads of the public log: its tiles and its entries.

import { utf8 } from '@redpack/fair/bytes'
import {
  bundleOf,
  parseTileName,
  type TileName,
  tilePath,
  tileWidth,
  tileWidthAt,
} from '@redpack/fair/tree'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import { DomainError } from '../../shared/domain-error.ts'

const readHead = statement(
  'read_log_head',
  `SELECT (SELECT coalesce(max(index) + 1, 0) FROM log_entries)::bigint AS size,
     coalesce((SELECT min(id) FROM log_keys), 0) AS log`,
)
const readBodies = statement(
  'read_log_bundle',
  'SELECT body FROM log_entries WHERE index >= $1 AND index < $2 ORDER BY index',
)
const readLeaves = statement(
  'read_leaf_tile',
  `SELECT string_agg(leaf_hash, ''::bytea ORDER BY index) AS hashes FROM log_entries
   WHERE index >= $1 AND index < $2`,
)
const readSubtrees = statement(
  'read_subtree_tile',
  `SELECT string_agg(hash, ''::bytea ORDER BY position) AS hashes FROM log_subtrees
   WHERE level = $3 AND position >= $1 AND position < $2`,
)
/** Number of entries, and a number that only this log has. */
export async function logHead(
  db: Queryable,
): Promise<{ readonly size: number; readonly log: number }> {
  const [row] = await db.run<{ size: number; log: number }>(readHead, [])
  return row ?? { size: 0, log: 0 }
}

/** The bytes of a tile or bundle that the tree is known to have. */
export async function tileBytes(db: Queryable, tile: TileName): Promise<Buffer> {
  const first = tile.index * tileWidth
  const end = first + tile.width
  if (tile.level === 'entries') return bundle(db, first, end)
  const [found, values] =
    tile.level === 0 ? [readLeaves, [first, end]] : [readSubtrees, [first, end, tile.level]]
  const [row] = await db.run<{ hashes: Uint8Array | null }>(found, values)
  return Buffer.from(row?.hashes ?? [])
}

/** Each entry with its length in two bytes in front. */
async function bundle(db: Queryable, first: number, end: number): Promise<Buffer> {
  const rows = await db.run<{ body: string }>(readBodies, [first, end])
  return Buffer.from(bundleOf(rows.map(({ body }) => utf8(body))))
}

interface TileParams {
  readonly level?: string
  readonly part1: string
  readonly part2?: string | undefined
  readonly part3?: string | undefined
  readonly part4?: string | undefined
}

/**
 * The tile of a tree of `size` entries. A partial one may also be asked for when it is wider by
 * now.
 * @throws DomainError invalid_input for a path that names none, not_found beyond the end of the
 * tree
 */
export function tileIn(
  { level = 'entries', part1, part2, part3, part4 }: TileParams,
  size: number,
): { readonly tile: TileName; readonly path: string; readonly isFull: boolean } {
  const parts = [level, part1, part2, part3, part4].filter((part) => part !== undefined)
  const tile = parseTileName(parts.join('/'))
  if (tile === undefined) throw new DomainError('invalid_input', 'This is not the path of a tile')
  if (tile.width > tileWidthAt(size, tile)) {
    throw new DomainError('not_found', 'The log has no such tile yet')
  }
  return { tile, path: tilePath(tile), isFull: tile.width === tileWidth }
}
