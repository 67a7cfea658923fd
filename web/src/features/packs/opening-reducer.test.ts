// Whatever happens in an opening, its results stay in reach.

import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { type OpeningEvent, openingReducer, startOpening } from './opening-reducer.ts'

it('an opening keeps its place when a later result fails to animate', () => {
  const events: OpeningEvent[] = ['opened', 'next', 'next', 'failed', 'show-results']
  const state = events.reduce(openingReducer, startOpening(5))
  expect(state).toMatchObject({ step: 'results', index: 2, isStill: true })
})

it('an opening never leaves its list and never forgets what was seen, whatever happens', () => {
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
