// A network that can be told to swallow everything: connections stay open, and new ones are taken,
// but no byte gets through either way.

import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export interface SwallowingProxy {
  readonly port: number
  swallow(): void
  /**
   * New connections pass again. Those from before stay silent, as behind a firewall that has
   * forgotten them.
   */
  passAgain(): void
  close(): Promise<void>
}

/** Passes connections on to a port of this machine. */
export async function startSwallowingProxy(target: number): Promise<SwallowingProxy> {
  let isSwallowing = false
  const sockets = new Set<Socket>()
  const pairs = new Set<() => void>()
  const server = createServer((inside) => {
    sockets.add(inside)
    inside.on('error', () => undefined)
    inside.on('close', () => sockets.delete(inside))
    if (isSwallowing) {
      inside.resume()
      return
    }
    const outside = connect(target, '127.0.0.1')
    sockets.add(outside)
    let isSilent = false
    pairs.add(() => {
      isSilent = true
    })
    const pass = (from: Socket, to: Socket) => {
      from.on('data', (bytes) => {
        if (!isSilent) to.write(bytes)
      })
      from.on('close', () => {
        if (!isSilent) to.destroy()
      })
    }
    outside.on('error', () => inside.destroy())
    outside.on('close', () => sockets.delete(outside))
    pass(inside, outside)
    pass(outside, inside)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as { port: number }).port,
    swallow() {
      isSwallowing = true
      for (const silence of pairs) silence()
      pairs.clear()
    },
    passAgain() {
      isSwallowing = false
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
