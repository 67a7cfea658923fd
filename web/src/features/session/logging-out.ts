// The flag that a logout is in progress: every screen waits while it is up.

import { useSyncExternalStore } from 'react'

let isUp = false
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const loggingOut = {
  read: (): boolean => isUp,
  set(next: boolean): void {
    isUp = next
    for (const listener of listeners) listener()
  },
}

/** True from the start of a logout until the page is left. */
export function useLoggingOut(): boolean {
  return useSyncExternalStore(subscribe, loggingOut.read)
}
