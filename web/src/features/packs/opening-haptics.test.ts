import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { canVibrate, createOpeningHaptics, openingPattern } from './opening-effects.ts'
import { shakeStrikesMs, stageBeats } from './stage-timeline.ts'

const android = 'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/142 Mobile'
const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 20_0 like Mac OS X) AppleWebKit/605'

const vibrate = vi.fn(() => true)

beforeEach(() => {
  vibrate.mockClear()
  Object.defineProperty(navigator, 'vibrate', { value: vibrate, configurable: true })
})

afterEach(() => {
  Reflect.deleteProperty(navigator, 'vibrate')
})

describe('the vibrations of an opening', () => {
  it('are left to Android', () => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(iphone)
    expect(canVibrate()).toBe(false)
    expect(createOpeningHaptics()).toBeNull()
  })

  it('strike with the three shakes and the tear', () => {
    const strikes: [from: number, length: number][] = []
    let now = 0
    openingPattern().forEach((length, index) => {
      if (index % 2 === 0 && length > 0) strikes.push([now, length])
      now += length
    })
    expect(strikes).toEqual([...shakeStrikesMs.map((ms) => [ms, 10]), [stageBeats.tear, 18]])
  })

  it('tell prizes from RedCoin, and stop when asked', () => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(android)
    const haptics = createOpeningHaptics()
    haptics?.playReveal('redcoin')
    haptics?.playReveal('prize')
    haptics?.stop()
    expect(vibrate.mock.calls).toEqual([[[20]], [[40, 60, 40]], [0]])
  })
})
