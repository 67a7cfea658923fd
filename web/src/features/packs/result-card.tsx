// One result as a card on the stage: it lies face down, turns, and is greeted after its worth.

import type { OpeningResult } from '@redpack/contract'
import { Trophy } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { cn } from '../../lib/class-names.ts'
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

/** The room of the pack on the stage, and of a card in it. */
export const stageSlot = 'stage-slot relative aspect-5/6 h-[min(100cqh-1rem,(100cqw-1rem)*1.2)]'
export const stageCard = 'absolute inset-0 mx-auto aspect-5/7 h-full'

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
      <div ref={slot} className={stageSlot}>
        <div className={cn('card-deal', stageCard)} data-part="deal">
          <div
            className="card-back absolute inset-0 opacity-0"
            data-part="back"
            aria-hidden="true"
          />
          <div className="h-full" data-part="front">
            <div
              ref={card}
              className={cn(
                'card-front on-card @container relative h-full overflow-hidden rounded-card border-2 bg-surface text-ink',
                kind === 'redcoin' ? 'border-line' : 'border-(color:--light)',
              )}
            >
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
                <div
                  className="pointer-events-none absolute inset-0 overflow-hidden"
                  aria-hidden="true"
                >
                  <div
                    className="h-full w-[45%] bg-[linear-gradient(90deg,transparent,rgb(255_255_255/0.42),transparent)] [transform:translateX(-160%)_skewX(-18deg)]"
                    data-part="sheen"
                  />
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

const title = 'px-[2cqi] py-[3.5cqi] text-[max(0.75rem,7.6cqi)] leading-[1.15] font-bold'

function CardFace({ result, kind, picture, delayMs }: CardFaceProps) {
  if (kind === 'redcoin') {
    return (
      <div className="card-face-redcoin grid h-full grid-rows-[auto_minmax(0,1fr)_auto_auto] pb-[9cqi] text-center">
        <h3 className={title}>Pack Opened</h3>
        <RedCoinMark className="w-[56cqi] object-contain" />
        <p className="card-caption text-[max(0.75rem,6.5cqi)] text-muted">RedCoin Earned!</p>
        <p className="card-amount font-display text-[max(1.1rem,12cqi)] leading-[1.15] font-bold text-secondary-text wrap-anywhere">
          <CountUp amount={result.redCoinEarned} write={plainAmount} delayMs={delayMs} />
        </p>
      </div>
    )
  }
  return (
    <div className="grid h-full grid-rows-[auto_minmax(0,1fr)_auto] text-center">
      <h3 className={cn(title, 'text-accent-text')}>🎉 Prize Won!</h3>
      <PrizePicture key={picture ?? 'none'} picture={picture} isCoin={kind === 'redcoin-prize'} />
      {kind === 'redcoin-prize' && (
        // On a small phone an amount stays in one line.
        <p className="z-1 mt-[calc(-1.1em-2px)] max-w-full justify-self-center rounded-full bg-(--light-prize) px-[min(0.75em,3cqi)] py-[0.25em] font-display text-[max(0.75rem,7.5cqi)] font-bold text-(--accent-label)">
          <CountUp amount={result.redCoinEarned} write={localAmount} delayMs={delayMs} />
        </p>
      )}
      <p className="mx-[5cqi] my-[4cqi] line-clamp-3 text-[max(0.75rem,8cqi)] leading-[1.2] font-bold wrap-break-word">
        {prizeName(result)}
      </p>
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
      <div className="card-picture min-h-0 bg-raised">
        <img
          src={picture}
          alt=""
          decoding="async"
          onError={() => setBroken(true)}
          className="size-full object-cover"
        />
      </div>
    )
  }
  return (
    <div
      className="card-picture card-picture-icon grid min-h-0 place-items-center bg-raised text-accent-text"
      data-testid="prize-icon"
    >
      {isCoin ? (
        <RedCoinMark className="size-full object-cover" />
      ) : (
        <Trophy strokeWidth={1.25} className="h-auto w-[52cqi]" />
      )}
    </div>
  )
}

function RedCoinMark({ className }: { readonly className: string }) {
  return (
    <img
      src="/art/redcoin.svg"
      alt=""
      decoding="async"
      className={cn('max-h-full min-h-0 place-self-center', className)}
    />
  )
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
