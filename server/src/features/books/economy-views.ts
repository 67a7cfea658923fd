// The tools of the economy: what packs give, what drafts would change, how long stock lasts, and a
// simulation beside what the numbers promise.

import type {
  EconomyPreview,
  EconomyPreviewRequest,
  PackEconomy,
  SimulationRequest,
  SimulationResult,
  StockForecast,
} from '@redpack/contract'
import { thresholdsOf } from '@redpack/fair/draw'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import { oneValueQuery } from '../../adapters/db/queries.ts'
import {
  type Catalogue,
  type Drafts,
  type EconomyPack,
  type EconomyPrize,
  packEconomies,
  prizesOfPack,
  stockOutlook,
  wilsonRange,
  withDrafts,
} from '../../rules/pack-economy.ts'
import type { RunSimulation } from '../../rules/simulation.ts'
import { DomainError, existing } from '../../shared/domain-error.ts'
import { consolationNow } from '../../shared/odds-sql.ts'
import { openedByPackType, wonByPrize } from './history-sums-sql.ts'

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
const readConsolation = oneValueQuery<{ value: number }>(
  'read_consolation_for_economy',
  `SELECT ${consolationNow} AS value`,
)

/** Packs, prizes and the consolation as they are saved. */
export async function readCatalogue(db: Queryable): Promise<Catalogue> {
  const [packs, prizes, consolationRedCoin] = await Promise.all([
    db.run<EconomyPack>(readPacks, []),
    db.run<EconomyPrize>(readPrizes, []),
    readConsolation(db),
  ])
  return { packs, prizes, consolationRedCoin }
}

/** Every pack type with what its numbers give. */
export async function packsForStaff(db: Queryable): Promise<PackEconomy[]> {
  return packEconomies(await readCatalogue(db))
}

function draftsOf({ prize, price }: EconomyPreviewRequest): Drafts {
  if (prize === undefined || prize === null) return { price: price ?? undefined }
  const { inventoryQuantity: stock, prizeId = null, ...rest } = prize
  return { prize: { ...rest, prizeId, stock }, price: price ?? undefined }
}

/**
 * Every pack type that the drafts touch, before and after.
 * @throws DomainError not_found when a draft names a pack type or prize that is not there
 */
export async function previewForStaff(
  db: Queryable,
  body: EconomyPreviewRequest,
): Promise<EconomyPreview> {
  const drafts = draftsOf(body)
  const catalogue = await readCatalogue(db)
  const touched = touchedPacks(catalogue, drafts)
  const before = packEconomies(catalogue)
  const after = packEconomies(withDrafts(catalogue, drafts))
  const packs = after.flatMap((pack, index) => {
    const saved = before[index]
    const isTouched = saved !== undefined && touched.has(pack.packTypeId)
    return isTouched ? [{ before: saved, after: pack }] : []
  })
  return { packs }
}

/** Ids of pack types whose figures a draft may change. @throws DomainError not_found */
function touchedPacks(catalogue: Catalogue, { prize, price }: Drafts): Set<number> {
  const wanted = [...(prize?.packTypeIds ?? []), ...(price === undefined ? [] : [price.packTypeId])]
  const known = new Set(catalogue.packs.map(({ id }) => id))
  if (wanted.some((id) => !known.has(id))) throw new DomainError('not_found', 'Pack type not found')
  if (prize === undefined || prize.prizeId === null) return new Set(wanted)
  const saved = existing(
    catalogue.prizes.find(({ prizeId }) => prizeId === prize.prizeId),
    'Prize not found',
  )
  return new Set([...wanted, ...saved.packTypeIds])
}

const daysLookedAt = 7
const dayMillis = 86_400_000
/** Beyond this a date says nothing. */
const daysMax = 36_500

const readOpenings = statement(
  'read_openings_for_forecast',
  `SELECT pack_type_id AS "packTypeId", opened::int AS openings
   FROM (${openedByPackType('$1::timestamptz')}) recent`,
)
const readWins = statement(
  'read_wins_for_forecast',
  `SELECT prize_id AS "prizeId", won::int AS wins
   FROM (${wonByPrize('$1::timestamptz')}) recent`,
)

/** Limited active prizes, those that run out first at the top. */
export async function stockForStaff(db: Queryable, now: Date): Promise<StockForecast[]> {
  const since = new Date(now.getTime() - daysLookedAt * dayMillis)
  const [catalogue, openings, wins] = await Promise.all([
    readCatalogue(db),
    db.run<{ packTypeId: number; openings: number }>(readOpenings, [since]),
    db.run<{ prizeId: number; wins: number }>(readWins, [since]),
  ])
  const openingsOf = new Map(openings.map((row) => [row.packTypeId, row.openings]))
  const winsOf = new Map(wins.map((row) => [row.prizeId, row.wins]))
  const packs = packEconomies(catalogue)
  const forecasts = catalogue.prizes.flatMap(({ prizeId, name, stock, isActive }) => {
    if (prizeId === null || stock === null || !isActive) return []
    const packTypes = packs.flatMap(({ packTypeId, packTypeName, entries }) => {
      const entry = entries.find((candidate) => candidate.prizeId === prizeId)
      return entry === undefined
        ? []
        : [{ id: packTypeId, name: packTypeName, chance: entry.chance }]
    })
    const outlook = stockOutlook({
      stock,
      packs: packTypes.map(({ id, chance }) => ({ chance, openings: openingsOf.get(id) ?? 0 })),
      days: daysLookedAt,
    })
    const winsLastWeek = winsOf.get(prizeId) ?? 0
    const runsOutAt = dateAfter(now, stock === 0 ? null : outlook.daysLeft)
    return [{ prizeId, name, stock, packTypes, winsLastWeek, ...outlook, runsOutAt }]
  })
  return forecasts.sort(soonest)
}

function dateAfter(now: Date, days: number | null): string | null {
  if (days === null || days > daysMax) return null
  return new Date(now.getTime() + days * dayMillis).toISOString()
}

function soonest(left: StockForecast, right: StockForecast): number {
  const rank = ({ stock, daysLeft }: StockForecast) =>
    stock === 0 ? -1 : (daysLeft ?? Number.POSITIVE_INFINITY)
  const difference = rank(left) - rank(right)
  return Number.isNaN(difference) || difference === 0 ? left.prizeId - right.prizeId : difference
}

/**
 * Opens packs as they are saved or as the drafts would have them. Nothing is written.
 * @throws DomainError not_found, wrong_state while another simulation runs; Unavailable after 20 s
 */
export async function simulationForStaff(
  db: Queryable,
  run: RunSimulation,
  order: SimulationRequest,
): Promise<SimulationResult> {
  const catalogue = withDrafts(await readCatalogue(db), draftsOf(order))
  const pack = existing(
    packEconomies(catalogue).find(({ packTypeId }) => packTypeId === order.packTypeId),
    'Pack type not found',
  )
  const prizes = prizesOfPack(catalogue.prizes, order.packTypeId)
  const { openings } = order
  const startedAt = performance.now()
  const counts = await run({
    thresholds: thresholdsOf(prizes),
    stock: prizes.map(({ stock }) => stock),
    openings,
  })
  const durationMillis = Math.round(performance.now() - startedAt)
  const results = prizes.map((prize, index) => {
    const entry = counts.entries[index] ?? { wins: 0, soldOut: 0, soldOutAtOpening: null }
    const hits = entry.wins + entry.soldOut
    const chance = pack.entries[index]?.chance ?? 0
    return {
      prizeId: prize.prizeId,
      name: prize.name,
      chance,
      expectedWins: chance * openings,
      ...entry,
      observed: hits / openings,
      ...wilsonRange(hits, openings),
      redCoinPaid: whole(entry.wins * prize.redCoinAmount),
      packsGiven: prize.packTypeId === null ? 0 : whole(entry.wins * prize.packQuantity),
    }
  })
  const consolationPaid = whole(counts.losingPacks * pack.consolationRedCoin)
  const won = results.reduce((sum, { redCoinPaid }) => sum + redCoinPaid, 0)
  return {
    packTypeId: pack.packTypeId,
    packTypeName: pack.packTypeName,
    openings,
    prizes: results,
    losingPacks: counts.losingPacks,
    consolationPaid,
    redCoinPaid: whole(won + consolationPaid),
    packsGiven: whole(results.reduce((sum, { packsGiven }) => sum + packsGiven, 0)),
    storePrice: pack.storePrice,
    redCoinSpent: pack.storePrice === null ? null : whole(pack.storePrice * openings),
    durationMillis,
  }
}

/** Amounts beyond what numbers carry exactly stop there: a simulation pays nobody. */
function whole(amount: number): number {
  return Math.min(amount, Number.MAX_SAFE_INTEGER)
}
