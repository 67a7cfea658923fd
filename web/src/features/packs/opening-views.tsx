// What moves in an opening: the pack, and one card at a time.

import type { OpeningResult } from '@redpack/contract'
import { AnimationBoundary } from './animation-boundary.tsx'
import { OpeningStep } from './opening-step.tsx'
import type { PackLook } from './pack-face.tsx'
import type { PrizePictures } from './prize-pictures.ts'
import type { Chances } from './rarity.ts'
import { ResultView } from './result-view.tsx'
import type { OpeningControls } from './use-opening.ts'
import { usePaintedFrames } from './use-painted.ts'

interface OpeningViewsProps {
  readonly pack: PackLook
  readonly results: readonly OpeningResult[]
  readonly isProven: boolean
  readonly chances: Chances
  readonly pictures: PrizePictures
  /** Where the pack's picture was on the page when it was opened. */
  readonly from: DOMRect | null
  readonly isReduced: boolean
  readonly run: OpeningControls
}

/**
 * The pack and the cards. What is heavy to draw gets frames of its own: the heading, the pack, and
 * out of sight the first card, so that its own moment only has to show it.
 */
export function OpeningViews(props: OpeningViewsProps) {
  const { pack, results, isProven, chances, pictures, from, isReduced, run } = props
  const { step, index, isStill } = run.state
  const frames = usePaintedFrames(2)
  const isOpening = step === 'opening' && frames > 0
  const isWaiting = isOpening && frames > 1 && results.length > 0
  const isShown = step === 'results' && frames > 0
  return (
    <div className="opening-views">
      {isOpening && (
        <AnimationBoundary onFail={run.fail}>
          <OpeningStep
            pack={pack}
            results={results}
            chances={chances}
            from={from}
            isStill={isReduced}
            isTorn={run.isTorn}
            onTear={run.tear}
            onFail={run.fail}
          />
        </AnimationBoundary>
      )}
      {(isWaiting || isShown) && (
        <AnimationBoundary key={index} onFail={run.fail}>
          <ResultView
            packName={pack.name}
            results={results}
            isProven={isProven}
            index={index}
            chances={chances}
            pictures={pictures}
            motion={isStill ? 'none' : isReduced ? 'reduced' : 'full'}
            isWaiting={isWaiting}
            onFail={run.fail}
          />
        </AnimationBoundary>
      )}
    </div>
  )
}
