// SQL on prizes as staff change them.

import type { AdminPrize, CreatePrizeRequest } from '@redpack/contract'
import { prizesMax } from '@redpack/contract/limits'
import type { Queryable } from '../../adapters/db/database.ts'
import {
  existsQuery,
  oneValueQuery,
  rowQuery,
  rowsQuery,
  writeQuery,
} from '../../adapters/db/queries.ts'
import { listedPicture } from '../../shared/list-parameter-sql.ts'
import type { PictureText } from './image-tables.ts'

/** What staff enter of a prize. */
export type PrizeValues = Omit<
  CreatePrizeRequest,
  'inventoryQuantity' | 'packTypeIds' | keyof PictureText
> & { readonly imageHash: string | null }

/** A prize as it is stored, deleted or not. */
export interface PrizeRow extends PrizeValues {
  readonly id: number
  /** Null means unlimited. */
  readonly inventoryQuantity: number | null
  readonly createdAt: Date
  readonly isArchived: boolean
  readonly packTypes: AdminPrize['packTypes']
}

const columns = `p.id, p.name, p.description, p.claim_instructions AS "claimInstructions",
  p.win_frequency AS "winFrequency", p.total_packs AS "totalPacks",
  p.red_coin_amount AS "redCoinAmount", p.pack_type_id AS "packTypeId",
  p.pack_quantity AS "packQuantity", p.is_also_sent AS "isAlsoSent", p.image_hash AS "imageHash",
  p.inventory_quantity AS "inventoryQuantity", p.deadline_days AS "deadlineDays",
  p.countries, p.estimated_value AS "estimatedValue", p.questions, p.handler_id AS "handlerId",
  p.delivers_codes AS "deliversCodes", p.is_active AS "isActive",
  p.created_at AS "createdAt", p.archived_at IS NOT NULL AS "isArchived",
  coalesce((SELECT json_agg(json_build_object('id', t.id, 'name', t.name) ORDER BY t.id)
    FROM prize_pack_types x JOIN pack_types t ON t.id = x.pack_type_id
    WHERE x.prize_id = p.id AND t.archived_at IS NULL), '[]'::json) AS "packTypes"`

const lock = writeQuery<[id: number]>(
  'lock_prize',
  'SELECT FROM prizes WHERE id = $1 FOR NO KEY UPDATE',
)
/** The prize, deleted or not. */
export const readPrize = rowQuery<PrizeRow, [id: number]>(
  'read_prize_of_staff',
  `SELECT ${columns} FROM prizes p WHERE p.id = $1`,
)

/** The prize as it is now, deleted or not, locked. */
export async function lockPrize(tx: Queryable, id: number): Promise<PrizeRow | undefined> {
  // A statement that has waited sees the pack types as they were before.
  await lock(tx, id)
  return readPrize(tx, id)
}

const picture = listedPicture('p', 'p.id')

/** Every prize that is not deleted, inactive ones included, with its picture or its address. */
export const readLivePrizes = rowsQuery<PrizeRow & PictureText & Pick<AdminPrize, 'imageUrl'>>(
  'read_prizes_for_staff',
  `SELECT ${columns}, ${picture.url} AS "imageUrl", ${picture.data} AS "imageData",
     p.image_type AS "imageType"
   FROM prizes p WHERE p.archived_at IS NULL
   ORDER BY p.id LIMIT ${prizesMax}`,
)

/** With the values of JSON columns as their text. */
interface Written extends Omit<PrizeValues, 'estimatedValue' | 'questions'> {
  readonly value: string | null
  readonly asked: string
  readonly now: Date
}

const insert = oneValueQuery<{ id: number }, [prize: Written]>(
  'insert_prize',
  `INSERT INTO prizes (name, description, claim_instructions, win_frequency, total_packs,
     red_coin_amount, pack_type_id, pack_quantity, is_also_sent, image_hash, is_active,
     deadline_days, countries, estimated_value, questions, handler_id, delivers_codes,
     created_at, updated_at)
   VALUES (:name, :description, :claimInstructions, :winFrequency, :totalPacks, :redCoinAmount,
     :packTypeId, :packQuantity, :isAlsoSent, :imageHash, :isActive, :deadlineDays,
     :countries::text[], :value::jsonb, :asked::jsonb, :handlerId, :deliversCodes,
     :now, :now) RETURNING id`,
)
const update = writeQuery<[prize: Written & { readonly id: number }]>(
  'update_prize',
  `UPDATE prizes SET name = :name, description = :description,
     claim_instructions = :claimInstructions, win_frequency = :winFrequency,
     total_packs = :totalPacks, red_coin_amount = :redCoinAmount, pack_type_id = :packTypeId,
     pack_quantity = :packQuantity, is_also_sent = :isAlsoSent, image_hash = :imageHash,
     is_active = :isActive, deadline_days = :deadlineDays, countries = :countries::text[],
     estimated_value = :value::jsonb, questions = :asked::jsonb, handler_id = :handlerId,
     delivers_codes = :deliversCodes,
     updated_at = :now
   WHERE id = :id`,
)

function written({ estimatedValue, questions, ...columns }: PrizeValues, now: Date): Written {
  const value = estimatedValue === null ? null : JSON.stringify(estimatedValue)
  return { ...columns, value, asked: JSON.stringify(questions), now }
}

export const isMemberOfStaff = existsQuery<[id: number]>(
  'find_member_of_staff',
  `SELECT 1 AS found FROM users WHERE id = $1 AND deleted_at IS NULL AND role <> 'user'`,
)

/** Adds an unlimited prize without pack types, and answers its id. */
export function addPrize(tx: Queryable, prize: PrizeValues, now: Date): Promise<number> {
  return insert(tx, written(prize, now))
}

export function changePrize(tx: Queryable, id: number, prize: PrizeValues, now: Date) {
  return update(tx, { ...written(prize, now), id })
}

type Assigned = [prizeId: number, packTypeIds: readonly number[]]
const dropOthers = writeQuery<Assigned>(
  'drop_other_pack_types_of_prize',
  'DELETE FROM prize_pack_types WHERE prize_id = $1 AND pack_type_id <> ALL($2::int[])',
)
const assign = writeQuery<Assigned>(
  'assign_prize_to_pack_types',
  `INSERT INTO prize_pack_types (prize_id, pack_type_id)
   SELECT $1, id FROM unnest($2::int[]) AS id ORDER BY id ON CONFLICT DO NOTHING`,
)

/** Makes these the pack types of a prize, and no others. */
export async function assignPackTypes(
  tx: Queryable,
  prizeId: number,
  packTypeIds: readonly number[],
): Promise<void> {
  await dropOthers(tx, prizeId, packTypeIds)
  await assign(tx, prizeId, packTypeIds)
}
