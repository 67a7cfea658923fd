// The results step: one card, what it says, and on the last one of a batch the whole opening.

import type { OpeningResult } from '@redpack/contract'
import { useLayoutEffect, useRef } from 'react'
import { OpeningSummary } from './opening-summary.tsx'
import { outcomeKind } from './outcome.ts'
import { type PrizePictures, pictureKey } from './prize-pictures.ts'
import { ResultCard } from './result-card.tsx'
import { ResultDetails } from './result-details.tsx'
import { crossFadeFilm, revealFilm, revealFilmMs } from './reveal-film.ts'
import { crossFadeMs, flipDurationMs } from './stage-beats.ts'
import { StageTimeline } from './stage-timeline.ts'

/** `full` turns cards, `reduced` cross-fades them, `none` shows them at once. */
export type Motion = 'full' | 'reduced' | 'none'

interface ResultViewProps {
  readonly packName: string
  readonly results: readonly OpeningResult[]
  readonly index: number
  readonly pictures: PrizePictures
  readonly motion: Motion
}

/** Give it the index as key: every card is a new one. */
export function ResultView({ packName, results, index, pictures, motion }: ResultViewProps) {
  const view = useRef<HTMLDivElement>(null)
  const result = results[index]
  const kind = result ? outcomeKind(result) : null
  const turnMs = kind && motion === 'full' ? flipDurationMs(index, kind !== 'redcoin') : null

  useLayoutEffect(() => {
    if (!view.current || !kind || motion === 'none') return
    const film =
      turnMs === null
        ? StageTimeline.play(view.current, 'reveal', crossFadeFilm, crossFadeMs)
        : StageTimeline.play(
            view.current,
            'reveal',
            revealFilm({ kind, turnMs, isDealt: index > 0 }),
            revealFilmMs,
          )
    return () => film.cancel()
  }, [kind, motion, turnMs, index])

  if (!result) throw new Error(`Result ${index + 1} is missing`)
  const key = result.prize ? pictureKey(result.prize) : null
  const isEndOfBatch = results.length > 1 && index === results.length - 1
  return (
    <div ref={view} className="opening-scene">
      <ResultCard
        result={result}
        picture={key === null ? undefined : pictures.get(key)}
        turnMs={turnMs}
      />
      <div className="opening-details" data-part="details">
        <ResultDetails result={result} />
        {isEndOfBatch && (
          <OpeningSummary
            title="Your opening"
            packName={packName}
            results={results}
            seen={results.length}
          />
        )}
      </div>
    </div>
  )
}
