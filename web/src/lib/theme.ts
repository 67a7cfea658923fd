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
import { useSyncExternalStore } from 'react'
import { endpointQuery } from './endpoint-query.ts'

/** The theme that everyone is shown; painted when it comes, and no part of the screen shows it. */
export const themeQuery = endpointQuery(themeContract.theme, { shows: [] })

let theme: Theme = themeDefault
const listeners = new Set<() => void>()

const storageKey = 'redpack:palette'

function needsMoreContrast(): MediaQueryList | undefined {
  return window.matchMedia?.('(prefers-contrast: more)')
}

function paint(): void {
  const need = needsMoreContrast()?.matches ? 'more' : 'standard'
  const variables = paletteVariables(deriveThemePalette(theme, need))
  for (const [name, value] of Object.entries(variables)) {
    document.documentElement.style.setProperty(name, value)
  }
  remember(variables)
}

/** Keeps a palette that is not the default's for the next visit's first frame. */
function remember(variables: Readonly<Record<string, string>>): void {
  try {
    if (isSameTheme(theme, themeDefault)) localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, JSON.stringify(variables))
  } catch {
    // Without storage the next visit starts in the default colours.
  }
}

function isSameTheme(one: Theme, other: Theme): boolean {
  return (Object.keys(themeDefault) as (keyof Theme)[]).every((key) => one[key] === other[key])
}

/** Paints the interface in a theme and tells those who watch it. */
export function applyTheme(next: Theme): void {
  const isNew = !isSameTheme(theme, next)
  theme = next
  paint()
  if (isNew) for (const listener of listeners) listener()
}

/** Paints again whenever the reader asks the system for more or less contrast. */
export function followContrastPreference(): () => void {
  const query = needsMoreContrast()
  query?.addEventListener('change', paint)
  return () => query?.removeEventListener('change', paint)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The theme in force. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, () => theme)
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

export async function loadTheme(queryClient: QueryClient): Promise<void> {
  applyTheme(await queryClient.fetchQuery<Theme>(themeQuery))
}
