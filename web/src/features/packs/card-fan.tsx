// All cards of an opening in one hand, from the least to the best, which lies on top.

import type { OpeningResult } from '@redpack/contract'
import { Trophy } from 'lucide-react'
import { useMemo } from 'react'
import { outcomeKind } from './outcome.ts'
import { type PrizePictures, pictureKey } from './prize-pictures.ts'
import { type Chances, rarityOf, worstToBest } from './rarity.ts'
import { usePaintedFrames } from './use-painted.ts'

interface CardFanProps {
  readonly results: readonly OpeningResult[]
  readonly chances: Chances
  readonly pictures: PrizePictures
  /** True deals the cards one after the other. */
  readonly isMoving: boolean
}

/** Cards that a frame gets; they are dealt more slowly than that. */
const cardsInFrame = 8

/** A picture for the eye; the summary beside it says the same in words. */
export function CardFan({ results, chances, pictures, isMoving }: CardFanProps) {
  const last = Math.max(1, results.length - 1)
  // The card beside the fan comes first; the fan's own place is kept meanwhile.
  const frames = usePaintedFrames(Math.ceil(results.length / cardsInFrame))
  const cards = useMemo(() => worstToBest(results, chances), [results, chances])
  return (
    <div
      className="card-fan"
      aria-hidden="true"
      data-moving={isMoving}
      style={{ '--count': results.length }}
    >
      {cards.slice(0, frames * cardsInFrame).map((result, index) => {
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
  // A coin is drawn by the style sheet: one element less for each of the many.
  return kind === 'prize' ? <Trophy strokeWidth={1.5} /> : null
}
