// Holds the page's one realtime connection, so that whoever ends the session can end it too.

import { useSyncExternalStore } from 'react'

type Connection = Pick<WebSocket, 'close'>

let held: Connection | null = null
let isOpen = false
const listeners = new Set<() => void>()

export const realtime = {
  /** Takes charge of a connection; an earlier one is closed. */
  hold(connection: Connection): void {
    held?.close()
    held = connection
  },
  /** Closes the connection if there is one. */
  disconnect(): void {
    held?.close()
    held = null
    realtime.setOpen(false)
  },
  /** Whether the server's news arrive at the moment. */
  isOpen: (): boolean => isOpen,
  setOpen(now: boolean): void {
    if (now === isOpen) return
    isOpen = now
    for (const listener of listeners) listener()
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

/** How often to ask, in milliseconds: not at all while the socket brings the news. */
export function usePollWithoutSocket(everyMs: number): number | false {
  return useSyncExternalStore(realtime.subscribe, realtime.isOpen) ? false : everyMs
}
