// What differs between the odds a player has seen and the odds that are in force now.

import type { OddsResponse, OddsTable } from '@redpack/contract'
import { formatNumber, formatRedCoin, plural } from '../../lib/format.ts'
import { packsText, percentText } from './odds-sentence.ts'

/** One prize, as far as a change of it concerns the player. */
interface KnownPrize {
  readonly prizeId: number
  readonly name: string
  readonly chance: number
  readonly redCoinAmount: number
  readonly rewardPackTypeId: number | null
  readonly rewardPackQuantity: number
  readonly limited: boolean
}

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
export function oddsChanges(before: KnownOdds, after: OddsResponse): OddsChange[] {
  const known = new Map(before.entries.map((entry) => [entry.prizeId, entry]))
  const changes = after.entries.flatMap((entry): OddsChange[] => {
    const old = known.get(entry.prizeId)
    if (!old) return [{ what: entry.name, before: '', after: allText(entry) }]
    known.delete(entry.prizeId)
    return prizeChanges(old, entry)
  })
  const gone = [...known.values()].map((entry) => ({
    what: entry.name,
    before: allText(entry),
    after: '',
  }))
  const { consolationRedCoin: paid } = before
  const isOtherPay = paid !== undefined && paid !== after.consolationRedCoin
  const pay = {
    what: 'A pack without prize',
    before: payText(paid ?? 0),
    after: payText(after.consolationRedCoin),
  }
  return [...changes, ...gone, ...(isOtherPay ? [pay] : [])]
}

function prizeChanges(old: KnownPrize, now: KnownPrize): OddsChange[] {
  const pairs = [
    [chanceText(old.chance), chanceText(now.chance)],
    [giftText(old), giftText(now)],
    [stockText(old), stockText(now)],
    [old.name, now.name],
  ] as const
  const different = pairs.filter(([before, after]) => before !== after)
  return different.map(([before, after]) => ({ what: now.name, before, after }))
}

function chanceText(chance: number): string {
  return chance <= 0 ? 'cannot be won' : `${packsText(chance)} (${percentText(chance)})`
}

function giftText({ redCoinAmount, rewardPackTypeId, rewardPackQuantity }: KnownPrize): string {
  const packs = `${plural(rewardPackQuantity, 'pack', 'packs')} of type ${rewardPackTypeId}`
  const parts = [
    ...(redCoinAmount > 0 ? [formatRedCoin(redCoinAmount)] : []),
    ...(rewardPackQuantity > 0 ? [packs] : []),
  ]
  return parts.join(' and ') || 'no RedCoin and no packs with it'
}

const stockText = ({ limited }: KnownPrize) => (limited ? 'limited' : 'not limited')

function allText(prize: KnownPrize): string {
  const isPlain = prize.redCoinAmount === 0 && prize.rewardPackQuantity === 0
  return isPlain ? chanceText(prize.chance) : `${chanceText(prize.chance)}, ${giftText(prize)}`
}

function payText(amount: number): string {
  return amount === 0 ? 'pays nothing' : `pays ${formatNumber(amount)} RedCoin`
}
