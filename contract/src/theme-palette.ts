// Derives every colour of the interface from the eight colours of a theme, so that all are legible.

import { contrast, distance, mix, oklabOf, opaqueHex, withLightness } from './oklch.ts'
import { type Theme, themeDefault } from './theme.ts'

/** Contrast wanted: `more` is for readers whose system asks for more. */
export type ContrastNeed = 'standard' | 'more'

/**
 * Ratios to reach. Body text aims higher where the surface allows it (WCAG 2.2, 1.4.3, 1.4.6,
 * 1.4.11).
 */
export const contrastGoals = {
  standard: { body: 7, text: 4.5, graphic: 3 },
  more: { body: 10, text: 7, graphic: 4.5 },
} as const

/** Colours with a fixed meaning: themes change only their lightness, where a surface needs it. */
export const statusColors = {
  danger: '#ef4444',
  success: '#22c55e',
  info: '#3b82f6',
  warning: '#eab308',
  idle: '#9ca3af',
} as const

/** For charts, so that up does not look like a button, nor down like an error. */
const chartColors = { up: '#38bdf8', down: '#c084fc' } as const

/** Colours that are legible on one surface and on its raised step. */
export type SurfacePalette = ReturnType<typeof surfacePalette>

export type ThemePalette = ReturnType<typeof deriveThemePalette>

const black = '#000000'
const white = '#ffffff'
const dangerDistanceMin = 0.12

function poleOf(surface: string): string {
  return contrast(surface, white) >= contrast(surface, black) ? white : black
}

function raisedStep(surface: string): string {
  const pole = poleOf(surface)
  const towards = mix(surface, pole, 0.05)
  if (contrast(towards, pole) >= 7) return towards
  return mix(surface, pole === white ? black : white, 0.08)
}

function worstContrast(color: string, grounds: readonly string[]): number {
  return Math.min(...grounds.map((ground) => contrast(color, ground)))
}

/**
 * The colour of the same hue and nearest lightness that reaches the ratio on all grounds. If none
 * does, black or white, whichever is more legible.
 */
export function legible(color: string, grounds: readonly string[], ratio: number): string {
  if (worstContrast(color, grounds) >= ratio) return color
  const start = oklabOf(color).l
  const found = [0, 1]
    .map((end) => nearestPassing(color, start, end, grounds, ratio))
    .filter((candidate) => candidate !== undefined)
    .sort((one, other) => Math.abs(oklabOf(one).l - start) - Math.abs(oklabOf(other).l - start))
  if (found[0] !== undefined) return found[0]
  return worstContrast(white, grounds) >= worstContrast(black, grounds) ? white : black
}

/** Bisection: at `start` the colour fails, at `end` (black or white) it may pass. */
function nearestPassing(
  color: string,
  start: number,
  end: number,
  grounds: readonly string[],
  ratio: number,
): string | undefined {
  let passing = withLightness(color, end)
  if (worstContrast(passing, grounds) < ratio) return undefined
  let failingL = start
  let passingL = end
  for (let step = 0; step < 12; step += 1) {
    const l = (failingL + passingL) / 2
    const candidate = withLightness(color, l)
    if (worstContrast(candidate, grounds) >= ratio) {
      passing = candidate
      passingL = l
    } else {
      failingL = l
    }
  }
  return passing
}

function surfacePalette(theme: Theme, surface: string, need: ContrastNeed) {
  const raised = raisedStep(surface)
  const grounds = [surface, raised]
  const goals = contrastGoals[need]
  const text = (color: string) => legible(color, grounds, goals.text)
  const graphic = (color: string) => legible(color, grounds, goals.graphic)
  return {
    surface,
    raised,
    text: legible(theme.textPrimary, grounds, goals.body),
    muted: text(theme.textSecondary),
    /** Brand colours as text, 4.5:1. */
    primaryText: text(theme.primaryColor),
    secondaryText: text(theme.secondaryColor),
    accentText: text(theme.accentColor),
    /** Colours as strokes and bars, 3:1. */
    primaryGraphic: graphic(theme.primaryColor),
    secondaryGraphic: graphic(theme.secondaryColor),
    accentGraphic: graphic(theme.accentColor),
    chartUp: graphic(chartColors.up),
    chartDown: graphic(chartColors.down),
    /** Edges of inputs and switches, 3:1. */
    control: graphic(theme.borderColor),
    ring: graphic(theme.accentColor),
    danger: text(statusColors.danger),
    success: text(statusColors.success),
    info: text(statusColors.info),
    warning: text(statusColors.warning),
    idle: text(statusColors.idle),
  }
}

/**
 * A fill, its colour under the pointer, and a label legible on both: the theme's own text or page
 * colour if legible, otherwise black or white. One of those has at least 4.58:1 on any colour.
 * Hovering moves the fill away from the label.
 */
export function fillOf(color: string, theme: Theme, need: ContrastNeed = 'standard') {
  const fill = opaqueHex(color)
  const ratio = contrastGoals[need].text
  const own = [theme.textPrimary, theme.backgroundPrimary].map(opaqueHex)
  const label = own.find((choice) => contrast(choice, fill) >= ratio) ?? poleOf(fill)
  const away = oklabOf(label).l > oklabOf(fill).l ? black : white
  return { fill, hover: mix(fill, away, 0.14), label }
}

/**
 * Derives the palette. For any eight colours every text has at least 4.5:1 and every graphic 3:1 on
 * its surface and the raised step; with `more`, 7 and 4.5 as far as the surface allows.
 */
export function deriveThemePalette(theme: Theme, need: ContrastNeed = 'standard') {
  const opaque = Object.fromEntries(
    Object.entries(theme).map(([key, color]) => [key, opaqueHex(color)]),
  ) as Theme
  const isNearPrimary = distance(statusColors.danger, opaque.primaryColor) < dangerDistanceMin
  return {
    page: surfacePalette(opaque, opaque.backgroundPrimary, need),
    card: surfacePalette(opaque, opaque.backgroundSecondary, need),
    primary: fillOf(opaque.primaryColor, opaque, need),
    secondary: fillOf(opaque.secondaryColor, opaque, need),
    accent: fillOf(opaque.accentColor, opaque, need),
    /** Null if it would look like the primary colour: destructive buttons then get an outline. */
    danger: isNearPrimary ? null : fillOf(statusColors.danger, opaque, need),
    /** Decorative lines, as chosen. */
    border: opaque.borderColor,
    isDark: poleOf(opaque.backgroundPrimary) === white,
  }
}

/** The four themes offered, each with its name and eight colours. */
export const themePresets: readonly { readonly name: string; readonly theme: Theme }[] = [
  { name: 'Default', theme: themeDefault },
  {
    name: 'Gaming Purple',
    theme: {
      primaryColor: '#8b5cf6',
      secondaryColor: '#ec4899',
      accentColor: '#f59e0b',
      backgroundPrimary: '#0f0a1f',
      backgroundSecondary: '#1c1433',
      textPrimary: '#ffffff',
      textSecondary: '#b8a9d9',
      borderColor: '#3b2a63',
    },
  },
  {
    name: 'Neon Glow',
    theme: {
      primaryColor: '#39ff14',
      secondaryColor: '#00e5ff',
      accentColor: '#ff2bd6',
      backgroundPrimary: '#0a0a0f',
      backgroundSecondary: '#14141f',
      textPrimary: '#ffffff',
      textSecondary: '#a0a0b8',
      borderColor: '#2a2a40',
    },
  },
  {
    name: 'Ocean Blue',
    theme: {
      primaryColor: '#0ea5e9',
      secondaryColor: '#06b6d4',
      accentColor: '#f59e0b',
      backgroundPrimary: '#0b1b2b',
      backgroundSecondary: '#12293f',
      textPrimary: '#ffffff',
      textSecondary: '#9fb8cc',
      borderColor: '#1f3e5a',
    },
  },
]

function dashed(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/**
 * The palette as CSS custom properties. Those of the two surfaces begin with `--page-` and
 * `--card-`; a style sheet maps the one in force to plain names.
 */
export function paletteVariables(palette: ThemePalette): Readonly<Record<`--${string}`, string>> {
  const variables: Record<`--${string}`, string> = {}
  for (const name of ['page', 'card'] as const) {
    for (const [token, color] of Object.entries(palette[name])) {
      variables[`--${name}-${dashed(token)}`] = color
    }
  }
  for (const name of ['primary', 'secondary', 'accent'] as const) {
    const { fill, hover, label } = palette[name]
    variables[`--${name}-fill`] = fill
    variables[`--${name}-hover`] = hover
    variables[`--${name}-label`] = label
  }
  variables['--danger-fill'] = palette.danger?.fill ?? 'transparent'
  variables['--danger-hover'] = palette.danger?.hover ?? 'transparent'
  variables['--danger-label'] = palette.danger?.label ?? 'initial'
  variables['--line'] = palette.border
  variables['--scheme'] = palette.isDark ? 'dark' : 'light'
  return variables
}
