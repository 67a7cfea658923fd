// What the numbers of prizes give in the end: real chances, mean payouts, and what is odd about
// them. Staff see it while they type, so it works on values that nobody has saved.

import { chancesOf } from '@redpack/fair/draw'

/** A prize as it is saved, or as a form would save it. */
export interface EconomyPrize {
  /** Null for one that is not saved; it will get the highest id. */
  readonly prizeId: number | null
  readonly name: string
  readonly winFrequency: number
  readonly totalPacks: number
  readonly redCoinAmount: number
  readonly packTypeId: number | null
  readonly packQuantity: number
  /** Units left, null for unlimited. */
  readonly stock: number | null
  readonly isActive: boolean
  readonly packTypeIds: readonly number[]
  readonly isDraft: boolean
}

export interface EconomyPack {
  readonly id: number
  readonly name: string
  /** Lowest price of an active listing, null while the store does not sell it. */
  readonly storePrice: number | null
}

export interface Catalogue {
  readonly packs: readonly EconomyPack[]
  readonly prizes: readonly EconomyPrize[]
  readonly consolationRedCoin: number
}

export type WarningCode =
  | 'shares_above_one'
  | 'pays_more_than_price'
  | 'never_ends'
  | 'no_prizes'
  | 'all_sold_out'

type PackOdds = ReturnType<typeof oddsOf>

const byId = (left: EconomyPrize, right: EconomyPrize) =>
  (left.prizeId ?? Number.MAX_SAFE_INTEGER) - (right.prizeId ?? Number.MAX_SAFE_INTEGER)

/** Active prizes of a pack in the order of the odds table. */
export function prizesOfPack(prizes: readonly EconomyPrize[], packId: number): EconomyPrize[] {
  return prizes
    .filter(({ isActive, packTypeIds }) => isActive && packTypeIds.includes(packId))
    .sort(byId)
}

function oddsOf(pack: EconomyPack, catalogue: Catalogue) {
  const prizes = prizesOfPack(catalogue.prizes, pack.id)
  const { chances, scaled } = chancesOf(prizes)
  const sum = chances.reduce((total, chance) => total + chance, 0)
  const noPrizeChance = scaled ? 0 : Math.max(0, 1 - sum)
  const won = prizes.reduce(
    (total, { redCoinAmount }, index) => total + (chances[index] ?? 0) * redCoinAmount,
    0,
  )
  /** RedCoin per pack on average, the consolation included. */
  const expectedRedCoin = won + noPrizeChance * catalogue.consolationRedCoin
  return { pack, prizes, chances, scaled, noPrizeChance, expectedRedCoin }
}

/** Packs of one type that come out of one pack of another on average. */
interface Flow {
  readonly from: number
  readonly to: number
  readonly packs: number
}

function flowsOf(all: readonly PackOdds[]): Flow[] {
  return all.flatMap(({ pack, prizes, chances }) =>
    prizes.flatMap(({ packTypeId, packQuantity }, index) =>
      packTypeId === null || packQuantity === 0
        ? []
        : [{ from: pack.id, to: packTypeId, packs: (chances[index] ?? 0) * packQuantity }],
    ),
  )
}

const stepsMax = 20_000
const precision = 1e-9

/**
 * Solves `total = own + what the packs that come out are worth` by adding one generation of packs
 * after the other. A pack whose generations do not die out has no total.
 */
function totals(own: ReadonlyMap<number, number>, flows: readonly Flow[]): Map<number, number> {
  const sums = new Map(own)
  let generation = new Map(own)
  let left = flows
  for (let step = 0; step < stepsMax; step += 1) {
    generation = nextGeneration(generation, left)
    let isMoving = false
    for (const [id, worth] of generation) {
      const sum = (sums.get(id) ?? 0) + worth
      sums.set(id, sum)
      if (worth > precision * Math.max(1, sum)) isMoving = true
    }
    const beyond = [...generation.keys()].filter((id) => sums.get(id) === Number.POSITIVE_INFINITY)
    if (beyond.length > 0) {
      const endless = leadingTo(beyond, left)
      for (const id of endless) sums.delete(id)
      left = left.filter(({ from }) => !endless.has(from))
    } else if (!isMoving) return sums
  }
  const moving = [...generation].filter(([, worth]) => worth > precision).map(([id]) => id)
  for (const id of leadingTo(moving, left)) sums.delete(id)
  return sums
}

function nextGeneration(generation: ReadonlyMap<number, number>, flows: readonly Flow[]) {
  const next = new Map<number, number>()
  for (const { from, to, packs } of flows) {
    const worth = packs * (generation.get(to) ?? 0)
    if (worth > 0) next.set(from, (next.get(from) ?? 0) + worth)
  }
  return next
}

/** The given packs and all that they can come out of. */
function leadingTo(ids: readonly number[], flows: readonly Flow[]): Set<number> {
  const found = new Set(ids)
  for (let size = -1; size !== found.size; ) {
    size = found.size
    for (const { from, to, packs } of flows) if (packs > 0 && found.has(to)) found.add(from)
  }
  return found
}

const shareOf = ({ winFrequency, totalPacks }: EconomyPrize) =>
  Math.min(1, winFrequency / totalPacks)

/** The economy of every pack, in the order of `packs`. */
export function packEconomies(catalogue: Catalogue) {
  const all = catalogue.packs.map((pack) => oddsOf(pack, catalogue))
  const flows = flowsOf(all)
  // Counted in packs first: packs without RedCoin can give each other without end as well.
  const openings = totals(new Map(all.map(({ pack }) => [pack.id, 1])), flows)
  const paid = totals(new Map(all.map((odds) => [odds.pack.id, odds.expectedRedCoin])), flows)
  return all.map((odds) => {
    const { pack } = odds
    const withPacks = openings.has(pack.id) ? (paid.get(pack.id) ?? null) : null
    const shareSum = odds.prizes.reduce((sum, prize) => sum + shareOf(prize), 0)
    return {
      packTypeId: pack.id,
      packTypeName: pack.name,
      entries: odds.prizes.map((prize, index) => entryOf(prize, odds.chances[index] ?? 0)),
      shareSum,
      scaled: odds.scaled,
      noPrizeChance: odds.noPrizeChance,
      consolationRedCoin: catalogue.consolationRedCoin,
      expectedRedCoin: odds.expectedRedCoin,
      expectedRedCoinWithPacks: withPacks,
      storePrice: pack.storePrice,
      warnings: warningsOf(odds, shareSum, withPacks),
    }
  })
}

function entryOf(prize: EconomyPrize, chance: number) {
  const { packTypeId, packQuantity, isActive: _, packTypeIds: __, ...shown } = prize
  return {
    ...shown,
    share: shareOf(prize),
    chance,
    packReward:
      packTypeId === null || packQuantity === 0 ? null : { packTypeId, quantity: packQuantity },
  }
}

const numberFormat = new Intl.NumberFormat('en', { maximumFractionDigits: 2 })

function warningsOf(
  { pack, prizes, scaled, expectedRedCoin }: PackOdds,
  shareSum: number,
  withPacks: number | null,
) {
  const warnings: { code: WarningCode; message: string }[] = []
  const warn = (code: WarningCode, message: string) => warnings.push({ code, message })
  if (scaled) {
    const sum = numberFormat.format(shareSum * 100)
    warn('shares_above_one', `The chances add up to ${sum} %; all are scaled down to 100 %.`)
  }
  if (withPacks === null) warn('never_ends', 'Packs that come as prizes give each other endlessly.')
  const { storePrice } = pack
  const paid = withPacks ?? expectedRedCoin
  if (storePrice !== null && paid > storePrice) {
    const together = paid > expectedRedCoin ? ', with the packs that come out of it,' : ''
    warn(
      'pays_more_than_price',
      `One pack pays ${numberFormat.format(paid)} RedCoin on average${together} and costs ` +
        `${numberFormat.format(storePrice)} in the store.`,
    )
  }
  if (prizes.length === 0) warn('no_prizes', 'No active prize is in this pack.')
  else if (prizes.every(({ stock }) => stock === 0)) {
    warn('all_sold_out', 'Every prize in this pack is sold out.')
  }
  return warnings
}

/** Values of forms that are not saved; each takes the place of what is. */
export interface Drafts {
  readonly prize?: Omit<EconomyPrize, 'isDraft'> | undefined
  readonly price?: { readonly packTypeId: number; readonly redCoinPrice: number } | undefined
}

/** The catalogue as it would be with the drafts. */
export function withDrafts(catalogue: Catalogue, { prize, price }: Drafts): Catalogue {
  const others = catalogue.prizes.filter(
    ({ prizeId }) => prize === undefined || prize.prizeId === null || prizeId !== prize.prizeId,
  )
  return {
    ...catalogue,
    prizes: prize === undefined ? others : [...others, { ...prize, isDraft: true }],
    packs: catalogue.packs.map((pack) =>
      pack.id === price?.packTypeId ? { ...pack, storePrice: price.redCoinPrice } : pack,
    ),
  }
}

export interface StockUse {
  readonly stock: number
  /** Each pack that holds the prize: its chance, and openings in the days that are looked at. */
  readonly packs: readonly { readonly chance: number; readonly openings: number }[]
  readonly days: number
}

/**
 * The mean number of openings and days until the last unit: stock divided by the wins to expect. An
 * opening counts with the mix of packs that were opened; while none was, with the best chance.
 */
export function stockOutlook({ stock, packs, days }: StockUse) {
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

/** Quantile of the normal distribution that leaves 0.5 % on each side. */
const z99 = 2.5758293035489004

/**
 * The Wilson score interval at 99 % for `hits` out of `draws` (1 or more); it stays sound for rare
 * prizes and few draws. E. B. Wilson, Journal of the American Statistical Association 22, 1927. It
 * is good for one look: who looks again as draws go on takes `anytime-test.ts`.
 */
export function wilsonRange(hits: number, draws: number): { low: number; high: number } {
  const share = hits / draws
  const square = z99 * z99
  const centre = share + square / (2 * draws)
  const reach = z99 * Math.sqrt((share * (1 - share) + square / (4 * draws)) / draws)
  const scale = 1 + square / draws
  return {
    low: hits === 0 ? 0 : Math.max(0, (centre - reach) / scale),
    high: hits === draws ? 1 : Math.min(1, (centre + reach) / scale),
  }
}
