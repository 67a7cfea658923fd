// One result as a card on the stage: it lies face down, turns, and is greeted after its worth.

import type { OpeningResult } from '@redpack/contract'
import { Trophy } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { followPointer } from './card-tilt.ts'
import { CountUp } from './count-up.tsx'
import { type OutcomeKind, outcomeKind, prizeName } from './outcome.ts'
import type { Rarity } from './rarity.ts'
import { playBurst } from './result-burst.ts'

interface ResultCardProps {
  readonly result: OpeningResult
  /** True when this browser drew the result again and found it. */
  readonly isProven: boolean
  /** Address of the prize's picture, if it has one. */
  readonly picture: string | undefined
  /** Milliseconds the card takes to turn, or null when nothing may move. */
  readonly turnMs: number | null
  readonly rarity: Rarity
  /** Milliseconds the card lies in its light before it turns. */
  readonly holdMs: number
  /** True while nothing is to move yet. */
  readonly isWaiting: boolean
  /** False while the card lies face down and its face need not be there. */
  readonly hasFace: boolean
}

/** Rays stand behind cards from this rarity on. */
const gloryFrom = 2

export function ResultCard(props: ResultCardProps) {
  const { result, isProven, picture, turnMs, rarity, holdMs, isWaiting, hasFace } = props
  const slot = useRef<HTMLDivElement>(null)
  const card = useRef<HTMLDivElement>(null)
  const kind = outcomeKind(result)

  useEffect(() => {
    if (isWaiting || turnMs === null || kind !== 'prize' || !slot.current || !card.current) return
    const clear = playBurst(slot.current, holdMs + turnMs * 0.7)
    const rest = followPointer(card.current, card.current.querySelector('.card-foil'))
    return () => {
      clear()
      rest()
    }
  }, [kind, turnMs, holdMs, isWaiting])

  return (
    <div
      className="opening-stage"
      data-outcome={kind}
      data-proven={isProven || undefined}
      style={{ '--might': rarity }}
    >
      {rarity >= gloryFrom && <div className="stage-glory" data-part="glory" aria-hidden="true" />}
      <div className="stage-light" data-part="light" aria-hidden="true" />
      <div ref={slot} className="stage-slot">
        <div className="card-deal" data-part="deal">
          <div className="card-back stage-back" data-part="back" aria-hidden="true" />
          <div className="card-turn" data-part="front">
            <div ref={card} className="card-front">
              {hasFace && (
                <CardFace
                  result={result}
                  kind={kind}
                  picture={picture}
                  delayMs={isWaiting || turnMs === null ? null : turnMs + holdMs}
                />
              )}
              {kind === 'prize' && turnMs !== null && (
                <div className="card-foil" aria-hidden="true" />
              )}
              {kind !== 'redcoin' && (
                <div className="card-sheen" aria-hidden="true">
                  <div data-part="sheen" />
                </div>
              )}
            </div>
          </div>
        </div>
      </div>
    </div>
  )
}

interface CardFaceProps extends Pick<ResultCardProps, 'result' | 'picture'> {
  readonly kind: OutcomeKind
  /** Milliseconds before an amount counts up, or null when it stands at once. */
  readonly delayMs: number | null
}

function CardFace({ result, kind, picture, delayMs }: CardFaceProps) {
  if (kind === 'redcoin') {
    return (
      <div className="card-face card-face-redcoin">
        <h3 className="card-title">Pack Opened</h3>
        <RedCoinMark />
        <p className="card-caption">RedCoin Earned!</p>
        <p className="card-amount">
          <CountUp amount={result.redCoinEarned} write={plainAmount} delayMs={delayMs} />
        </p>
      </div>
    )
  }
  return (
    <div className="card-face">
      <h3 className="card-title card-title-prize">🎉 Prize Won!</h3>
      <PrizePicture key={picture ?? 'none'} picture={picture} isCoin={kind === 'redcoin-prize'} />
      {kind === 'redcoin-prize' && (
        <p className="card-chip">
          <CountUp amount={result.redCoinEarned} write={localAmount} delayMs={delayMs} />
        </p>
      )}
      <p className="card-name">{prizeName(result)}</p>
    </div>
  )
}

/** The specification prints the amount of a losing pack as it is. */
function plainAmount(amount: number): string {
  return `+${amount} RedCoin`
}

function localAmount(amount: number): string {
  return `+${amount.toLocaleString()} RedCoin`
}

interface PrizePictureProps {
  readonly picture: string | undefined
  readonly isCoin: boolean
}

function PrizePicture({ picture, isCoin }: PrizePictureProps) {
  const [isBroken, setBroken] = useState(false)
  if (picture && !isBroken) {
    return (
      <div className="card-picture">
        <img src={picture} alt="" decoding="async" onError={() => setBroken(true)} />
      </div>
    )
  }
  return (
    <div className="card-picture card-picture-icon" data-testid="prize-icon">
      {isCoin ? <RedCoinMark /> : <Trophy aria-hidden="true" strokeWidth={1.25} />}
    </div>
  )
}

function RedCoinMark() {
  return <img className="card-coin" src="/art/redcoin.svg" alt="" decoding="async" />
}
