// Where the opening modal stands: opening → results | animation error | no results → closed.

export type OpeningStep = 'opening' | 'results' | 'animation-error' | 'no-results' | 'closed'

export interface OpeningState {
  readonly step: OpeningStep
  /** Results in this opening; they themselves stay outside, where no animation can lose them. */
  readonly count: number
  /** Zero-based position of the result on screen. */
  readonly index: number
  /** How many results have been on screen so far. */
  readonly seen: number
  /** True once an animation has failed: the remaining results are shown without any. */
  readonly isStill: boolean
}

export type OpeningEvent = 'opened' | 'failed' | 'show-results' | 'next' | 'close'

/**
 * The state in which the modal appears. A fresh opening starts with the opening step; one that was
 * interrupted (`firstUnseen` above 0) continues with the first result nobody has seen.
 */
export function startOpening(count: number, firstUnseen = 0): OpeningState {
  const state = { step: 'opening', count, index: 0, seen: 0, isStill: false } as const
  return firstUnseen > 0 && firstUnseen < count ? showResult(state, firstUnseen) : state
}

/** True on the last result, where the button reads 'Close'. */
export function isLastResult(state: OpeningState): boolean {
  return state.index >= state.count - 1
}

/** The next state. An event that means nothing in the present step changes nothing. */
export function openingReducer(state: OpeningState, event: OpeningEvent): OpeningState {
  if (event === 'close') return { ...state, step: 'closed' }
  switch (state.step) {
    case 'opening':
      if (event === 'opened') return showResult(state, state.index)
      return event === 'failed' ? { ...state, step: 'animation-error' } : state
    case 'animation-error':
      return event === 'show-results' ? showResult({ ...state, isStill: true }, state.index) : state
    case 'results':
      if (event === 'failed') return { ...state, step: 'animation-error' }
      if (event !== 'next') return state
      return isLastResult(state) ? { ...state, step: 'closed' } : showResult(state, state.index + 1)
    default:
      return state
  }
}

function showResult(state: OpeningState, index: number): OpeningState {
  if (state.count === 0) return { ...state, step: 'no-results' }
  return { ...state, step: 'results', index, seen: Math.max(state.seen, index + 1) }
}
