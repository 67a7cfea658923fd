// The promise of the palette: whatever eight colours are chosen, everything on screen is legible.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contrast, distance, oklabOf, opaqueHex, withLightness } from './oklch.ts'
import { type Theme, themeDefault } from './theme.ts'
import {
  contrastGoals,
  deriveThemePalette,
  fillOf,
  legible,
  statusColors,
  type ThemePalette,
  themePresets,
} from './theme-palette.ts'

const hex = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`)

const grey = fc
  .integer({ min: 90, max: 165 })
  .map((value) => `#${value.toString(16).padStart(2, '0').repeat(3)}`)

function themeOf(color: fc.Arbitrary<string>): fc.Arbitrary<Theme> {
  const keys = Object.keys(themeDefault) as (keyof Theme)[]
  return fc
    .tuple(...keys.map(() => color))
    .map((colors) => Object.fromEntries(keys.map((key, index) => [key, colors[index]])) as Theme)
}

const anyTheme = fc.oneof(
  { weight: 4, arbitrary: themeOf(hex) },
  { weight: 1, arbitrary: hex.map((one) => mapTheme(() => one)) },
  { weight: 2, arbitrary: themeOf(grey) },
)

function mapTheme(color: () => string): Theme {
  return Object.fromEntries(Object.keys(themeDefault).map((key) => [key, color()])) as Theme
}

const textTokens = [
  'text',
  'muted',
  'primaryText',
  'secondaryText',
  'accentText',
  'danger',
  'success',
  'info',
  'warning',
  'idle',
] as const
const graphicTokens = [
  'primaryGraphic',
  'secondaryGraphic',
  'accentGraphic',
  'chartUp',
  'chartDown',
  'control',
  'ring',
] as const

function failures(palette: ThemePalette): string[] {
  const failed: string[] = []
  const demand = (name: string, one: string, other: string, ratio: number) => {
    const value = contrast(one, other)
    if (value < ratio) failed.push(`${name} ${one} on ${other}: ${value.toFixed(2)}`)
  }
  for (const surface of [palette.page, palette.card]) {
    for (const ground of [surface.surface, surface.raised]) {
      for (const token of textTokens) demand(token, surface[token], ground, 4.5)
      for (const token of graphicTokens) demand(token, surface[token], ground, 3)
    }
  }
  for (const fill of [palette.primary, palette.secondary, palette.accent, palette.danger]) {
    if (!fill) continue
    demand('label', fill.label, fill.fill, 4.5)
    demand('label while hovering', fill.label, fill.hover, 4.5)
  }
  return failed
}

describe('derivePalette', () => {
  it('makes every text 4.5:1 and every graphic 3:1 for any eight colours', () => {
    fc.assert(
      fc.property(anyTheme, fc.constantFrom('standard', 'more'), (theme, wanted) => {
        expect(failures(deriveThemePalette(theme, wanted))).toEqual([])
      }),
      { numRuns: 1_400 },
    )
  }, 120_000)

  it('corrects the presets where they need it and nowhere else', () => {
    for (const { theme } of themePresets) {
      const palette = deriveThemePalette(theme)
      expect(failures(palette)).toEqual([])
      expect(palette.page.surface).toBe(theme.backgroundPrimary)
      expect(palette.page.text).toBe(theme.textPrimary)
      expect(palette.primary.fill).toBe(theme.primaryColor)
      expect(palette.border).toBe(theme.borderColor)
    }
    const standard = deriveThemePalette(themeDefault)
    expect(standard.card.primaryText).toBe('#ff6b6b')
    expect(standard.card.muted).toBe('#a0a0a0')
    expect(standard.primary.label).toBe('#1a1a2e')
    expect(standard.card.control).not.toBe('#374151')
    expect(contrast(standard.card.control, standard.card.surface)).toBeLessThan(4)
  })

  it('asks more of readers who need more contrast', () => {
    const more = deriveThemePalette(themeDefault, 'more')
    for (const surface of [more.page, more.card]) {
      expect(contrast(surface.muted, surface.raised)).toBeGreaterThanOrEqual(
        contrastGoals.more.text,
      )
      expect(contrast(surface.control, surface.raised)).toBeGreaterThanOrEqual(
        contrastGoals.more.graphic,
      )
    }
  })

  it('never paints a second red beside a red primary colour', () => {
    expect(distance(statusColors.danger, themeDefault.primaryColor)).toBeLessThan(0.12)
    expect(deriveThemePalette(themeDefault).danger).toBeNull()
    const ocean = themePresets.find((preset) => preset.name === 'Ocean Blue')!.theme
    expect(deriveThemePalette(ocean).danger).toMatchObject({ fill: statusColors.danger })
  })

  it('keeps body text at 7:1 wherever black or white could', () => {
    fc.assert(
      fc.property(anyTheme, (theme) => {
        for (const surface of Object.values(deriveThemePalette(theme)).slice(0, 2)) {
          const { text, raised, surface: ground } = surface as ThemePalette['page']
          const best = Math.max(
            ...['#000000', '#ffffff'].map((pole) =>
              Math.min(contrast(pole, raised), contrast(pole, ground)),
            ),
          )
          const reached = Math.min(contrast(text, raised), contrast(text, ground))
          expect(reached).toBeGreaterThanOrEqual(Math.min(7, best))
        }
      }),
      { numRuns: 300 },
    )
  }, 30_000)
})

describe('legible', () => {
  it('leaves a legible colour alone and moves another no further than it must', () => {
    expect(legible('#ffffff', ['#000000'], 4.5)).toBe('#ffffff')
    const moved = legible('#374151', ['#16213e'], 3)
    expect(contrast(moved, '#16213e')).toBeGreaterThanOrEqual(3)
    expect(contrast(withLightness(moved, oklabOf(moved).l - 0.02), '#16213e')).toBeLessThan(3)
  })

  it('goes the shorter way', () => {
    expect(oklabOf(legible('#909090', ['#808080'], 3)).l).toBeGreaterThan(oklabOf('#909090').l)
    expect(oklabOf(legible('#9a9a9a', ['#f0f0f0'], 4.5)).l).toBeLessThan(oklabOf('#9a9a9a').l)
  })
})

describe('free colours', () => {
  it('labels any fill legibly', () => {
    fc.assert(
      fc.property(hex, anyTheme, (color, theme) => {
        const { fill, hover, label } = fillOf(color, theme)
        expect(contrast(label, fill)).toBeGreaterThanOrEqual(4.5)
        expect(contrast(label, hover)).toBeGreaterThanOrEqual(4.5)
      }),
      { numRuns: 500 },
    )
  }, 30_000)

  it('reads short hex and drops transparency', () => {
    expect(opaqueHex('#F0a')).toBe('#ff00aa')
    expect(opaqueHex('#11223344')).toBe('#112233')
  })
})
