// SQL on pack types as staff change them.

import type { AdminPackType } from '@redpack/contract'
import { packTypesMax } from '@redpack/contract/limits'
import {
  existsQuery,
  oneQuery,
  rowQuery,
  rowsQuery,
  valuesQuery,
  writeQuery,
} from '../../adapters/db/queries.ts'

/**
 * Locks pack types that are about to change with their prizes, in id order, after the prizes.
 * Answers those that are there and not archived.
 */
export const lockLivePackTypes = valuesQuery<{ id: number }, [ids: readonly number[]]>(
  'lock_live_pack_types',
  `SELECT id FROM pack_types WHERE id = ANY($1::int[]) AND archived_at IS NULL
   ORDER BY id FOR NO KEY UPDATE`,
)

/** True for a pack type that is not archived; it stays so until the transaction ends. */
export const holdLivePackType = existsQuery<[id: number]>(
  'hold_live_pack_type',
  'SELECT id FROM pack_types WHERE id = $1 AND archived_at IS NULL FOR KEY SHARE',
)

/** What staff enter of a pack type. */
export type PackTypeValues = Omit<AdminPackType, 'id' | 'hasImage'> & {
  readonly imageHash: string | null
}

export type PackTypeRow = PackTypeValues & { readonly id: number; readonly isArchived: boolean }

const columns = `id, name, description, color, icon, image_url AS "imageUrl",
  image_hash AS "imageHash", archived_at IS NOT NULL AS "isArchived"`

/** Every pack type that is not deleted, by id. */
export const readLivePackTypes = rowsQuery<PackTypeRow>(
  'read_pack_types_of_staff',
  `SELECT ${columns} FROM pack_types WHERE archived_at IS NULL ORDER BY id LIMIT ${packTypesMax}`,
)

/** A pack type that is not deleted, read without a lock. */
export const findLivePackType = rowQuery<PackTypeRow, [id: number]>(
  'find_pack_type_of_staff',
  `SELECT ${columns} FROM pack_types WHERE id = $1 AND archived_at IS NULL`,
)

/** The row, archived or not, locked; what refers to it goes on. */
export const lockPackType = rowQuery<PackTypeRow, [id: number]>(
  'lock_pack_type',
  `SELECT ${columns} FROM pack_types WHERE id = $1 FOR NO KEY UPDATE`,
)

/** Locks it against everything that would refer to it anew, openings of its packs included. */
export const shutPackType = writeQuery<[id: number]>(
  'shut_pack_type',
  'SELECT FROM pack_types WHERE id = $1 FOR UPDATE',
)

type Written = PackTypeValues & { readonly now: Date }

export const addPackType = oneQuery<PackTypeRow, [packType: Written]>(
  'insert_pack_type',
  `INSERT INTO pack_types (name, description, color, icon, image_url, image_hash, created_at,
     updated_at)
   VALUES (:name, :description, :color, :icon, :imageUrl, :imageHash, :now, :now)
   RETURNING ${columns}`,
)
export const changePackType = oneQuery<PackTypeRow, [packType: Written & { readonly id: number }]>(
  'update_pack_type',
  `UPDATE pack_types SET name = :name, description = :description, color = :color, icon = :icon,
     image_url = :imageUrl, image_hash = :imageHash, updated_at = :now
   WHERE id = :id RETURNING ${columns}`,
)

/** What keeps a pack type from going: each a count, 0 when nothing does. */
export interface PackTypeUses {
  readonly heldPacks: number
  readonly listings: number
  readonly streams: number
  readonly prizes: number
}

export const packTypeUses = oneQuery<PackTypeUses, [id: number]>(
  'count_pack_type_uses',
  `SELECT
     (SELECT coalesce(sum(quantity), 0)::bigint FROM user_packs
       WHERE pack_type_id = $1 AND quantity > 0) AS "heldPacks",
     (SELECT count(*)::int FROM store_pack_listings
       WHERE pack_type_id = $1 AND is_active AND archived_at IS NULL) AS listings,
     (SELECT count(*)::int FROM twitch_streams s WHERE s.archived_at IS NULL
       AND (s.reward_pack_type_id = $1 OR EXISTS (SELECT FROM stream_rewards r
         WHERE r.stream_id = s.id AND r.pack_type_id = $1))) AS streams,
     (SELECT count(*)::int FROM prizes
       WHERE pack_type_id = $1 AND archived_at IS NULL) AS prizes`,
)
