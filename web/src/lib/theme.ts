// The theme in force: its palette as CSS variables, and who wants to know when it changes.

import {
  deriveThemePalette,
  fillOf,
  packThemes,
  paletteVariables,
  type Theme,
  themeContract,
  themeDefault,
} from '@redpack/contract'
import type { QueryClient } from '@tanstack/react-query'
import { createAtom, useSelector } from '@tanstack/react-store'
import { keepInBrowser } from './browser-switch.ts'
import { endpointQuery } from './endpoint-query.ts'

/** The theme that everyone is shown; painted when it comes, and no part of the screen shows it. */
export const themeQuery = endpointQuery(themeContract.theme, { shows: [] })

const theme = createAtom<Theme>(themeDefault)

const storageKey = 'redpack:palette'

function needsMoreContrast(): MediaQueryList | undefined {
  return window.matchMedia?.('(prefers-contrast: more)')
}

function paint(): void {
  const need = needsMoreContrast()?.matches ? 'more' : 'standard'
  const variables = paletteVariables(deriveThemePalette(theme.get(), need))
  for (const [name, value] of Object.entries(variables)) {
    document.documentElement.style.setProperty(name, value)
  }
  // What a phone paints around the page.
  const surround = document.querySelector<HTMLMetaElement>('meta[name="theme-color"]')
  if (surround) surround.content = variables['--page-surface'] ?? ''
  // Kept for the next visit's first frame, unless it is the default's.
  const isDefault = isSameTheme(theme.get(), themeDefault)
  keepInBrowser(storageKey, isDefault ? undefined : JSON.stringify(variables))
}

/** True when both themes are the same colours, however they are written. */
export function isSameTheme(one: Theme, other: Theme): boolean {
  return (Object.keys(themeDefault) as (keyof Theme)[]).every(
    (key) => one[key].trim().toLowerCase() === other[key].trim().toLowerCase(),
  )
}

/** Paints the interface in a theme and tells those who watch it. */
export function applyTheme(next: Theme): void {
  theme.set((before) => (isSameTheme(before, next) ? before : next))
  paint()
}

/** Paints again whenever the reader asks the system for more or less contrast. */
export function followContrastPreference(): () => void {
  const query = needsMoreContrast()
  query?.addEventListener('change', paint)
  return () => query?.removeEventListener('change', paint)
}

/** The theme in force. */
export function useTheme(): Theme {
  return useSelector(theme)
}

/** Names and values under which a pack type's colour means one of the three card themes. */
const electricBlue = '#0080ff'

/** A pack type's colour ready to paint with: the hex and a label that is legible on it. */
export function packTint(color: string, current: Theme): { fill: string; label: string } {
  const named = color.toLowerCase()
  const hex = named === 'electric-blue' ? electricBlue : (packThemes[named] ?? color)
  const { fill, label } = fillOf(/^#[0-9a-f]{3,8}$/i.test(hex) ? hex : electricBlue, current)
  return { fill, label }
}

/**
 * Asks for the saved theme once and paints the interface in it. An earlier question is given up for
 * it, whose answer may be the theme of before.
 */
export async function loadTheme(queryClient: QueryClient): Promise<void> {
  // Silently: whoever asked earlier waits for the new answer.
  void queryClient.cancelQueries({ queryKey: themeQuery.queryKey }, { silent: true })
  applyTheme(await queryClient.fetchQuery<Theme>(themeQuery))
}
