// The results step: one card, what it says, and on the last one of a batch the whole opening.

import type { OpeningResult } from '@redpack/contract'
import { Link } from '@tanstack/react-router'
import { ShieldCheck, Trophy } from 'lucide-react'
import { useEffectEvent, useLayoutEffect, useMemo, useRef } from 'react'
import { cn } from '../../lib/class-names.ts'
import { CopyButton } from '../../ui/form/copy-button.tsx'
import { Masked } from '../../ui/media/masked.tsx'
import { OpeningSummary } from './opening-summary.tsx'
import { type PrizePictures, pictureOf, pictureReady } from './prize-pictures.ts'
import {
  type Chances,
  type OutcomeKind,
  outcomeKind,
  type Rarity,
  rarityHoldMs,
  rarityOf,
  worstToBest,
} from './rarity.ts'
import { ResultCard } from './result-card.tsx'
import { TermsLine } from './shared/terms-line.tsx'
import {
  canAnimate,
  crossFadeMs,
  flipDurationMs,
  type PartMotion,
  StageTimeline,
} from './stage-timeline.ts'
import { inFirstFrame, usePaintedFrames } from './use-painted.ts'

/** Length of the greeting of a card that turns at once, in milliseconds. */
const revealFilmMs = 1200

interface Reveal {
  readonly kind: OutcomeKind
  /** Time the card takes to turn, in milliseconds. */
  readonly turnMs: number
  /** True for every card but the first, which lies there already: it is dealt from the side. */
  readonly isDealt: boolean
  readonly rarity: Rarity
}

/** Length of the film in milliseconds: a rare card lies in its light before it turns. */
function revealLengthMs({ rarity }: Pick<Reveal, 'rarity'>): number {
  return revealFilmMs + rarityHoldMs[rarity]
}

const easeOut = 'cubic-bezier(0.2, 0.8, 0.2, 1)'
const easeIn = 'cubic-bezier(0.5, 0, 0.9, 0.5)'
const springOut = 'cubic-bezier(0.2, 1.4, 0.4, 1)'
const flat = 'translate(0px, 0px) scale(1)'

type Clock = (ms: number) => number

/** Offsets of moments after the hold; `at(-holdMs)` is the beginning. */
function clockOf(reveal: Reveal): Clock {
  const length = revealLengthMs(reveal)
  const holdMs = rarityHoldMs[reveal.rarity]
  return (ms) => Math.min(1, (holdMs + ms) / length)
}

function edge(degrees: number): string {
  return `perspective(60rem) rotateY(${degrees}deg)`
}

function turning({ turnMs, isDealt, rarity }: Reveal, at: Clock): PartMotion[] {
  const middle = at(turnMs / 2)
  const beside = isDealt ? 'translate(34%, 0px) scale(0.96)' : flat
  const lifted = `translate(0px, 0px) scale(${1 + rarity * 0.015})`
  return [
    {
      part: 'deal',
      keyframes: [
        { offset: 0, transform: beside, opacity: isDealt ? 0 : 1, easing: easeOut },
        { offset: at(turnMs * 0.45), transform: lifted, opacity: 1 },
        { offset: at(turnMs), transform: flat, opacity: 1 },
        { offset: 1, transform: flat, opacity: 1 },
      ],
    },
    {
      part: 'back',
      keyframes: [
        { offset: 0, transform: edge(0), opacity: 1 },
        { offset: at(0), transform: edge(0), opacity: 1, easing: easeIn },
        { offset: middle, transform: edge(-90), opacity: 1 },
        { offset: middle, transform: edge(-90), opacity: 0 },
        { offset: 1, transform: edge(-90), opacity: 0 },
      ],
    },
    {
      part: 'front',
      keyframes: [
        { offset: 0, transform: edge(90), opacity: 0 },
        { offset: middle, transform: edge(90), opacity: 0 },
        { offset: middle, transform: edge(90), opacity: 1, easing: springOut },
        { offset: at(turnMs), transform: edge(0), opacity: 1 },
        { offset: 1, transform: edge(0), opacity: 1 },
      ],
    },
  ]
}

function greeting({ kind, turnMs, rarity }: Reveal, at: Clock): PartMotion[] {
  const lateMs = kind === 'prize' ? 160 : 0
  const from = at(turnMs * 0.7 + lateMs)
  const to = at(turnMs * 0.7 + lateMs + 260)
  const lightTo = kind === 'redcoin' ? 0.45 : 1
  // While a rare card lies in it, the light grows: the rarer, the brighter before anything is read.
  const welled = { transform: `scale(${0.7 + rarity * 0.1})`, opacity: rarity * 0.25 }
  return [
    {
      part: 'details',
      keyframes: [
        { offset: 0, transform: 'translateY(14px)', opacity: 0 },
        { offset: from, transform: 'translateY(14px)', opacity: 0, easing: easeOut },
        { offset: to, transform: 'translateY(0px)', opacity: 1 },
        { offset: 1, transform: 'translateY(0px)', opacity: 1 },
      ],
    },
    {
      part: 'light',
      keyframes: [
        { offset: 0, transform: 'scale(0.6)', opacity: 0 },
        { offset: at(turnMs / 2), ...welled, easing: springOut },
        { offset: at(turnMs + 260), transform: 'scale(1)', opacity: lightTo },
        { offset: 1, transform: 'scale(1)', opacity: lightTo },
      ],
    },
    {
      part: 'glory',
      keyframes: [
        { offset: 0, transform: 'rotate(-14deg) scale(0.7)', opacity: 0 },
        { offset: at(turnMs / 2), transform: 'rotate(-4deg) scale(0.8)', opacity: 0.3 },
        { offset: at(turnMs + 260), transform: 'rotate(2deg) scale(1)', opacity: 0.8 },
        { offset: 1, transform: 'rotate(6deg) scale(1)', opacity: 0.6 },
      ],
    },
    {
      part: 'sheen',
      keyframes: [
        { offset: 0, transform: 'translateX(-160%) skewX(-18deg)', opacity: 1 },
        { offset: at(turnMs + 40), transform: 'translateX(-160%) skewX(-18deg)', opacity: 1 },
        { offset: at(turnMs + 640), transform: 'translateX(260%) skewX(-18deg)', opacity: 1 },
        { offset: 1, transform: 'translateX(260%) skewX(-18deg)', opacity: 0 },
      ],
    },
  ]
}

/** The film of one card. */
export function revealFilm(reveal: Reveal): readonly PartMotion[] {
  const at = clockOf(reveal)
  return [...turning(reveal, at), ...greeting(reveal, at)]
}

/** With reduced motion the new card only fades in, over `crossFadeMs`. */
const crossFadeFilm: readonly PartMotion[] = ['deal', 'details'].map((part) => ({
  part,
  keyframes: [{ opacity: 0 }, { opacity: 1 }],
}))

/** `full` turns cards, `reduced` cross-fades them, `none` shows them at once. */
export type Motion = 'full' | 'reduced' | 'none'

/** What an opening shows, whichever part of it is on screen. */
export interface OpeningContent {
  readonly results: readonly OpeningResult[]
  /** True when this browser drew the results again and found them. */
  readonly isProven: boolean
  readonly chances: Chances
  readonly pictures: PrizePictures
}

interface ResultViewProps extends OpeningContent {
  readonly packName: string
  readonly index: number
  readonly motion: Motion
  /** True while it is laid out, out of sight, for the moment in which it is shown. */
  readonly isWaiting: boolean
  /** Called when its film has failed while it waits; a card that is shown only stands still. */
  readonly onFail: () => void
}

/** Give it the index as key: every card is a new one. */
export function ResultView(props: ResultViewProps) {
  const { packName, results, isProven, index, chances, pictures, motion, isWaiting } = props
  const view = useRef<HTMLDivElement>(null)
  const result = results[index]
  const kind = result ? outcomeKind(result) : null
  const rarity = result ? rarityOf(result, chances) : 0
  const picture = pictureOf(result, pictures)
  const turnMs = kind && motion === 'full' ? flipDurationMs(index, kind !== 'redcoin') : null

  // A frame for the card, which lies face down, and one for its face, and for the whole opening
  // beside it. Out of sight the words take the second frame too, and the film comes after it.
  const frames = usePaintedFrames(isWaiting ? 2 : 1)
  const hasWords = !isWaiting || frames > 0
  const mayPlay = !isWaiting || frames > 1

  const film = useRef<StageTimeline>(undefined)
  const ready = pictureReady(picture)

  // The card stays face down until it is shown and its picture can be painted.
  const startFilm = useEffectEvent(() => {
    const started = film.current
    if (isWaiting) return
    if (ready) void ready.then(() => started?.resume())
    else started?.resume()
  })
  const onFail = useEffectEvent(() => {
    if (isWaiting) props.onFail()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new picture holds the film up anew
  useLayoutEffect(() => {
    const shown = view.current
    if (!shown || !kind || motion === 'none' || !mayPlay) return
    return inFirstFrame(() => {
      const reveal = { kind, turnMs: turnMs ?? 0, isDealt: index > 0, rarity }
      const made =
        turnMs === null
          ? StageTimeline.play(shown, 'reveal', crossFadeFilm, crossFadeMs, onFail)
          : StageTimeline.play(shown, 'reveal', revealFilm(reveal), revealLengthMs(reveal), onFail)
      made.hold()
      film.current = made
      startFilm()
      return () => {
        film.current = undefined
        made.cancel()
      }
    })
  }, [kind, motion, turnMs, index, rarity, picture, mayPlay])
  useLayoutEffect(() => {
    if (!isWaiting) startFilm()
  }, [isWaiting])

  if (!result) throw new Error(`Result ${index + 1} is missing`)
  const isEndOfBatch = results.length > 1 && index === results.length - 1
  return (
    <div
      ref={view}
      className={cn('opening-scene', result.won && 'prize-scene')}
      style={isWaiting ? { visibility: 'hidden' } : undefined}
    >
      <ResultCard
        result={result}
        isProven={isProven}
        picture={picture}
        turnMs={turnMs}
        rarity={rarity}
        holdMs={turnMs === null ? 0 : rarityHoldMs[rarity]}
        isWaiting={isWaiting}
        hasFace={frames > 0 || turnMs === null || !canAnimate()}
      />
      <div
        className="opening-details @container/words mx-auto grid w-[min(100%,34rem)] grid-cols-1 content-center-safe justify-items-center gap-3 px-5 pt-1 pb-3 text-center [&:has(+.opening-summary)]:pb-(--cue)"
        data-part="details"
      >
        {hasWords && <ResultDetails result={result} isProven={isProven} />}
      </div>
      {isEndOfBatch && frames > 0 && (
        <OpeningSummary
          title="Your opening"
          packName={packName}
          results={results}
          seen={results.length}
          chances={chances}
        >
          <CardFan
            results={results}
            chances={chances}
            pictures={pictures}
            isMoving={motion === 'full'}
          />
        </OpeningSummary>
      )}
    </div>
  )
}

// All cards of an opening in one hand, from the least to the best, which lies on top.
interface CardFanProps extends Omit<OpeningContent, 'isProven'> {
  /** True deals the cards one after the other. */
  readonly isMoving: boolean
}

/** Cards that a frame gets; they are dealt more slowly than that. */
const cardsInFrame = 8

/** A picture for the eye; the summary beside it says the same in words. */
function CardFan({ results, chances, pictures, isMoving }: CardFanProps) {
  const last = Math.max(1, results.length - 1)
  // The card beside the fan comes first; the fan's own place is kept meanwhile.
  const frames = usePaintedFrames(Math.ceil(results.length / cardsInFrame))
  const cards = useMemo(() => worstToBest(results, chances), [results, chances])
  return (
    <div
      className="card-fan on-card"
      aria-hidden="true"
      data-moving={isMoving}
      style={{ '--count': results.length }}
    >
      {cards.slice(0, frames * cardsInFrame).map((result, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: a card is its place in the hand
          key={index}
          data-outcome={outcomeKind(result)}
          style={{ '--at': index / last, '--might': rarityOf(result, chances), '--turn': index }}
        >
          <FanFace kind={outcomeKind(result)} picture={pictureOf(result, pictures)} />
        </span>
      ))}
    </div>
  )
}

interface FanFaceProps {
  readonly kind: OutcomeKind
  readonly picture: string | undefined
}

function FanFace({ kind, picture }: FanFaceProps) {
  if (picture) return <img src={picture} alt="" decoding="async" />
  // A coin is drawn by the style sheet: one element less for each of the many.
  return kind === 'prize' ? <Trophy strokeWidth={1.5} /> : null
}

// What a result says below its card: description, Claim ID and how to claim, or a kind word.
interface ResultDetailsProps extends Pick<OpeningContent, 'isProven'> {
  readonly result: OpeningResult
}

function ResultDetails({ result, isProven }: ResultDetailsProps) {
  return (
    <>
      {result.won ? <WinDetails result={result} /> : <p className={note}>{kindWord}</p>}
      {isProven && (
        <p className="flex items-center gap-1.5 text-sm text-muted">
          <ShieldCheck className="size-4 text-success" />
          Proven in your browser ·{' '}
          <Link to="/fairness" className="underline underline-offset-[0.2em]">
            details
          </Link>
        </p>
      )}
    </>
  )
}

const note = 'text-balance wrap-anywhere'
const kindWord = 'Better luck next time! Keep opening packs for more chances to win prizes.'

function WinDetails({ result: { prize, claimId } }: Pick<ResultDetailsProps, 'result'>) {
  return (
    <>
      {claimId && <ClaimIdPlate claimId={claimId} />}
      {prize?.description && <p className={note}>{prize.description}</p>}
      <TermsLine terms={prize?.delivery} className={note} />
      {prize?.claimInstructions && (
        <section className="w-full">
          <h4 className="font-display font-[650]">How to Claim</h4>
          <p className="whitespace-pre-line text-muted wrap-anywhere">{prize.claimInstructions}</p>
        </section>
      )}
    </>
  )
}

/** In one line as far as its column allows; where that is narrow the type gets smaller. */
export function ClaimIdPlate({ claimId }: { readonly claimId: string }) {
  return (
    <div className="claim-plate flex min-h-14 w-full flex-wrap items-center justify-between gap-x-3 gap-y-1 rounded-card border border-accent-graphic bg-surface py-1.5 ps-4 pe-1.5 text-start @max-[16rem]/words:ps-2">
      <span className="text-[0.875em] text-muted">Claim ID</span>
      <Masked what="Claim ID">
        <span className="flex min-w-0 flex-auto items-center justify-between gap-2">
          <code className="text-[1.125em] font-semibold tracking-[0.02em] whitespace-nowrap @max-[16rem]/words:text-[clamp(0.75rem,7.5cqi,1.125rem)]">
            {claimId}
          </code>
          <CopyButton text={claimId} label="Copy Claim ID" />
        </span>
      </Masked>
    </div>
  )
}
