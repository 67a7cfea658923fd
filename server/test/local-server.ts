// Servers of the tests' own on this machine.

import { type AddressInfo, connect, type Server, type Socket } from 'node:net'

export interface LocalServer {
  readonly port: number
  /** Drops whoever is connected. */
  close(): Promise<void>
}

/** Lets a server of TCP or HTTP listen at a port that is free. */
export async function listenLocally(server: Server): Promise<LocalServer> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** True when something takes connections at the port. */
export function isAccepting(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host)
    const finish = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.setTimeout(2_000, () => finish(false))
    socket.once('connect', () => finish(true)).once('error', () => finish(false))
  })
}
