// The eight colours of a theme: their order, their words, and the rule each of them has.

import { SaveThemeRequest, type Theme } from '@redpack/contract'

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

/** True when both themes are the same colours, however they are written. */
export function isSameTheme(one: Theme, other: Theme): boolean {
  return themeFields.every(
    ({ key }) => one[key].trim().toLowerCase() === other[key].trim().toLowerCase(),
  )
}
