// The results step: one card, what it says, and on the last one of a batch the whole opening.

import type { OpeningResult } from '@redpack/contract'
import { Link } from '@tanstack/react-router'
import { ShieldCheck, Trophy } from 'lucide-react'
import { useEffectEvent, useLayoutEffect, useMemo, useRef } from 'react'
import { cn } from '../../lib/class-names.ts'
import { CopyButton } from '../../ui/form/copy-button.tsx'
import { Masked } from '../../ui/media/masked.tsx'
import { OpeningSummary } from './opening-summary.tsx'
import { type PrizePictures, pictureKey, pictureReady } from './prize-pictures.ts'
import { type Chances, outcomeKind, rarityHoldMs, rarityOf, worstToBest } from './rarity.ts'
import { ResultCard } from './result-card.tsx'
import { crossFadeFilm, revealFilm, revealLengthMs } from './reveal-film.ts'
import { TermsLine } from './shared/terms-line.tsx'
import { canAnimate, crossFadeMs, flipDurationMs, StageTimeline } from './stage-timeline.ts'
import { inFirstFrame, usePaintedFrames } from './use-painted.ts'

/** `full` turns cards, `reduced` cross-fades them, `none` shows them at once. */
export type Motion = 'full' | 'reduced' | 'none'

interface ResultViewProps {
  readonly packName: string
  readonly results: readonly OpeningResult[]
  readonly isProven: boolean
  readonly index: number
  readonly chances: Chances
  readonly pictures: PrizePictures
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
  const key = result?.prize ? pictureKey(result.prize) : null
  const picture = key === null ? undefined : pictures.get(key)
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
      <div className="opening-details" data-part="details">
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
function CardFan({ results, chances, pictures, isMoving }: CardFanProps) {
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

// What a result says below its card: description, Claim ID and how to claim, or a kind word.
interface ResultDetailsProps {
  readonly result: OpeningResult
  /** True when this browser drew the result again and found it. */
  readonly isProven: boolean
}

function ResultDetails({ result, isProven }: ResultDetailsProps) {
  return (
    <>
      {result.won ? <WinDetails result={result} /> : <p className="result-note">{kindWord}</p>}
      {isProven && (
        <p className="result-proven">
          <ShieldCheck aria-hidden="true" />
          Proven in your browser · <Link to="/fairness">details</Link>
        </p>
      )}
    </>
  )
}

const kindWord = 'Better luck next time! Keep opening packs for more chances to win prizes.'

function WinDetails({ result: { prize, claimId } }: Pick<ResultDetailsProps, 'result'>) {
  return (
    <>
      {claimId && <ClaimIdPlate claimId={claimId} />}
      {prize?.description && <p className="result-note">{prize.description}</p>}
      <TermsLine terms={prize?.delivery} className="result-note" />
      {prize?.claimInstructions && (
        <section className="result-claim">
          <h4>How to Claim</h4>
          <p>{prize.claimInstructions}</p>
        </section>
      )}
    </>
  )
}

// A Claim ID that can be copied.
interface ClaimIdPlateProps {
  readonly claimId: string
}

export function ClaimIdPlate({ claimId }: ClaimIdPlateProps) {
  return (
    <div className="claim-plate">
      <span className="claim-plate-label">Claim ID</span>
      <Masked what="Claim ID">
        <span className="flex min-w-0 flex-auto items-center justify-between gap-2">
          <code>{claimId}</code>
          <CopyButton text={claimId} label="Copy Claim ID" />
        </span>
      </Masked>
    </div>
  )
}
