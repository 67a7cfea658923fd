// SQL on pack types as staff change them.

import { type Queryable, statement } from '../../adapters/db/database.ts'

const lockLive = statement(
  'lock_live_pack_types',
  `SELECT id FROM pack_types WHERE id = ANY($1::int[]) AND archived_at IS NULL
   ORDER BY id FOR NO KEY UPDATE`,
)
const holdLive = statement(
  'hold_live_pack_type',
  'SELECT id FROM pack_types WHERE id = $1 AND archived_at IS NULL FOR KEY SHARE',
)

/**
 * Locks pack types that are about to change with their prizes, in id order, after the prizes.
 * Answers those that are there and not archived.
 */
export async function lockLivePackTypes(tx: Queryable, ids: readonly number[]): Promise<number[]> {
  const rows = await tx.run<{ id: number }>(lockLive, [ids])
  return rows.map(({ id }) => id)
}

/** True for a pack type that is not archived; it stays so until the transaction ends. */
export async function holdLivePackType(tx: Queryable, id: number): Promise<boolean> {
  return (await tx.run(holdLive, [id])).length > 0
}

/** What staff enter of a pack type. */
export interface PackTypeValues {
  readonly name: string
  readonly description: string
  readonly color: string
  readonly icon: string
  readonly imageUrl: string | null
  readonly imageHash: string | null
}

export interface PackTypeRow extends PackTypeValues {
  readonly id: number
  readonly isArchived: boolean
}

const columns = `id, name, description, color, icon, image_url AS "imageUrl",
  image_hash AS "imageHash", archived_at IS NOT NULL AS "isArchived"`

const packTypesMax = 1_000

const readLive = statement(
  'read_pack_types_of_staff',
  `SELECT ${columns} FROM pack_types WHERE archived_at IS NULL ORDER BY id LIMIT ${packTypesMax}`,
)
const findLive = statement(
  'find_pack_type_of_staff',
  `SELECT ${columns} FROM pack_types WHERE id = $1 AND archived_at IS NULL`,
)
const lock = statement(
  'lock_pack_type',
  `SELECT ${columns} FROM pack_types WHERE id = $1 FOR UPDATE`,
)
const insert = statement(
  'insert_pack_type',
  `INSERT INTO pack_types (name, description, color, icon, image_url, image_hash, created_at,
     updated_at)
   VALUES (:name, :description, :color, :icon, :imageUrl, :imageHash, :now, :now)
   RETURNING ${columns}`,
)
const update = statement(
  'update_pack_type',
  `UPDATE pack_types SET name = :name, description = :description, color = :color, icon = :icon,
     image_url = :imageUrl, image_hash = :imageHash, updated_at = :now
   WHERE id = :id RETURNING ${columns}`,
)

/** Every pack type that is not deleted, by id; at most 1,000. */
export function readLivePackTypes(db: Queryable): Promise<PackTypeRow[]> {
  return db.run<PackTypeRow>(readLive, [])
}

/** A pack type that is not deleted, read without a lock. */
export async function findLivePackType(
  db: Queryable,
  id: number,
): Promise<PackTypeRow | undefined> {
  return (await db.run<PackTypeRow>(findLive, [id]))[0]
}

function only(rows: readonly PackTypeRow[]): PackTypeRow {
  const [row] = rows
  if (row === undefined) throw new Error('A pack type was not written')
  return row
}

export async function addPackType(
  tx: Queryable,
  values: PackTypeValues,
  now: Date,
): Promise<PackTypeRow> {
  return only(await tx.run<PackTypeRow>(insert, { ...values, now }))
}

/** The row, archived or not, locked against everything that would refer to it anew. */
export async function lockPackType(tx: Queryable, id: number): Promise<PackTypeRow | undefined> {
  return (await tx.run<PackTypeRow>(lock, [id]))[0]
}

export async function changePackType(
  tx: Queryable,
  id: number,
  values: PackTypeValues,
  now: Date,
): Promise<PackTypeRow> {
  return only(await tx.run<PackTypeRow>(update, { ...values, id, now }))
}

/** What keeps a pack type from going: each a count, 0 when nothing does. */
export interface PackTypeUses {
  readonly heldPacks: number
  readonly listings: number
  readonly streams: number
  readonly prizes: number
}

const countUses = statement(
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

export async function packTypeUses(tx: Queryable, id: number): Promise<PackTypeUses> {
  const [uses] = await tx.run<PackTypeUses>(countUses, [id])
  if (uses === undefined) throw new Error('The uses of a pack type gave no row')
  return uses
}

const archive = statement(
  'archive_pack_type',
  `UPDATE pack_types SET archived_at = $2, updated_at = $2, archived_prize_ids = coalesce(
     (SELECT array_agg(prize_id ORDER BY prize_id) FROM prize_pack_types WHERE pack_type_id = $1),
     '{}')
   WHERE id = $1`,
)
const dropAssignments = statement(
  'drop_assignments_of_pack_type',
  'DELETE FROM prize_pack_types WHERE pack_type_id = $1',
)
const bringBack = statement(
  'restore_assignments_of_pack_type',
  `INSERT INTO prize_pack_types (prize_id, pack_type_id)
   SELECT p.id, t.id FROM pack_types t
   JOIN prizes p ON p.id = ANY(t.archived_prize_ids) AND p.archived_at IS NULL
   WHERE t.id = $1 ORDER BY p.id
   ON CONFLICT DO NOTHING`,
)
const restore = statement(
  'restore_pack_type',
  `UPDATE pack_types SET archived_at = NULL, archived_prize_ids = NULL, updated_at = $2
   WHERE id = $1 RETURNING ${columns}`,
)

/** Hides a locked pack type; its assignments go and are remembered. */
export async function archivePackType(tx: Queryable, id: number, now: Date): Promise<void> {
  await tx.run(archive, [id, now])
  await tx.run(dropAssignments, [id])
}

/** Brings a locked pack type back with the prizes that are still there. */
export async function restorePackType(tx: Queryable, id: number, now: Date): Promise<PackTypeRow> {
  await tx.run(bringBack, [id])
  return only(await tx.run<PackTypeRow>(restore, [id, now]))
}
