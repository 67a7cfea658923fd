// How long the stock of each limited prize lasts.

import type { StockForecast } from '@redpack/contract'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import { packEconomies, stockOutlook } from '../../rules/pack-economy.ts'
import { readCatalogue } from './catalogue-views.ts'
import { openedByPackType, wonByPrize } from './history-sums-sql.ts'

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
