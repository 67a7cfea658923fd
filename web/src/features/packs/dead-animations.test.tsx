// Results show also where the browser's frames and animations fail.

import type { OpeningResult } from '@redpack/contract'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { OpeningModal } from './opening-modal.tsx'
import { losing, winning } from './opening-samples.ts'

const pack = {
  ...{ name: 'Crown Pack', icon: 'crown', color: '#f59e0b' },
  ...{ imageUrl: '/art/pack-crown.svg', imageData: null, imageType: null },
}
const frameMs = 20
const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms))
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

function open(results: readonly OpeningResult[]) {
  const onClose = vi.fn()
  render(
    <OpeningModal
      opening={{ key: 'key', pack, results, firstUnseen: 0 }}
      from={null}
      returnTo={() => null}
      onSeen={() => undefined}
      onClose={onClose}
    />,
  )
  return onClose
}

afterEach(() => void Reflect.deleteProperty(Element.prototype, 'animate'))

describe('a dead animation', () => {
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
  ])('hides no result when $what throws', ({ die }) => {
    vi.spyOn(console, 'warn').mockReturnValue()
    const failures = vi.spyOn(console, 'error').mockReturnValue()
    vi.useFakeTimers()
    die()
    const onClose = open([winning({ name: 'Hoodie' }), losing(5), losing(7)])
    pass(2000)
    for (let frame = 0; frame < 6; frame += 1) pass(frameMs)
    expect(screen.queryByRole('heading', { level: 3 })).not.toBeNull()
    expect(screen.getByText('Result 1 of 3')).toBeDefined()
    pass(1500)
    expect(document.querySelector('.card-front')?.textContent).toContain('Hoodie')
    for (const amount of [5, 7]) {
      press('Next Result')
      pass(1500)
      expect(document.querySelector('.card-front')?.textContent).toContain(`+${amount} RedCoin`)
    }
    expect(screen.getByRole('region', { name: 'Your opening' })).toBeDefined()
    press('Close')
    expect(onClose).toHaveBeenCalledExactlyOnceWith(3)
    cleanup()
    expect(failures).not.toHaveBeenCalled()
  })
  it.each([
    { what: 'the results come in time', go: () => pass(2000 - 6 * frameMs) },
    { what: 'Show Results leads to them at once', go: () => press('Show Results') },
  ])('is said during the opening step, and $what', ({ go }) => {
    vi.spyOn(console, 'warn').mockReturnValue()
    vi.useFakeTimers()
    Object.assign(Element.prototype, { animate: broken })
    open([losing(5), losing(7)])
    for (let frame = 0; frame < 6; frame += 1) pass(frameMs)
    expect(screen.getByText('Animation Error')).toBeDefined()
    go()
    expect(screen.getByText('Result 1 of 2')).toBeDefined()
    cleanup()
  })
})
