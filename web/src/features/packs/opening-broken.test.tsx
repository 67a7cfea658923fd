// What breaks in an opening, or in the browser's animations, never keeps its results away.

import type { OpeningResult } from '@redpack/contract'
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { testBegin, testNow } from '../../../../tools/test-clock.ts'
import { losing, winning } from './opening-samples.fixture.ts'
import {
  button,
  card,
  frameMs,
  open,
  openToResults,
  pass,
  title,
} from './opening-scene.fixture.tsx'

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

describe('a dead animation', () => {
  afterEach(() => void Reflect.deleteProperty(Element.prototype, 'animate'))

  const broken = () => {
    throw new Error('broken')
  }
  const dying = (deed: string) => ({
    ...{ id: '', play() {}, pause() {}, cancel() {}, currentTime: 0 },
    [deed]: broken,
  })

  it.each([
    { what: 'a frame request', die: () => vi.stubGlobal('requestAnimationFrame', broken) },
    {
      what: 'a later frame request',
      die: () => {
        setTimeout(() => vi.stubGlobal('requestAnimationFrame', broken), 2100)
      },
    },
    { what: 'animate', die: () => Object.assign(Element.prototype, { animate: broken }) },
    ...['play', 'pause', 'cancel'].map((deed) => ({
      what: `${deed} of an animation`,
      die: () => Object.assign(Element.prototype, { animate: () => dying(deed) }),
    })),
    ...['createGain', 'resume'].map((deed) => ({
      what: `${deed} of the sound`,
      die: () => {
        const node = { connect: (next: unknown) => next, disconnect() {}, gain: {} }
        const audio = { createGain: () => node, async close() {}, currentTime: 0, [deed]: broken }
        // biome-ignore lint/complexity/useArrowFunction: it is called with `new`
        vi.stubGlobal('AudioContext', function () {
          return audio
        })
      },
    })),
    { what: 'a new AudioContext', die: () => vi.stubGlobal('AudioContext', broken) },
  ])('hides no result when $what throws', ({ die }) => {
    localStorage.setItem('redpack:opening-sound', 'on')
    vi.spyOn(console, 'warn').mockReturnValue()
    const failures = vi.spyOn(console, 'error').mockReturnValue()
    die()
    const { onClose } = open([winning({ name: 'Hoodie' }), losing(5), losing(7)])
    pass(2000)
    for (let frame = 0; frame < 6; frame += 1) pass(frameMs)
    expect(card()).not.toBeNull()
    expect(title()).toBe('Result 1 of 3')
    pass(1500)
    expect(document.querySelector('.card-front')?.textContent).toContain('Hoodie')
    for (const amount of [5, 7]) {
      fireEvent.click(button('Next Result'))
      pass(1500)
      expect(document.querySelector('.card-front')?.textContent).toContain(`+${amount} RedCoin`)
    }
    expect(screen.getByRole('region', { name: 'Your opening' })).toBeDefined()
    fireEvent.click(button('Close'))
    expect(onClose).toHaveBeenCalledExactlyOnceWith(3)
    cleanup()
    expect(failures).not.toHaveBeenCalled()
  })

  it.each([
    { what: 'the results come in time', go: () => pass(2000 - 6 * frameMs) },
    {
      what: 'Show Results leads to them at once',
      go: () => fireEvent.click(button('Show Results')),
    },
  ])('is said during the opening step, and $what', ({ go }) => {
    vi.spyOn(console, 'warn').mockReturnValue()
    Object.assign(Element.prototype, { animate: broken })
    open([losing(5), losing(7)])
    for (let frame = 0; frame < 6; frame += 1) pass(frameMs)
    expect(title()).toBe('Animation Error')
    go()
    expect(title()).toBe('Result 1 of 2')
    cleanup()
  })
})
