// What breaks in an opening never keeps its results away.

import type { OpeningResult } from '@redpack/contract'
import { fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { testBegin, testNow } from '../../../../tools/test-clock.ts'
import { losing, winning } from './opening-samples.ts'
import { button, openToResults, pass, title } from './opening-scene.fixture.tsx'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  pass(6000)
})

describe('a failing transition', () => {
  /** Breaks at the moment the results are about to show, and only then. */
  function breaksOnce(result: OpeningResult): OpeningResult {
    let isBroken = true
    return Object.defineProperty({ ...result }, 'won', {
      get: () => {
        if (!isBroken || testNow() < testBegin.getTime() + 2000) return result.won
        isBroken = false
        throw new Error('broken picture')
      },
    })
  }

  it('shows the animation error, from which the results can be reached', () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    vi.spyOn(console, 'error').mockImplementation(() => {})
    openToResults([breaksOnce(winning({ name: 'Hoodie' })), losing()])
    expect(title()).toBe('Animation Error')
    expect(
      screen.getByText(
        'Pack opening animation encountered an error. Your results are still available.',
      ),
    ).toBeDefined()
    fireEvent.click(button('Show Results'))
    expect(title()).toBe('Result 1 of 2')
    expect(screen.getByText('Hoodie')).toBeDefined()
  })
})
