// What the palette makes of eight colours: where the derivation had to move one to keep it legible.

import {
  contrast,
  deriveThemePalette,
  opaqueHex,
  type SurfacePalette,
  type Theme,
} from '@redpack/contract'
import type { ThemeKey } from './theme-words.ts'

export interface Adjustment {
  /** What is painted in the colour, for example 'Primary as text'. */
  readonly what: string
  readonly where: 'page' | 'cards'
  readonly before: string
  readonly after: string
  /** Contrast on the least favourable ground, before and after. */
  readonly ratioBefore: number
  readonly ratioAfter: number
  /** The contrast that is needed. */
  readonly goal: number
}

interface Use {
  readonly token: Exclude<keyof SurfacePalette, 'surface' | 'raised'>
  readonly key: ThemeKey
  readonly what: string
  readonly goal: number
}

const uses: readonly Use[] = [
  { token: 'text', key: 'textPrimary', what: 'Text', goal: 4.5 },
  { token: 'muted', key: 'textSecondary', what: 'Secondary text', goal: 4.5 },
  { token: 'primaryText', key: 'primaryColor', what: 'Primary as text', goal: 4.5 },
  { token: 'secondaryText', key: 'secondaryColor', what: 'Secondary as text', goal: 4.5 },
  { token: 'accentText', key: 'accentColor', what: 'Accent as text', goal: 4.5 },
  { token: 'primaryGraphic', key: 'primaryColor', what: 'Primary as a line or bar', goal: 3 },
  { token: 'secondaryGraphic', key: 'secondaryColor', what: 'Secondary as a line or bar', goal: 3 },
  { token: 'accentGraphic', key: 'accentColor', what: 'Accent as a line or bar', goal: 3 },
  { token: 'control', key: 'borderColor', what: 'Edges of inputs and switches', goal: 3 },
]

function least(color: string, { surface, raised }: SurfacePalette): number {
  return Math.min(contrast(color, surface), contrast(color, raised))
}

/** Every use of the colours with its contrast as it is painted, changed or not. */
export function colorUses(theme: Theme): Adjustment[] {
  const palette = deriveThemePalette(theme)
  return (['page', 'cards'] as const).flatMap((where) => {
    const surface = where === 'page' ? palette.page : palette.card
    return uses.map(({ token, key, what, goal }) => {
      const before = opaqueHex(theme[key])
      const after = surface[token]
      return {
        ...{ what, where, before, after, goal },
        ratioBefore: least(before, surface),
        ratioAfter: least(after, surface),
      }
    })
  })
}

/** The uses for which the derivation paints another colour than the one chosen. */
export function adjustmentsOf(theme: Theme): Adjustment[] {
  return colorUses(theme).filter(({ before, after }) => before !== after)
}
