// How long the stock of a prize lasts when packs go on being opened as they were.

export interface StockUse {
  readonly stock: number
  /** Each pack that holds the prize: its chance, and openings in the days that are looked at. */
  readonly packs: readonly { readonly chance: number; readonly openings: number }[]
  readonly days: number
}

export interface StockOutlook {
  readonly openingsPerDay: number
  readonly winsPerDay: number
  /** Openings until the stock is gone on average, null when no pack can give the prize. */
  readonly openingsLeft: number | null
  /** Null while nobody opens such packs. */
  readonly daysLeft: number | null
}

/**
 * The mean number of openings and days until the last unit: stock divided by the wins to expect. An
 * opening counts with the mix of packs that were opened; while none was, with the best chance.
 */
export function stockOutlook({ stock, packs, days }: StockUse): StockOutlook {
  const openingsPerDay = packs.reduce((sum, { openings }) => sum + openings, 0) / days
  const winsPerDay = packs.reduce((sum, { chance, openings }) => sum + chance * openings, 0) / days
  const best = Math.max(0, ...packs.map(({ chance }) => chance))
  const perOpening = winsPerDay > 0 ? winsPerDay / openingsPerDay : best
  const openingsLeft = perOpening > 0 ? Math.ceil(stock / perOpening) : null
  return {
    openingsPerDay,
    winsPerDay,
    openingsLeft: openingsLeft === null ? null : Math.min(openingsLeft, Number.MAX_SAFE_INTEGER),
    daysLeft: winsPerDay > 0 ? stock / winsPerDay : null,
  }
}
