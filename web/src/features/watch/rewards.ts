// What a stream pays, as short labels.

import type { GivenReward, Stream } from '@redpack/contract'
import { formatNumber, formatRedCoin } from '../../lib/format.ts'

export interface RewardLabel {
  readonly kind: 'redcoin' | 'packs'
  readonly text: string
}

interface Paid {
  readonly redCoinAmount: number
  readonly packQuantity: number
  readonly packName: string | undefined
}

function labelsOf(redCoinAmount: number, rows: readonly Paid[]): RewardLabel[] {
  const redCoin = rows.reduce((sum, row) => sum + row.redCoinAmount, redCoinAmount)
  const packs = rows
    .filter(({ packName, packQuantity }) => packName !== undefined && packQuantity > 0)
    .map(
      ({ packName, packQuantity }): RewardLabel => ({
        kind: 'packs',
        text: `${formatNumber(packQuantity)} × ${packName}`,
      }),
    )
  if (redCoin <= 0) return packs
  return [{ kind: 'redcoin', text: `+${formatRedCoin(redCoin)}` }, ...packs]
}

/** What completing a stream pays: its RedCoin in one sum, then its packs. */
export function streamRewards(stream: Stream): RewardLabel[] {
  return labelsOf(
    stream.rewardRedCoinAmount,
    stream.rewards.map(({ redCoinAmount, packQuantity, packType }) => ({
      redCoinAmount,
      packQuantity,
      packName: packType?.name,
    })),
  )
}

/** What a completion has paid. */
export function givenRewards(given: readonly GivenReward[]): RewardLabel[] {
  return labelsOf(
    0,
    given.map(({ redCoinAmount, packQuantity, packTypeName }) => ({
      redCoinAmount,
      packQuantity,
      packName: packTypeName ?? undefined,
    })),
  )
}
