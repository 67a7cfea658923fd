// The results step: one card, what it says, and on the last one of a batch the whole opening.

import type { OpeningResult } from '@redpack/contract'
import { useEffectEvent, useLayoutEffect, useRef } from 'react'
import { CardFan } from './card-fan.tsx'
import { OpeningSummary } from './opening-summary.tsx'
import { outcomeKind } from './outcome.ts'
import { type PrizePictures, pictureKey, pictureReady } from './prize-pictures.ts'
import { type Chances, rarityHoldMs, rarityOf } from './rarity.ts'
import { ResultCard } from './result-card.tsx'
import { ResultDetails } from './result-details.tsx'
import { crossFadeFilm, revealFilm, revealLengthMs } from './reveal-film.ts'
import { crossFadeMs, flipDurationMs } from './stage-beats.ts'
import { canAnimate, StageTimeline } from './stage-timeline.ts'
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
      const isDealt = index > 0
      const reveal = { kind, turnMs: turnMs ?? 0, isDealt, rarity }
      const made =
        turnMs === null
          ? StageTimeline.play(shown, 'reveal', crossFadeFilm, crossFadeMs, onFail)
          : StageTimeline.play(
              shown,
              'reveal',
              // Only the first card comes out of the pack; to measure lays the whole page out.
              revealFilm(isDealt ? reveal : { ...reveal, origin: originOnStage(shown) }),
              revealLengthMs(reveal),
              onFail,
            )
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
      className="opening-scene result-scene"
      data-end={isEndOfBatch}
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

/** Share of the height that the closed pack's stage takes (opening-scene.css). */
const packShare = 0.88

/** The middle of that stage, where the pack gave up its card, seen from where the card lies now. */
function originOnStage(view: HTMLElement): string | undefined {
  const main = view.closest('.opening-main')?.getBoundingClientRect()
  const slot = view.querySelector('.stage-slot')?.getBoundingClientRect()
  if (!main || !slot || slot.height === 0) return undefined
  const x = main.left + main.width / 2 - (slot.left + slot.width / 2)
  const y = main.top + (main.height * packShare) / 2 - (slot.top + slot.height / 2)
  const height = Math.min(main.height * packShare - 16, (main.width - 16) * 1.2)
  return `translate(${x}px, ${y}px) scale(${height / slot.height})`
}
