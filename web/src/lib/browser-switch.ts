// What this browser alone keeps: small texts, and choices of on or off.

import { useSyncExternalStore } from 'react'

/** Keeps a text, or nothing any more. A closed storage keeps nothing. */
export function keepInBrowser(name: string, text: string | undefined): void {
  try {
    if (text === undefined) localStorage.removeItem(name)
    else localStorage.setItem(name, text)
  } catch {
    // Then it lasts as long as the page, or not at all.
  }
}

/** What is kept under a name: null for nothing, undefined where the storage is closed. */
export function keptInBrowser(name: string): string | null | undefined {
  try {
    return localStorage.getItem(name)
  } catch {
    return undefined
  }
}

/** What a closed storage did not take. */
const unstored = new Map<string, string>()

/** Keeps a text, or nothing any more, as long as the tab lives and nobody logs out. */
export function keepInTab(name: string, text: string | undefined): void {
  unstored.delete(name)
  try {
    if (text === undefined) sessionStorage.removeItem(name)
    else sessionStorage.setItem(name, text)
  } catch {
    if (text !== undefined) unstored.set(name, text)
  }
}

/** The names with this part under which something is kept for the tab. */
export function namesInTab(part: string): string[] {
  const names = [...unstored.keys()]
  try {
    names.push(...Object.keys(sessionStorage))
  } catch {
    // A closed storage keeps nothing.
  }
  return names.filter((name) => name.includes(part))
}

/** Forgets all that is kept for the tab under names with this part. */
export function forgetInTab(part: string): void {
  for (const name of namesInTab(part)) keepInTab(name, undefined)
}

/** What is kept for the tab under a name, as JSON; undefined for nothing. */
export function keptInTab(name: string): unknown {
  try {
    return JSON.parse(unstored.get(name) ?? sessionStorage.getItem(name) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

export interface BrowserSwitch {
  readonly isOn: () => boolean
  readonly set: (isOn: boolean) => void
  readonly subscribe: (listener: () => void) => () => void
}

/**
 * A choice of this browser, also when it was made in another tab. Without a storage it lasts as
 * long as the page. What differs from `usual` is kept as 'on' or 'off'.
 */
export function browserSwitch(name: string, usual: boolean): BrowserSwitch {
  const word = usual ? 'off' : 'on'
  const listeners = new Set<() => void>()
  let unstored = usual
  const tell = () => {
    for (const listener of listeners) listener()
  }
  const tellOfTabs = ({ key }: StorageEvent) => {
    if (key === name || key === null) tell()
  }
  return {
    isOn: () => {
      const kept = keptInBrowser(name)
      return kept === undefined ? unstored : (kept === word) !== usual
    },
    set(isOn) {
      unstored = isOn
      keepInBrowser(name, isOn === usual ? undefined : word)
      tell()
    },
    subscribe(listener) {
      if (listeners.size === 0) window.addEventListener('storage', tellOfTabs)
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) window.removeEventListener('storage', tellOfTabs)
      }
    },
  }
}

export function useSwitch({ subscribe, isOn }: BrowserSwitch): boolean {
  return useSyncExternalStore(subscribe, isOn)
}
