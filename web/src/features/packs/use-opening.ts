// Runs an opening: the two seconds of the opening step, the steps through the results, the end.

import type { OpeningResult } from '@redpack/contract'
import { useCallback, useEffect, useEffectEvent, useReducer } from 'react'
import type { OpeningEffects } from './opening-effects.ts'
import { type OpeningState, openingReducer, startOpening } from './opening-reducer.ts'
import { outcomeKind } from './outcome.ts'
import { openingStepMs } from './stage-beats.ts'

export interface OpeningRun {
  readonly results: readonly OpeningResult[]
  /** Position of the first result to show; above 0 the opening step is left out. */
  readonly firstUnseen: number
  readonly effects: OpeningEffects
  /** Called with the number of results that have been on screen, whenever it grows. */
  readonly onSeen: (seen: number) => void
  /** Called once, with the same number, when the opening is over. */
  readonly onClose: (seen: number) => void
}

export interface OpeningControls {
  readonly state: OpeningState
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
  useOpeningStep(state, run, dispatch)
  useReports(state, run)
  return {
    state,
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
  dispatch: (event: 'opened' | 'failed') => void,
): void {
  const begin = useEffectEvent(() => {
    run.effects.playOpening()
  })
  const reveal = useEffectEvent(() => {
    try {
      const [first] = run.results
      if (first) run.effects.playReveal(outcomeKind(first))
      dispatch('opened')
    } catch {
      dispatch('failed')
    }
  })
  useEffect(() => {
    if (step !== 'opening') return
    const timer = setTimeout(reveal, openingStepMs)
    begin()
    return () => clearTimeout(timer)
  }, [step])
}

/** Tells the outside how far the opening has come. */
function useReports(state: OpeningState, run: OpeningRun): void {
  const { step, index, seen } = state
  const greet = useEffectEvent((position: number) => {
    const result = run.results[position]
    if (result) run.effects.playReveal(outcomeKind(result))
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
