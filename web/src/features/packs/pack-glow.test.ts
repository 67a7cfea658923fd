import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rootFrequency } from './opening-effects.ts'
import { packHex, packHue } from './opening-modal.tsx'

describe('packHex', () => {
  it('draws the theme names, short hex, and anything unknown', () => {
    expect(packHex('twitch-purple')).toBe('#9146ff')
    expect(packHex('gaming-orange')).toBe('#ff6b35')
    expect(packHex('electric-blue')).toBe('#0080ff')
    expect(packHex('#0AF')).toBe('#00aaff')
    expect(packHex('#12AB34')).toBe('#12ab34')
    expect(packHex('url(x)')).toBe('#8b5cf6')
  })
})

describe('packHue', () => {
  it('is the hue of the colour wheel', () => {
    expect(['#ff0000', '#00ff00', '#0000ff', '#ff00ff', '#808080'].map(packHue)).toEqual([
      0, 120, 240, 300, 0,
    ])
  })
})

describe('the sound of a pack', () => {
  it('stays within one octave for every hue', () => {
    void fc.assert(
      fc.property(fc.integer({ min: -720, max: 720 }), (hue) => {
        expect(rootFrequency(hue)).toBeGreaterThanOrEqual(174.6)
        expect(rootFrequency(hue)).toBeLessThan(174.6 * 2)
      }),
    )
  })
})
