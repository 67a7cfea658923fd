// Holds the page's one realtime connection, so that whoever ends the session can end it too.

import { createAtom, useSelector } from '@tanstack/react-store'

type Connection = Pick<WebSocket, 'close'>

let held: Connection | null = null
const isOpen = createAtom(false)

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
  setOpen: (now: boolean): void => isOpen.set(() => now),
}

/** How often to ask, in milliseconds: not at all while the socket brings the news. */
export function usePollWithoutSocket(everyMs: number): number | false {
  return useSelector(isOpen) ? false : everyMs
}
