// What an opening answers: one result for each pack, and the balance that only the statement which
// writes it knows.

import type { DrawProof, OpenedPack, OpeningOutcome } from '../../rules/opening.ts'
import { jsonText } from '../../shared/json-text.ts'
import { withPictureName } from './stored-pictures.ts'

export interface Opened {
  readonly results: ReturnType<typeof describeResult>[]
  readonly proof: DrawProof
  /** The user's RedCoin after the opening. */
  readonly updatedBalance: number
}

/** The results of the packs, with the Claim IDs of those that won. */
export function describeResults(
  { packs }: OpeningOutcome,
  claimIds: readonly (string | null)[],
): Opened['results'] {
  return packs.map((pack, index) => describeResult(pack, claimIds[index]))
}

function describeResult({ prize, redCoinEarned }: OpenedPack, claimId: string | null | undefined) {
  if (prize === undefined) {
    return { won: false, prizeId: null, prize: null, claimId: null, redCoinEarned }
  }
  return {
    won: true,
    prizeId: prize.prizeId,
    prize: {
      id: prize.prizeId,
      name: prize.name,
      description: prize.description,
      imageData: prize.imageData,
      imageType: prize.imageType,
      claimInstructions: prize.claimInstructions,
      redCoinAmount: prize.redCoinAmount,
    },
    claimId: claimId ?? null,
    redCoinEarned,
  }
}

/** The JSON text of an answer but for its balance, which goes between the two halves. */
export function bodyAround(
  results: Opened['results'],
  proof: DrawProof,
): readonly [string, string] {
  const placeholder = 0
  const text = jsonText<Opened>({ results, proof, updatedBalance: placeholder })
  const end = `${placeholder}}`
  return [text.slice(0, -end.length), '}']
}

/** The same as it is kept: with the names of pictures, which are large. */
export function keptBodyAround(
  results: Opened['results'],
  proof: DrawProof,
  { packs }: OpeningOutcome,
): readonly [string, string] {
  return bodyAround(
    results.map((result, index) => withPictureName(result, packs[index]?.prize?.imageHash)),
    proof,
  )
}
