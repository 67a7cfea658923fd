// The opening dialog as tests open it: on fake timers, past its first step, with its controls.

import type { OpeningResult } from '@redpack/contract'
import { act, render, screen } from '@testing-library/react'
import { expect, vi } from 'vitest'
import { LiveRegion } from '../../ui/feedback/live-region.tsx'
import { OpeningModal } from './opening-modal.tsx'

export const pack = {
  name: 'Crown Pack',
  icon: 'crown',
  color: '#f59e0b',
  imageUrl: '/art/pack-crown.svg',
  imageData: null,
  imageType: null,
}

export function open(results: readonly OpeningResult[], firstUnseen = 0) {
  const onSeen = vi.fn()
  const onClose = vi.fn()
  const opening = { key: 'key', pack, results, firstUnseen }
  render(
    <>
      <LiveRegion />
      <OpeningModal
        opening={opening}
        from={null}
        returnTo={() => null}
        onSeen={onSeen}
        onClose={onClose}
      />
    </>,
  )
  return { onSeen, onClose }
}

/** The stage is drawn one frame after the dialog, and buttons one after the first card. */
export const frameMs = 20

export function pass(ms: number): void {
  act(() => {
    vi.advanceTimersByTime(ms)
  })
}

/** Opens and waits until the first result is on screen. */
export function openToResults(results: readonly OpeningResult[]) {
  const spies = open(results)
  pass(2000)
  pass(frameMs)
  return spies
}

export const button = (name: string) => screen.getByRole('button', { name })
/** The heading of a card that is to be seen. */
export const card = () => screen.queryByRole('heading', { level: 3 })
export const title = () => screen.getByRole('heading', { level: 2 }).textContent

/** The only card is to be seen, and its heading follows a frame later. */
export function expectFirstCard(): void {
  expect(card()).not.toBeNull()
  pass(frameMs)
  expect(title()).toBe('Result 1 of 1')
}
