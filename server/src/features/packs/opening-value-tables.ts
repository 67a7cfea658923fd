// The values of the statement that writes openings: columns of openings, packs, claims, entries and
// stock, each row with the place of its opening in the group, from 1.

import type { SealedText } from '../../rules/contact-info.ts'
import type { DrawProof, OpeningOutcome } from '../../rules/opening.ts'

export interface OpeningToCommit {
  readonly userId: number
  readonly packTypeId: number
  readonly quantity: number
  /** What the answer tells of the draw. */
  readonly proof: DrawProof
  /** The seed that the chain's next opening will use. */
  readonly sealedNext: SealedText
  readonly oddsRevision: number
  readonly oddsTableId: number
  readonly consolationRedCoin: number
  /** Drawn from the stock that the openings before it in the group leave. */
  readonly outcome: OpeningOutcome
  /** One Claim ID per pack that won, null for the others. */
  readonly claimIds: readonly (string | null)[]
  /** What the claim of each pack that won starts as, null for the others. */
  readonly claimStates: readonly ('pending' | 'completed' | null)[]
  /** How the answer is kept: the balance goes between the two halves of its text. */
  readonly stored:
    | {
        readonly key: string
        readonly inputHash: string
        readonly bodyBeforeBalance: string
        readonly bodyAfterBalance: string
      }
    | undefined
}

type Group = readonly OpeningToCommit[]

/** What the statement calls its values, but for route and moment. */
export function valuesOf(group: Group) {
  return { ...plainValuesOf(group), ...rewardValues(group), ...stockValues(group) }
}

/** The same without packs won and stock taken. */
export function plainValuesOf(group: Group) {
  return {
    ...openingValues(group),
    ...drawnValues(group),
    ...claimValues(group),
    ...entryValues(group),
  }
}

function openingValues(group: Group) {
  return {
    requestIds: group.map(({ proof }) => proof.requestId),
    userIds: group.map(({ userId }) => userId),
    packTypeIds: group.map(({ packTypeId }) => packTypeId),
    quantities: group.map(({ quantity }) => quantity),
    chainIds: group.map(({ proof }) => proof.chainId),
    chainIndexes: group.map(({ proof }) => proof.index),
    commitments: group.map(({ proof }) => proof.commitment),
    serverSeeds: group.map(({ proof }) => proof.serverSeed),
    entropies: group.map(({ proof }) => proof.entropy),
    entropiesFrom: group.map(({ proof }) => proof.entropyFrom),
    nextCommitments: group.map(({ proof }) => proof.nextCommitment),
    sealedSeeds: group.map(({ sealedNext }) => JSON.stringify(sealedNext)),
    oddsRevisions: group.map(({ oddsRevision }) => oddsRevision),
    oddsTableIds: group.map(({ oddsTableId }) => oddsTableId),
    consolations: group.map(({ consolationRedCoin }) => consolationRedCoin),
    redCoinTotals: group.map(({ outcome }) => outcome.redCoinTotal),
    touching: group.map(({ outcome }) => outcome.stock.length > 0),
    keys: group.map(({ stored }) => stored?.key ?? null),
    inputHashes: group.map(({ stored }) => stored?.inputHash ?? null),
    bodiesBefore: group.map(({ stored }) => stored?.bodyBeforeBalance ?? null),
    bodiesAfter: group.map(({ stored }) => stored?.bodyAfterBalance ?? null),
  }
}

/** One of each per pack, in the order of the draws. */
function drawnValues(group: Group) {
  // The wins of a limited prize are counted through the group.
  const earlier = new Map<number, number>()
  const drawn = group.flatMap(({ outcome }, index) => {
    const rows = outcome.packs.map(
      ({ prize, soldOutPrizeId, redCoinEarned, winOfStock }, position) => ({
        of: index + 1,
        position,
        prizeId: prize?.prizeId ?? null,
        soldOutPrizeId,
        redCoinEarned,
        winOfStock:
          winOfStock === null ? null : winOfStock + (earlier.get(prize?.prizeId ?? 0) ?? 0),
      }),
    )
    for (const { prizeId, taken } of outcome.stock) {
      earlier.set(prizeId, (earlier.get(prizeId) ?? 0) + taken)
    }
    return rows
  })
  return {
    drawnOf: drawn.map(({ of }) => of),
    drawnPositions: drawn.map(({ position }) => position),
    drawnPrizes: drawn.map(({ prizeId }) => prizeId),
    drawnSoldOut: drawn.map(({ soldOutPrizeId }) => soldOutPrizeId),
    drawnEarned: drawn.map(({ redCoinEarned }) => redCoinEarned),
    winsOfStock: drawn.map(({ winOfStock }) => winOfStock),
  }
}

/** One of each per pack that won, with the prizes as they are now, for the claims to keep. */
function claimValues(group: Group) {
  const won = group.flatMap(({ userId, outcome, claimIds, claimStates }) =>
    outcome.packs.flatMap(({ prize }, position) =>
      prize === undefined
        ? []
        : [
            {
              userId,
              position,
              prize,
              claimId: claimIds[position],
              state: claimStates[position],
            },
          ],
    ),
  )
  return {
    claimUserIds: won.map(({ userId }) => userId),
    claimPositions: won.map(({ position }) => position),
    claimIds: won.map(({ claimId }) => claimId),
    claimAmounts: won.map(({ prize }) => prize.redCoinAmount),
    claimNames: won.map(({ prize }) => prize.name),
    claimDescriptions: won.map(({ prize }) => prize.description),
    claimPacks: won.map(({ prize }) => prize.rewardPackQuantity),
    claimStates: won.map(({ state }) => state),
    claimsAlsoSent: won.map(({ prize }) => prize.isAlsoSent),
    claimImages: won.map(({ prize }) => prize.imageHash),
  }
}

/** Per opening a row for each RedCoin prize as drawn, then one for all consolations. */
function entryValues(group: Group) {
  const entries = group.flatMap(({ outcome }, index) =>
    entriesOf(outcome).map((entry) => ({ of: index + 1, ...entry })),
  )
  return {
    entryOf: entries.map(({ of }) => of),
    entryPositions: entries.map(({ position }) => position),
    entryAmounts: entries.map(({ amount }) => amount),
    entryTotals: entries.map(({ total }) => total),
    entryTexts: entries.map(({ description }) => description),
  }
}

function entriesOf({ packs, consolationTotal }: OpeningOutcome) {
  const entries: { position: number | null; amount: number; description: string }[] = []
  for (const [position, { prize }] of packs.entries()) {
    if (prize === undefined || prize.redCoinAmount === 0) continue
    const description = `Won ${prize.name}`
    entries.push({ position, amount: prize.redCoinAmount, description })
  }
  if (consolationTotal > 0) {
    const losing = packs.filter(({ prize }) => prize === undefined).length
    const description = losing === 1 ? 'Pack without a prize' : `${losing} packs without a prize`
    entries.push({ position: null, amount: consolationTotal, description })
  }
  let total = 0
  return entries.map((entry) => {
    total += entry.amount
    return { ...entry, total }
  })
}

function rewardValues(group: Group) {
  const rewards = group.flatMap(({ outcome }, index) =>
    [...outcome.rewards].map(([id, quantity]) => ({ of: index + 1, id, quantity })),
  )
  return {
    rewardOf: rewards.map(({ of }) => of),
    rewardIds: rewards.map(({ id }) => id),
    rewardQuantities: rewards.map(({ quantity }) => quantity),
  }
}

/** What each opening takes of limited prizes, and what the group takes of each in all. */
function stockValues(group: Group) {
  const takings: { of: number; id: number; units: number; soFar: number }[] = []
  const all = new Map<number, { taken: number; exactly: number | null }>()
  for (const [index, { outcome }] of group.entries()) {
    for (const { prizeId: id, taken, exactly } of outcome.stock) {
      const before = all.get(id)?.taken ?? 0
      const soFar = before + taken
      if (taken > 0) takings.push({ of: index + 1, id, units: taken, soFar })
      // A draw that ran into the end found what the group had left of it.
      const ends = exactly === null ? (all.get(id)?.exactly ?? null) : before + exactly
      all.set(id, { taken: soFar, exactly: ends })
    }
  }
  const stock = [...all].map(([id, use]) => ({ id, ...use }))
  return {
    takingOf: takings.map(({ of }) => of),
    takenIds: takings.map(({ id }) => id),
    takenUnits: takings.map(({ units }) => units),
    takenSoFar: takings.map(({ soFar }) => soFar),
    stockIds: stock.map(({ id }) => id),
    stockTaken: stock.map(({ taken }) => taken),
    stockExactly: stock.map(({ exactly }) => exactly),
  }
}
