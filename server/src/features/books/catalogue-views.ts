// The whole catalogue as the rules of the economy take it.

import type { EconomyPreview, PackEconomy } from '@redpack/contract'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import {
  type Catalogue,
  type Drafts,
  type EconomyPack,
  type EconomyPrize,
  packEconomies,
  withDrafts,
} from '../../rules/pack-economy.ts'
import { DomainError } from '../../shared/domain-error.ts'
import { consolationNow } from '../settings/consolation-sql.ts'

const rowsMax = 1_000

const readPacks = statement(
  'read_packs_for_economy',
  `SELECT t.id, t.name, (SELECT min(l.red_coin_price) FROM store_pack_listings l
     WHERE l.pack_type_id = t.id AND l.is_active AND l.archived_at IS NULL) AS "storePrice"
   FROM pack_types t WHERE t.archived_at IS NULL ORDER BY t.id LIMIT ${rowsMax}`,
)
const readPrizes = statement(
  'read_prizes_for_economy',
  `SELECT p.id AS "prizeId", p.name, p.win_frequency AS "winFrequency",
     p.total_packs AS "totalPacks", p.red_coin_amount AS "redCoinAmount",
     p.pack_type_id AS "packTypeId", p.pack_quantity AS "packQuantity",
     p.inventory_quantity AS stock, p.is_active AS "isActive",
     coalesce((SELECT array_agg(x.pack_type_id) FROM prize_pack_types x WHERE x.prize_id = p.id),
       '{}') AS "packTypeIds", false AS "isDraft"
   FROM prizes p WHERE p.archived_at IS NULL ORDER BY p.id LIMIT ${rowsMax}`,
)
const readConsolation = statement(
  'read_consolation_for_economy',
  `SELECT ${consolationNow} AS value`,
)

/** Packs, prizes and the consolation as they are saved. */
export async function readCatalogue(db: Queryable): Promise<Catalogue> {
  const [packs, prizes, consolation] = await Promise.all([
    db.run<EconomyPack>(readPacks, []),
    db.run<EconomyPrize>(readPrizes, []),
    db.run<{ value: number }>(readConsolation, []),
  ])
  return {
    packs,
    prizes,
    consolationRedCoin: consolation[0]?.value ?? 0,
  }
}

/** Every pack type with what its numbers give. */
export async function packsForStaff(db: Queryable): Promise<PackEconomy[]> {
  return packEconomies(await readCatalogue(db)).map(forWire)
}

/** Forms as a request carries them. */
export interface DraftBody {
  readonly prize?:
    | (Omit<EconomyPrize, 'prizeId' | 'stock' | 'isDraft'> & {
        readonly prizeId?: number | null | undefined
        readonly inventoryQuantity: number | null
      })
    | null
    | undefined
  readonly price?: { readonly packTypeId: number; readonly redCoinPrice: number } | null | undefined
}

export function draftsOf({ prize, price }: DraftBody): Drafts {
  if (prize === undefined || prize === null) return { price: price ?? undefined }
  const { inventoryQuantity: stock, prizeId = null, ...rest } = prize
  return { prize: { ...rest, prizeId, stock }, price: price ?? undefined }
}

/**
 * Every pack type that the drafts touch, before and after.
 * @throws DomainError not_found when a draft names a pack type or prize that is not there
 */
export async function previewForStaff(db: Queryable, body: DraftBody): Promise<EconomyPreview> {
  const drafts = draftsOf(body)
  const catalogue = await readCatalogue(db)
  const touched = touchedPacks(catalogue, drafts)
  const before = packEconomies(catalogue)
  const after = packEconomies(withDrafts(catalogue, drafts))
  const packs = after.flatMap((pack, index) => {
    const saved = before[index]
    const isTouched = saved !== undefined && touched.has(pack.packTypeId)
    return isTouched ? [{ before: forWire(saved), after: forWire(pack) }] : []
  })
  return { packs }
}

/** Ids of pack types whose figures a draft may change. @throws DomainError not_found */
function touchedPacks(catalogue: Catalogue, { prize, price }: Drafts): Set<number> {
  const wanted = [...(prize?.packTypeIds ?? []), ...(price === undefined ? [] : [price.packTypeId])]
  const known = new Set(catalogue.packs.map(({ id }) => id))
  if (wanted.some((id) => !known.has(id))) throw new DomainError('not_found', 'Pack type not found')
  if (prize === undefined || prize.prizeId === null) return new Set(wanted)
  const saved = catalogue.prizes.find(({ prizeId }) => prizeId === prize.prizeId)
  if (saved === undefined) throw new DomainError('not_found', 'Prize not found')
  return new Set([...wanted, ...saved.packTypeIds])
}

function forWire(pack: ReturnType<typeof packEconomies>[number]): PackEconomy {
  return { ...pack, entries: [...pack.entries], warnings: [...pack.warnings] }
}
