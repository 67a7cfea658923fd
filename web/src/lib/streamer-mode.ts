// Whether this browser hides what an audience should not see: kept here alone, and known before the
// first paint.

import { useSyncExternalStore } from 'react'

const storageKey = 'redpack:streamer-mode'
const listeners = new Set<() => void>()

/** What the storage says; for pages without one the choice lasts as long as the page. */
function stored(): boolean | undefined {
  try {
    return localStorage.getItem(storageKey) === 'on'
  } catch {
    return undefined
  }
}

let unstored = false

function tell(): void {
  for (const listener of listeners) listener()
}

/** Follows a switch in another tab too. */
function listenToTabs(event: StorageEvent): void {
  if (event.key === storageKey || event.key === null) tell()
}

export const streamerMode = {
  isOn: (): boolean => stored() ?? unstored,
  set(isOn: boolean): void {
    unstored = isOn
    try {
      if (isOn) localStorage.setItem(storageKey, 'on')
      else localStorage.removeItem(storageKey)
    } catch {
      // Then it lasts as long as the page.
    }
    tell()
  },
  subscribe(listener: () => void): () => void {
    if (listeners.size === 0) window.addEventListener('storage', listenToTabs)
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) window.removeEventListener('storage', listenToTabs)
    }
  },
}

export function useStreamerMode(): boolean {
  return useSyncExternalStore(streamerMode.subscribe, streamerMode.isOn)
}
