// One result as a card on the stage: it lies face down, turns, and is greeted after its worth.

import type { OpeningResult } from '@redpack/contract'
import { Trophy } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { logFailure } from '../../lib/log.ts'
import { requestFrame } from '../../lib/request-frame.ts'
import { type OutcomeKind, outcomeKind, prizeName, type Rarity } from './rarity.ts'
import { canAnimate, countUpMs } from './stage-timeline.ts'

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
            <div ref={card} className="card-front on-card">
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
      <p className="card-name line-clamp-3">{prizeName(result)}</p>
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
      {isCoin ? <RedCoinMark /> : <Trophy strokeWidth={1.25} />}
    </div>
  )
}

function RedCoinMark() {
  return <img className="card-coin" src="/art/redcoin.svg" alt="" decoding="async" />
}

const finePointer = '(hover: hover) and (pointer: fine)'
const mostDegrees = 9

/**
 * Tilts `card` towards the pointer and moves its foil, by transform alone; `foil` may be absent.
 * Only mice and pens count. Returns the way to stop, which also lays the card flat again.
 */
function followPointer(card: HTMLElement, foil: HTMLElement | null): () => void {
  if (typeof window.matchMedia !== 'function' || !window.matchMedia(finePointer).matches) {
    return () => undefined
  }
  let takeBack: (() => void) | undefined
  const lay = (transform: string, foilTransform: string) => {
    takeBack?.()
    takeBack = requestFrame(() => {
      card.style.transform = transform
      if (foil) foil.style.transform = foilTransform
    })
  }
  const move = (event: PointerEvent) => {
    const box = card.getBoundingClientRect()
    const x = (event.clientX - box.left) / box.width - 0.5
    const y = (event.clientY - box.top) / box.height - 0.5
    const tilt = `rotateX(${(-y * mostDegrees).toFixed(2)}deg) rotateY(${(x * mostDegrees).toFixed(2)}deg)`
    lay(tilt, `translate(${(x * 60).toFixed(1)}%, ${(y * 40).toFixed(1)}%)`)
  }
  const rest = () => lay('', '')
  card.addEventListener('pointermove', move)
  card.addEventListener('pointerleave', rest)
  return () => {
    card.removeEventListener('pointermove', move)
    card.removeEventListener('pointerleave', rest)
    takeBack?.()
    card.style.transform = ''
    if (foil) foil.style.transform = ''
  }
}

// A RedCoin amount that counts up to its value once, without React rendering every step.
interface CountUpProps {
  readonly amount: number
  /** How the amount is written; called for the steps in between as well. */
  readonly write: (amount: number) => string
  /** Milliseconds before counting starts, or null to show the amount at once. */
  readonly delayMs: number | null
}

/** The full amount stands in the document from the start, for readers and for printing. */
function CountUp({ amount, write, delayMs }: CountUpProps) {
  const text = useRef<HTMLSpanElement>(null)

  useEffect(() => {
    const node = text.current
    if (!node || delayMs === null || amount === 0) return
    let takeBack: (() => void) | undefined
    const stand = () => {
      node.textContent = write(amount)
    }
    const timer = setTimeout(() => {
      const start = performance.now()
      const step = (now: number) => {
        const share = Math.min(1, (now - start) / countUpMs)
        const eased = 1 - (1 - share) ** 3
        node.textContent = write(Math.round(amount * eased))
        if (share < 1) takeBack = requestFrame(step, stand)
      }
      takeBack = requestFrame(step, stand)
    }, delayMs)
    return () => {
      clearTimeout(timer)
      takeBack?.()
      stand()
    }
  }, [amount, write, delayMs])

  return (
    <span ref={text} className="tabular-nums">
      {write(amount)}
    </span>
  )
}

const burstSize = 24
const burstMs = 900
/** Turning by this angle from sprite to sprite spreads them evenly, without chance. */
const goldenAngle = Math.PI * (3 - Math.sqrt(5))

/**
 * Lets the sprites fly from the middle of `host`, which must be positioned. They are made when they
 * start, so that the frame of the card does not carry them too, and remove themselves; the returned
 * function removes them at once. Does nothing where Web Animations are missing.
 */
function playBurst(host: HTMLElement, delayMs: number): () => void {
  if (!canAnimate(host)) return () => undefined
  let sprites: HTMLElement[] = []
  const timer = setTimeout(() => {
    sprites = burstIn(host)
  }, delayMs)
  return () => {
    clearTimeout(timer)
    for (const sprite of sprites) sprite.remove()
  }
}

function burstIn(host: HTMLElement): HTMLElement[] {
  const reach = Math.max(host.clientWidth, host.clientHeight) * 0.78
  const sprites = Array.from({ length: burstSize }, (_, index) => {
    const sprite = document.createElement('span')
    sprite.className = `burst-sprite burst-sprite-${index % 4}`
    return sprite
  })
  host.append(...sprites)
  try {
    for (const [index, sprite] of sprites.entries()) fly(sprite, index, reach)
  } catch (error) {
    logFailure('The burst could not be animated', error)
    for (const sprite of sprites) sprite.remove()
  }
  return sprites
}

function fly(sprite: HTMLElement, index: number, reach: number): void {
  const angle = index * goldenAngle
  const distance = reach * (0.62 + (0.38 * ((index * 7) % burstSize)) / burstSize)
  const x = Math.cos(angle) * distance
  const y = Math.sin(angle) * distance
  const turn = 180 + ((index * 97) % 360)
  const flight = sprite.animate(
    [
      { transform: 'translate(0px, 0px) scale(0.4) rotate(0deg)', opacity: 0 },
      {
        offset: 0.12,
        transform: `translate(${x * 0.35}px, ${y * 0.35}px) scale(1.1) rotate(${turn * 0.3}deg)`,
        opacity: 1,
        easing: 'cubic-bezier(0.1, 0.8, 0.3, 1)',
      },
      {
        offset: 0.7,
        transform: `translate(${x}px, ${y}px) scale(1) rotate(${turn * 0.8}deg)`,
        opacity: 1,
      },
      {
        transform: `translate(${x * 1.04}px, ${y + 46}px) scale(0.7) rotate(${turn}deg)`,
        opacity: 0,
      },
    ],
    { duration: burstMs },
  )
  flight.id = `burst:${index}`
  flight.onfinish = () => sprite.remove()
}
