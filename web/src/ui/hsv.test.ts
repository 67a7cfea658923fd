// Colours there and back between hex and what the picker moves through.

import { describe, expect, it } from 'vitest'
import { hexOf, hsvOf } from './hsv.ts'

describe('a colour', () => {
  it.each([
    ['#000000', { hue: 0, saturation: 0, brightness: 0 }],
    ['#FFFFFF', { hue: 0, saturation: 0, brightness: 100 }],
    ['#FF0000', { hue: 0, saturation: 100, brightness: 100 }],
    ['#00FF00', { hue: 120, saturation: 100, brightness: 100 }],
    ['#0000FF', { hue: 240, saturation: 100, brightness: 100 }],
    ['#FF00FF', { hue: 300, saturation: 100, brightness: 100 }],
  ])('%s goes there and back', (hex, hsv) => {
    expect(hsvOf(hex)).toEqual(hsv)
    expect(hexOf(hsv)).toBe(hex)
  })

  it('may have 3, 6 or 8 digits, and nothing else', () => {
    expect(hsvOf('#0f0')).toEqual(hsvOf('#00ff00'))
    expect(hsvOf('#00ff0080')).toEqual(hsvOf('#00ff00'))
    for (const text of ['teal', '#00ff0', '', '00ff00']) expect(hsvOf(text)).toBeUndefined()
  })
})
