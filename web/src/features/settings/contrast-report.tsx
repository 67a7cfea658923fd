// What was adjusted so that everyone can read it, and the contrast of every use of the colours.

import {
  contrast,
  deriveThemePalette,
  opaqueHex,
  SaveThemeRequest,
  type SurfacePalette,
  type Theme,
} from '@redpack/contract'
import { ArrowRight, CircleCheck, WandSparkles } from 'lucide-react'
import { plural } from '../../lib/format.ts'
import { Disclosure } from '../../ui/layout/section.tsx'

export type ThemeKey = keyof Theme

export const themeFields: readonly { readonly key: ThemeKey; readonly label: string }[] = [
  { key: 'primaryColor', label: 'Primary color' },
  { key: 'secondaryColor', label: 'Secondary color' },
  { key: 'accentColor', label: 'Accent color' },
  { key: 'backgroundPrimary', label: 'Background primary color' },
  { key: 'backgroundSecondary', label: 'Background secondary color' },
  { key: 'textPrimary', label: 'Text primary color' },
  { key: 'textSecondary', label: 'Text secondary color' },
  { key: 'borderColor', label: 'Border color' },
]

/** The sentence of the rule that each colour breaks; none when the theme can be saved. */
export function themeProblems(theme: Theme): Partial<Record<ThemeKey, string>> {
  const result = SaveThemeRequest.safeParse(theme)
  if (result.success) return {}
  const problems: Partial<Record<ThemeKey, string>> = {}
  for (const { path, message } of result.error.issues) {
    const key = path[0] as ThemeKey
    problems[key] ??= message
  }
  return problems
}

/** The text itself when it is a colour that a theme takes, else undefined. */
export function themeHexOf(typed: string): string | undefined {
  const text = typed.trim()
  return /^#(?:[0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(text) ? text : undefined
}

const ratio = (value: number) => `${value.toFixed(1)}:1`
const place = { page: 'on the page', cards: 'on cards' } as const

export function ContrastReport({ theme }: { readonly theme: Theme }) {
  const adjusted = adjustmentsOf(theme)
  return (
    <div className="grid grid-cols-1 gap-3">
      <p role="status" className="flex items-start gap-2">
        {adjusted.length === 0 ? (
          <>
            <CircleCheck className="mt-0.5 size-5 flex-none text-success" />
            All colors are legible.
          </>
        ) : (
          <>
            <WandSparkles className="mt-0.5 size-5 flex-none text-info" />
            {plural(adjusted.length, 'use was', 'uses were')} adjusted in lightness, so that
            everyone can read it. The chosen colors are saved as they are.
          </>
        )}
      </p>
      {adjusted.length > 0 && (
        <ul aria-label="Adjusted for contrast" className="grid gap-2">
          {adjusted.map((one) => (
            <AdjustmentItem key={`${one.where} ${one.what}`} adjustment={one} />
          ))}
        </ul>
      )}
      <Disclosure summary="Contrast of every use">
        <ul className="grid gap-2">
          {colorUses(theme).map((one) => (
            <Meter key={`${one.where} ${one.what}`} use={one} />
          ))}
        </ul>
      </Disclosure>
    </div>
  )
}

function Swatch({ color }: { readonly color: string }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <span
        aria-hidden="true"
        className="size-5 flex-none rounded-full border border-control"
        style={{ backgroundColor: color }}
      />
      <code className="text-sm">{color}</code>
    </span>
  )
}

function AdjustmentItem({ adjustment }: { readonly adjustment: Adjustment }) {
  const { what, where, before, after, ratioBefore, ratioAfter } = adjustment
  return (
    <li className="rounded-control border border-line bg-raised px-3 py-2">
      <p className="font-medium">
        {what} <span className="text-muted">{place[where]}</span>
      </p>
      <p className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
        <Swatch color={before} />
        {ratio(ratioBefore)}
        <ArrowRight aria-label="becomes" className="size-4" />
        <Swatch color={after} />
        <span className="font-semibold text-ink">{ratio(ratioAfter)}</span>
      </p>
    </li>
  )
}

/** Contrasts of 10:1 and more fill the meter. */
const fullRatio = 10

function Meter({ use }: { readonly use: Adjustment }) {
  const { what, where, ratioAfter, goal } = use
  const share = Math.min(1, ratioAfter / fullRatio)
  return (
    <li className="grid gap-1">
      <span className="flex justify-between gap-3 text-sm">
        <span>
          {what} <span className="text-muted">{place[where]}</span>
        </span>
        <span className="flex-none tabular-nums">
          {ratio(ratioAfter)} <span className="text-muted">of {goal}:1</span>
        </span>
      </span>
      <span aria-hidden="true" className="h-2 overflow-hidden rounded-full border border-control">
        <span
          className="block h-full origin-left bg-secondary-graphic"
          style={{ transform: `scaleX(${share})` }}
        />
      </span>
    </li>
  )
}

// What the palette makes of eight colours: where the derivation had to move one to keep it legible.
interface Adjustment {
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
