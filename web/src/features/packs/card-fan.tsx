// All cards of an opening in one hand, from the least to the best, which lies on top.

import type { OpeningResult } from '@redpack/contract'
import { Trophy } from 'lucide-react'
import { outcomeKind } from './outcome.ts'
import { type PrizePictures, pictureKey } from './prize-pictures.ts'
import { type Chances, rarityOf, worstToBest } from './rarity.ts'

interface CardFanProps {
  readonly results: readonly OpeningResult[]
  readonly chances: Chances
  readonly pictures: PrizePictures
  /** True deals the cards one after the other. */
  readonly isMoving: boolean
}

/** A picture for the eye; the summary beside it says the same in words. */
export function CardFan({ results, chances, pictures, isMoving }: CardFanProps) {
  const last = Math.max(1, results.length - 1)
  return (
    <div
      className="card-fan"
      aria-hidden="true"
      data-moving={isMoving}
      style={{ '--count': results.length }}
    >
      {worstToBest(results, chances).map((result, index) => {
        const key = result.prize ? pictureKey(result.prize) : null
        const picture = key === null ? undefined : pictures.get(key)
        return (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: a card is its place in the hand
            key={index}
            data-outcome={outcomeKind(result)}
            style={{ '--at': index / last, '--might': rarityOf(result, chances), '--turn': index }}
          >
            <FanFace kind={outcomeKind(result)} picture={picture} />
          </span>
        )
      })}
    </div>
  )
}

interface FanFaceProps {
  readonly kind: ReturnType<typeof outcomeKind>
  readonly picture: string | undefined
}

function FanFace({ kind, picture }: FanFaceProps) {
  if (picture) return <img src={picture} alt="" decoding="async" />
  if (kind === 'prize') return <Trophy strokeWidth={1.5} />
  return <img className="fan-coin" src="/art/redcoin.svg" alt="" decoding="async" />
}
