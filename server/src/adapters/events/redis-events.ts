// Events between processes through the channels of Redis or Valkey.

import { createClient } from 'redis'
import type { Events } from './events.ts'
import { type SharedEventsOptions, sharedEvents, type Transport } from './shared-events.ts'

const channel = 'redpack:events'
const waitMillisMax = 5_000

/**
 * Connects in the background and again whenever the connection is lost. Without Redis events still
 * reach their own process.
 */
export function redisEvents(url: string, options: SharedEventsOptions): Events {
  return sharedEvents(options, (inlet): Transport => {
    const open = () =>
      createClient({
        url,
        // Waiting messages would only be stale ones by the time the server is back.
        disableOfflineQueue: true,
        socket: {
          connectTimeout: 2_000,
          reconnectStrategy: (retries) => Math.min(100 * 2 ** retries, waitMillisMax),
        },
      })
    const sender = open()
    const receiver = open()
    let wasReady = false
    receiver.on('ready', () => {
      if (wasReady) inlet.missedSome()
      else receiver.subscribe(channel, inlet.receive).catch(options.onError)
      wasReady = true
    })
    const told = options.onConnection ?? ((_name, error) => error && options.onError(error))
    for (const [name, client] of Object.entries({ sender, receiver })) {
      client.on('error', (error) => told(name, error))
      client.on('ready', () => told(name, undefined))
      client.connect().catch((error) => told(name, error))
    }
    return {
      async send(text) {
        // Publishing while there is no connection would only fail; the error was reported already.
        if (sender.isReady) await sender.publish(channel, text)
      },
      async close() {
        for (const client of [sender, receiver]) client.destroy()
      },
    }
  })
}
