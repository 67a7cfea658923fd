// A network that can be told to swallow everything: connections stay open, and new ones are taken,
// but no byte gets through either way.

import { connect, createServer, type Socket } from 'node:net'
import { type LocalServer, listenLocally } from '../local-server.ts'

export interface SwallowingProxy extends LocalServer {
  swallow(): void
  /**
   * New connections pass again. Those from before stay silent, as behind a firewall that has
   * forgotten them.
   */
  passAgain(): void
}

/** Passes connections on to a port of this machine. */
export async function startSwallowingProxy(target: number): Promise<SwallowingProxy> {
  let isSwallowing = false
  const outsides: Socket[] = []
  const pairs = new Set<() => void>()
  const server = createServer((inside) => {
    if (isSwallowing) {
      inside.resume()
      return
    }
    const outside = connect(target, '127.0.0.1')
    outsides.push(outside)
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
    pass(inside, outside)
    pass(outside, inside)
  })
  const local = await listenLocally(server)
  return {
    port: local.port,
    swallow() {
      isSwallowing = true
      for (const silence of pairs) silence()
      pairs.clear()
    },
    passAgain() {
      isSwallowing = false
    },
    async close() {
      for (const outside of outsides) outside.destroy()
      await local.close()
    },
  }
}
