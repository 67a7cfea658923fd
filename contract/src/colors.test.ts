// The colours of the specification's section 7, written out, so that none changes unseen.

import { expect, it } from 'vitest'
import { colorNames, packThemes } from './colors.ts'
import { themePresets } from './theme-palette.ts'

const names = `electric-blue #0080FF, purple #A855F7, red #EF4444, green #22C55E, blue #3B82F6,
  yellow #EAB308, orange #F97316, pink #EC4899, indigo #6366F1, cyan #06B6D4, teal #14B8A6,
  lime #84CC16, amber #F59E0B, rose #F43F5E, violet #8B5CF6, fuchsia #D946EF, sky #0EA5E9,
  emerald #10B981, stone #78716C, neutral #737373, zinc #71717A, gray #6B7280, slate #64748B`

it('the 23 names and the two themes have the colours of the specification', () => {
  const pairs = names.split(/,\s+/).map((pair) => pair.split(' '))
  expect(pairs).toHaveLength(23)
  expect(colorNames).toEqual(Object.fromEntries(pairs))
  expect(packThemes).toEqual({ 'twitch-purple': '#9146FF', 'gaming-orange': '#FF6B35' })
})

const parts = [
  ...(['primaryColor', 'secondaryColor', 'accentColor', 'backgroundPrimary'] as const),
  ...(['backgroundSecondary', 'textPrimary', 'textSecondary', 'borderColor'] as const),
]

it.each([
  ['Default', '#ff6b6b #4ecdc4 #ffd93d #1a1a2e #16213e #ffffff #a0a0a0 #374151'],
  ['Gaming Purple', '#8b5cf6 #ec4899 #f59e0b #0f0a1f #1c1433 #ffffff #b8a9d9 #3b2a63'],
  ['Neon Glow', '#39ff14 #00e5ff #ff2bd6 #0a0a0f #14141f #ffffff #a0a0b8 #2a2a40'],
  ['Ocean Blue', '#0ea5e9 #06b6d4 #f59e0b #0b1b2b #12293f #ffffff #9fb8cc #1f3e5a'],
])('the preset %s has the colours of the specification', (preset, colors) => {
  const theme = themePresets.find(({ name }) => name === preset)?.theme
  expect(parts.map((part) => theme?.[part]).join(' ')).toBe(colors)
})
