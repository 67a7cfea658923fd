import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  isLastResult,
  type OpeningEvent,
  type OpeningState,
  openingReducer,
  startOpening,
} from './opening-reducer.ts'

function after(count: number, ...events: OpeningEvent[]): OpeningState {
  return events.reduce(openingReducer, startOpening(count))
}

describe('openingReducer', () => {
  it('starts with the opening step and shows the first result when it is over', () => {
    expect(startOpening(3).step).toBe('opening')
    expect(after(3, 'opened')).toMatchObject({ step: 'results', index: 0, seen: 1 })
  })

  it('steps through the results by index and closes after the last one', () => {
    expect(after(3, 'opened', 'next').index).toBe(1)
    const last = after(3, 'opened', 'next', 'next')
    expect(last).toMatchObject({ step: 'results', index: 2 })
    expect(isLastResult(last)).toBe(true)
    expect(after(3, 'opened', 'next', 'next', 'next').step).toBe('closed')
  })

  it('goes to the animation error when the transition fails, and from there to the results', () => {
    expect(after(2, 'failed').step).toBe('animation-error')
    expect(after(2, 'failed', 'show-results')).toMatchObject({
      step: 'results',
      index: 0,
      isStill: true,
    })
    expect(after(0, 'failed', 'show-results').step).toBe('no-results')
  })

  it('keeps its place when a later result fails to animate', () => {
    const state = after(5, 'opened', 'next', 'next', 'failed', 'show-results')
    expect(state).toMatchObject({ step: 'results', index: 2, isStill: true })
  })

  it('closes at once from every step', () => {
    for (const events of [[], ['opened'], ['failed'], ['opened', 'next']] as OpeningEvent[][]) {
      expect(after(4, ...events, 'close').step).toBe('closed')
    }
  })

  it('does not count results as seen that were never on screen', () => {
    expect(after(10, 'close').seen).toBe(0)
    expect(after(10, 'opened', 'next', 'next', 'close').seen).toBe(3)
  })

  it('continues an interrupted opening with the first unseen result', () => {
    expect(startOpening(10, 4)).toMatchObject({ step: 'results', index: 4, seen: 5 })
    expect(startOpening(10, 0).step).toBe('opening')
    expect(startOpening(10, 10).step).toBe('opening')
  })

  it('never leaves the list and never forgets what was seen, whatever happens', () => {
    const event = fc.constantFrom<OpeningEvent>('opened', 'failed', 'show-results', 'next', 'close')
    void fc.assert(
      fc.property(fc.nat(50), fc.array(event, { maxLength: 80 }), (count, events) => {
        let state = startOpening(count)
        for (const each of events) {
          const next = openingReducer(state, each)
          expect(next.seen).toBeGreaterThanOrEqual(state.seen)
          expect(next.seen).toBeLessThanOrEqual(count)
          expect(next.index).toBeLessThan(Math.max(1, count))
          if (state.step === 'closed') expect(next).toEqual(state)
          state = next
        }
      }),
    )
  })
})
