// What differs between the odds a player has seen and the odds that are in force now.

import type { OddsEntry, OddsResponse, OddsTable, PackType } from '@redpack/contract'
import { formatNumber, formatRedCoin, plural } from '../../lib/format.ts'

/** One prize, as far as a change of it concerns the player. */
type KnownPrize = Omit<OddsEntry, 'soldOut' | 'delivery'>

/** The pack types that are named; undefined while they are not known. */
type Types = readonly PackType[] | undefined

/** Odds as they were seen. */
export interface KnownOdds {
  readonly entries: readonly KnownPrize[]
  readonly consolationRedCoin: number | undefined
}

export interface OddsChange {
  /** The prize, or what a pack without prize pays. */
  readonly what: string
  /** Empty for what is new. */
  readonly before: string
  /** Empty for what is gone. */
  readonly after: string
}

/** The odds that a table stands for, with its real chances. */
export function oddsOfTable(table: OddsTable): KnownOdds {
  const shares = table.entries.map(({ winFrequency, totalPacks }) =>
    Math.min(1, winFrequency / totalPacks),
  )
  const sum = shares.reduce((total, share) => total + share, 0)
  const entries = table.entries.map((entry, index) => ({
    ...entry,
    chance: (shares[index] ?? 0) / Math.max(1, sum),
  }))
  return { entries, consolationRedCoin: table.consolationRedCoin }
}

/** Every difference that concerns the player, in the order of the new odds; gone prizes last. */
export function oddsChanges(before: KnownOdds, after: OddsResponse, types: Types): OddsChange[] {
  const known = new Map(before.entries.map((entry) => [entry.prizeId, entry]))
  const changes = after.entries.flatMap((entry): OddsChange[] => {
    const old = known.get(entry.prizeId)
    if (!old) return [{ what: entry.name, before: '', after: allText(entry, types) }]
    known.delete(entry.prizeId)
    return prizeChanges(old, entry, types)
  })
  const gone = [...known.values()].map((entry) => ({
    what: entry.name,
    before: allText(entry, types),
    after: '',
  }))
  const { consolationRedCoin: paid } = before
  const isOtherPay = paid !== undefined && paid !== after.consolationRedCoin
  const pay = {
    what: 'A pack without a prize',
    before: payText(paid ?? 0),
    after: payText(after.consolationRedCoin),
  }
  return [...changes, ...gone, ...(isOtherPay ? [pay] : [])]
}

function prizeChanges(old: KnownPrize, now: KnownPrize, types: Types): OddsChange[] {
  const pairs = [
    [chanceText(old.chance), chanceText(now.chance)],
    [giftText(old, types), giftText(now, types)],
    [stockText(old), stockText(now)],
    [old.name, now.name],
  ] as const
  const different = pairs.filter(([before, after]) => before !== after)
  return different.map(([before, after]) => ({ what: now.name, before, after }))
}

function chanceText(chance: number): string {
  return chance <= 0 ? 'cannot be won' : `${packsText(chance)} (${percentText(chance)})`
}

function giftText(prize: KnownPrize, types: Types): string {
  const parts = [
    ...(prize.redCoinAmount > 0 ? [formatRedCoin(prize.redCoinAmount)] : []),
    ...(prize.rewardPackQuantity > 0 ? [rewardText(prize, types)] : []),
  ]
  return parts.join(' and ') || 'no RedCoin and no packs with it'
}

/** The packs that come with a prize; by number where their name is unknown or not the only one. */
export function rewardText(prize: KnownPrize, types: Types): string {
  const { rewardPackTypeId, rewardPackQuantity } = prize
  const type = types?.find(({ id }) => id === rewardPackTypeId)
  const isAlone = types?.every(({ id, name }) => id === rewardPackTypeId || name !== type?.name)
  const name = type && isAlone ? type.name : `type ${rewardPackTypeId}`
  return `${plural(rewardPackQuantity, 'pack', 'packs')} of ${name}`
}

const stockText = ({ limited }: KnownPrize) => (limited ? 'limited' : 'not limited')

function allText(prize: KnownPrize, types: Types): string {
  const chance = chanceText(prize.chance)
  const isPlain = prize.redCoinAmount === 0 && prize.rewardPackQuantity === 0
  return isPlain ? chance : `${chance}, ${giftText(prize, types)}`
}

function payText(amount: number): string {
  return amount === 0 ? 'pays nothing' : `pays ${formatNumber(amount)} RedCoin`
}

/**
 * A chance (0 to 1) as a percentage with at most three significant digits below 10%, never rounded
 * to 0% or 100% unless it is exactly that.
 */
export function percentText(chance: number): string {
  const percent = chance * 100
  if (percent > 0 && percent < 0.0001) return 'less than 0.0001%'
  if (percent > 99.9 && percent < 100) return 'more than 99.9%'
  return written(rounded(percent))
}

/**
 * A chance and what is left of it as percentages that add up to 100% as they are read: the smaller
 * one as any chance, the other one with as many digits as that takes.
 */
export function percentTexts(chance: number): readonly [string, string] {
  if (chance > 0.5) {
    const [rest, text] = percentTexts(1 - chance)
    return [text, rest]
  }
  const text = percentText(chance)
  if (text.startsWith('less')) return [text, 'more than 99.9999%']
  return [text, written(100 - rounded(chance * 100))]
}

const rounded = (percent: number) =>
  Number(percent >= 10 ? percent.toFixed(1) : percent.toPrecision(3))

/** With all its digits, which are six after the point at most. */
const written = (percent: number) =>
  `${percent.toLocaleString(undefined, { maximumFractionDigits: 6 })}%`

/** A chance as packs: "1 in N packs", with "about" where N is rounded, or "N of 100 packs". */
export function packsText(chance: number): string {
  if (chance >= 1) return 'every pack'
  if (chance > 0.5) {
    const packs = chance * 100
    const rounded = Math.min(99, Math.round(packs))
    return `${isRounded(packs, rounded) ? 'about ' : ''}${rounded} of 100 packs`
  }
  const packs = 1 / chance
  const rounded = Math.round(packs)
  return `${isRounded(packs, rounded) ? 'about ' : ''}1 in ${rounded.toLocaleString()} packs`
}

function isRounded(exact: number, rounded: number): boolean {
  return Math.abs(exact - rounded) / exact > 0.0005
}

/** What stands below the name of a prize. */
export function prizeHint({ chance, soldOut }: OddsEntry): string {
  if (chance <= 0) return 'Cannot be won at the moment.'
  return soldOut ? `Its ${percentText(chance)} chance counts as no prize.` : packsText(chance)
}

/**
 * The chance that a pack wins nothing right now, the shares of sold-out prizes included. Computed
 * from the entries, so that it always agrees with the sentences next to it.
 */
export function emptyPackChance(odds: OddsResponse): number {
  const winning = odds.entries.reduce((sum, entry) => sum + (entry.soldOut ? 0 : entry.chance), 0)
  // Sums of decimal shares miss whole numbers by a hair.
  const rest = Math.round((1 - winning) * 1e12) / 1e12
  return Math.min(1, Math.max(0, rest))
}

/** What stands below packs without a prize: how many they are. */
export function emptyPackHint(chance: number): string {
  return chance > 0 ? packsText(chance) : 'Every pack wins a prize.'
}

/** What packs without a prize do, after how many they are. */
export function emptyPackPay({ consolationRedCoin: pay }: OddsResponse): string {
  return pay > 0 ? `pay ${formatRedCoin(pay)} instead` : 'win nothing'
}
