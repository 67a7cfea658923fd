// What a prize says about itself on its card.

import {
  type AdminPrize,
  adminEconomyContract,
  type BodyInput,
  type EconomyPreview,
} from '@redpack/contract'
import { keepPreviousData } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { useEndpoint } from '../../lib/endpoint-query.ts'
import { formatDecimal, formatNumber } from '../../lib/format.ts'
import { useSettledText } from '../../lib/settled-text.ts'

/** A share in percent with two decimals: 1 in 3 reads '33.33%'. */
export function percentText(share: number): string {
  return `${(share * 100).toFixed(2)}%`
}

/** Whether the prize pays RedCoin; one without is a physical prize. */
export function isRedCoinPrize({ redCoinAmount }: Pick<AdminPrize, 'redCoinAmount'>): boolean {
  return redCoinAmount > 0
}

/** The sentence under a prize's name. */
export function descriptionOf(prize: Pick<AdminPrize, 'redCoinAmount' | 'description'>): string {
  if (isRedCoinPrize(prize)) {
    return `Win ${formatNumber(prize.redCoinAmount)} RedCoin instantly added to your balance`
  }
  return prize.description.trim() === ''
    ? 'Physical prize - check claim instructions'
    : prize.description
}

type Share = Pick<AdminPrize, 'winFrequency' | 'totalPacks'>

/** '1 wins in 10 packs (10.00%)'. */
export function frequencyText({ winFrequency, totalPacks }: Share): string {
  const share = totalPacks > 0 ? winFrequency / totalPacks : 0
  return `${formatNumber(winFrequency)} wins in ${formatNumber(totalPacks)} packs (${percentText(share)})`
}

/** 'Unlimited', or how many units are left. */
export function stockText(stock: number | null): string {
  return stock === null ? 'Unlimited' : formatNumber(stock)
}

/** A prize as far as the chances of its packs depend on it. */
export interface ChancePrize extends Share, Pick<AdminPrize, 'id' | 'isActive'> {
  readonly packTypeIds: readonly number[]
}

/** How a prize stands in one pack type. */
export interface RealChance {
  readonly packTypeId: number
  /** Chance from 0 to 1 per pack, after scaling. */
  readonly chance: number
  /** What the shares of all active prizes of the pack add up to; above 1 they are scaled. */
  readonly sharesSum: number
}

/** Wins by packs, at most 1; 0 for numbers that make no share. */
export function shareOf({ winFrequency, totalPacks }: Share): number {
  if (!(winFrequency > 0) || !(totalPacks > 0)) return 0
  return Math.min(1, winFrequency / totalPacks)
}

/** True when the shares of a pack add up to more than 1, beyond what rounding explains. */
export function isOverfull({ sharesSum }: Pick<RealChance, 'sharesSum'>): boolean {
  return sharesSum > 1 + 1e-9
}

/** What the shares of the active prizes of a pack type add up to. */
export function sharesOf(packTypeId: number, prizes: readonly ChancePrize[]): number {
  return prizes
    .filter((prize) => prize.isActive && prize.packTypeIds.includes(packTypeId))
    .reduce((sum, prize) => sum + shareOf(prize), 0)
}

/**
 * How `prize` stands in each of its pack types among all other prizes; an inactive prize is never
 * drawn. `prizes` may hold an older state of it, which is left out.
 */
export function realChances(prize: ChancePrize, prizes: readonly ChancePrize[]): RealChance[] {
  const others = prizes.filter(({ id }) => id !== prize.id)
  const own = prize.isActive ? shareOf(prize) : 0
  return prize.packTypeIds.map((packTypeId) => {
    const sharesSum = sharesOf(packTypeId, others) + own
    return { packTypeId, sharesSum, chance: isOverfull({ sharesSum }) ? own / sharesSum : own }
  })
}

/** Pause in typing after which the server is asked, in milliseconds. */
const previewPauseMs = 400

/**
 * What unsaved values would change, asked for once typing pauses; undefined asks nothing. The
 * answer before stays until the next; a refusal only means that there is nothing to show yet.
 */
export function useEconomyPreview(
  draft: BodyInput<typeof adminEconomyContract.preview> | undefined,
) {
  const text = draft === undefined ? '' : JSON.stringify(draft)
  const { settled: asked } = useSettledText(text, previewPauseMs)
  const { data } = useEndpoint(adminEconomyContract.preview, {
    shows: [],
    key: [asked],
    ask: (signal) => call(adminEconomyContract.preview, { body: JSON.parse(asked), signal }),
    enabled: asked !== '',
    placeholderData: keepPreviousData,
  })
  return text === '' ? undefined : data
}

type Previews = EconomyPreview | undefined

/**
 * What staff should know before they save: each pack's average before and after, where it changes,
 * and the warnings that the draft would leave behind. Shares above 1 are left out where the form
 * says them itself.
 */
export function previewSentences(preview: Previews, hasOwnShares: boolean) {
  const packs = preview?.packs ?? []
  const averages = packs
    .filter(({ before, after }) => before.expectedRedCoin !== after.expectedRedCoin)
    .map(({ before, after }) => ({
      packTypeId: after.packTypeId,
      sentence: `One ${after.packTypeName} pays ${formatDecimal(after.expectedRedCoin)} RedCoin on average (now ${formatDecimal(before.expectedRedCoin)}).`,
    }))
  const warnings = packs.flatMap(({ after }) =>
    after.warnings
      .filter(({ code }) => !(hasOwnShares && code === 'shares_above_one'))
      .map(({ code, message }) => ({ key: `${after.packTypeId} ${code}`, message })),
  )
  return { averages, warnings }
}
