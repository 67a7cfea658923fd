// Where a message goes when its usual place is taken.

import { describe, expect, it, vi } from 'vitest'
import { freePlace, obstaclesOf } from './toaster.tsx'

const viewport = { width: 1280, height: 800 }
const usual = { left: 884, top: 640, width: 384, height: 148 }
const button = { left: 900, top: 720, width: 300, height: 48 }

function covers(place: { left: number; top: number }, box: typeof button): boolean {
  return (
    place.left < box.left + box.width &&
    box.left < place.left + usual.width &&
    place.top < box.top + box.height &&
    box.top < place.top + usual.height
  )
}

describe('the place of a message', () => {
  it('is the usual one while nothing is under it', () => {
    const far = { box: { left: 0, top: 0, width: 100, height: 40 }, weight: 50 }
    expect(freePlace(usual, viewport, [far])).toEqual({ left: 884, top: 640 })
  })

  it('leaves a button free, and goes no further than it must', () => {
    const place = freePlace(usual, viewport, [{ box: button, weight: 50 }])
    expect(covers(place, button)).toBe(false)
    expect(place.left).toBe(884)
    expect(place.top).toBeGreaterThan(540)
  })

  it('covers the lightest where nothing is free', () => {
    const half = { left: 0, width: 1280, height: 400 }
    const place = freePlace(usual, viewport, [
      { box: { ...half, top: 0 }, weight: 3 },
      { box: { ...half, top: 400 }, weight: 50 },
    ])
    expect(place.top + usual.height).toBeLessThan(400)
  })

  it('stays on a screen that is hardly larger than the message', () => {
    const small = { left: 12, top: 12, width: 296, height: 150 }
    const taken = { box: { left: 0, top: 0, width: 320, height: 200 }, weight: 10 }
    const place = freePlace(small, { width: 320, height: 568 }, [taken])
    expect(place.left).toBe(12)
    expect(place.top).toBeGreaterThan(200)
    expect(place.top + small.height).toBeLessThanOrEqual(568)
  })
})

describe('what a message leaves free', () => {
  it('is what can be pressed, and the heading of the page', () => {
    const own = document.createElement('ol')
    own.append(document.createElement('button'))
    const page = [document.createElement('h1'), document.createElement('button'), own]
    document.body.append(...page)
    const box = DOMRect.fromRect({ x: 0, y: 80, width: 200, height: 40 })
    vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(box)
    const weights = obstaclesOf(own).map(({ weight }) => weight)
    for (const element of page) element.remove()
    expect(weights).toEqual([50, 4])
  })
})
