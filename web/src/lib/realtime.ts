// Holds the page's one realtime connection, so that whoever ends the session can end it too.

type Connection = Pick<WebSocket, 'close'>

let held: Connection | null = null

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
  },
}
