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
import { assigned, type Columns, inserted, selected } from '../../shared/columns-sql.ts'
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

/** Columns by the names of their values. */
const columns = {
  name: 'name',
  description: 'description',
  claimInstructions: 'claim_instructions',
  winFrequency: 'win_frequency',
  totalPacks: 'total_packs',
  redCoinAmount: 'red_coin_amount',
  packTypeId: 'pack_type_id',
  packQuantity: 'pack_quantity',
  isAlsoSent: 'is_also_sent',
  imageHash: 'image_hash',
  deadlineDays: 'deadline_days',
  countries: 'countries',
  estimatedValue: 'estimated_value',
  questions: 'questions',
  handlerId: 'handler_id',
  deliversCodes: 'delivers_codes',
  isActive: 'is_active',
} satisfies Columns<PrizeValues>
const read = `p.id, ${selected(columns, 'p')}, p.inventory_quantity AS "inventoryQuantity",
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
  `SELECT ${read} FROM prizes p WHERE p.id = $1`,
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
  `SELECT ${read}, ${picture.url} AS "imageUrl", ${picture.data} AS "imageData",
     p.image_type AS "imageType"
   FROM prizes p WHERE p.archived_at IS NULL
   ORDER BY p.id LIMIT ${prizesMax}`,
)

/** With the values of JSON columns as their text. */
interface Written extends Omit<PrizeValues, 'estimatedValue' | 'questions'> {
  readonly estimatedValue: string | null
  readonly questions: string
  readonly now: Date
}

const insert = oneValueQuery<{ id: number }, [prize: Written]>(
  'insert_prize',
  `INSERT INTO prizes ${inserted(columns)} RETURNING id`,
)
const update = writeQuery<[prize: Written & { readonly id: number }]>(
  'update_prize',
  `UPDATE prizes SET ${assigned(columns)}, updated_at = :now WHERE id = :id`,
)

function written({ estimatedValue: value, questions, ...values }: PrizeValues, now: Date): Written {
  const estimatedValue = value === null ? null : JSON.stringify(value)
  return { ...values, estimatedValue, questions: JSON.stringify(questions), now }
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
