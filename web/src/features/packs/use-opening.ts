// Runs an opening: the two seconds of the opening step, the steps through the results, the end.

import type { OpeningResult } from '@redpack/contract'
import { useCallback, useEffect, useEffectEvent, useReducer, useRef, useState } from 'react'
import type { OpeningEffects } from './opening-effects.ts'
import { type OpeningState, openingReducer, startOpening } from './opening-reducer.ts'
import { type Chances, outcomeKind, rarityOf } from './rarity.ts'
import { openingStepMs, stageBeats } from './stage-timeline.ts'

export interface OpeningRun {
  readonly results: readonly OpeningResult[]
  /** Position of the first result to show; above 0 the opening step is left out. */
  readonly firstUnseen: number
  readonly chances: Chances
  readonly effects: OpeningEffects
  /** Called with the number of results that have been on screen, whenever it grows. */
  readonly onSeen: (seen: number) => void
  /** Called once, with the same number, when the opening is over. */
  readonly onClose: (seen: number) => void
}

export interface OpeningControls {
  readonly state: OpeningState
  /** True once the player has torn the pack. */
  readonly isTorn: boolean
  /** Goes on from the tear at once; when the pack is torn already, to the first result. */
  readonly tear: () => void
  /** Shows the next result; after the last one the opening is over. */
  readonly next: () => void
  readonly close: () => void
  /** Leaves the animation error for the results. */
  readonly showResults: () => void
  /** Reports that a picture could not be drawn. */
  readonly fail: () => void
}

export function useOpening(run: OpeningRun): OpeningControls {
  const [state, dispatch] = useReducer(openingReducer, run, ({ results, firstUnseen }) =>
    startOpening(results.length, firstUnseen),
  )
  const { isTorn, tear } = useOpeningStep(state, run, dispatch)
  useReports(state, run)
  return {
    state,
    isTorn,
    tear,
    next: useCallback(() => dispatch('next'), []),
    close: useCallback(() => dispatch('close'), []),
    showResults: useCallback(() => dispatch('show-results'), []),
    fail: useCallback(() => dispatch('failed'), []),
  }
}

/** The two seconds run on a timer of their own: a dead animation delays nothing. */
function useOpeningStep(
  { step }: OpeningState,
  run: OpeningRun,
  dispatch: (event: 'opened' | 'failed' | 'show-results') => void,
) {
  const [fromMs, setFromMs] = useState(0)
  const startedAt = useRef(0)
  const begin = useEffectEvent(() => {
    startedAt.current = performance.now() - fromMs
    if (fromMs < openingStepMs) run.effects.playOpening(fromMs)
  })
  const reveal = useEffectEvent(() => {
    try {
      const [first] = run.results
      if (first) run.effects.playReveal(outcomeKind(first), rarityOf(first, run.chances))
      dispatch('opened')
    } catch {
      dispatch('failed')
    }
  })
  useEffect(() => {
    if (step === 'animation-error') {
      // A dead animation delays nothing either; a transition that failed waits for the player.
      const leftMs = startedAt.current + openingStepMs - performance.now()
      if (leftMs <= 0) return
      const timer = setTimeout(() => dispatch('show-results'), leftMs)
      return () => clearTimeout(timer)
    }
    if (step !== 'opening') return
    const timer = setTimeout(reveal, openingStepMs - fromMs)
    begin()
    return () => clearTimeout(timer)
  }, [step, fromMs, dispatch])
  const tear = useCallback(() => {
    const isWhole = performance.now() - startedAt.current < stageBeats.tear
    setFromMs(isWhole ? stageBeats.tear : openingStepMs)
  }, [])
  return { isTorn: fromMs > 0, tear }
}

/** Tells the outside how far the opening has come. */
function useReports(state: OpeningState, run: OpeningRun): void {
  const { step, index, seen } = state
  const greet = useEffectEvent((position: number) => {
    const result = run.results[position]
    if (result) run.effects.playReveal(outcomeKind(result), rarityOf(result, run.chances))
  })
  const report = useEffectEvent(run.onSeen)
  const finish = useEffectEvent(run.onClose)

  // The first card is greeted by the transition itself.
  useEffect(() => {
    if (index > 0) greet(index)
  }, [index])
  useEffect(() => {
    if (seen > 0) report(seen)
  }, [seen])
  useEffect(() => {
    if (step === 'closed') finish(seen)
  }, [step, seen])
}
