// Events between processes through the channels of Redis or Valkey.

import { createClient } from 'redis'
import type { Events } from './events.ts'
import { type SharedEventsOptions, sharedEvents, type Transport } from './shared-events.ts'

const channel = 'redpack:events'
const connectMillisMax = 2_000
const waitMillisMax = 5_000

/**
 * Connects in the background and again whenever the connection is lost. Without Redis events still
 * reach their own process.
 */
export function redisEvents(url: string, options: SharedEventsOptions): Events {
  return sharedEvents(options, (inlet): Transport => {
    let mayHaveMissed = false
    const onFailure = () => {
      mayHaveMissed = true
    }
    const onReady = () => {
      if (mayHaveMissed) inlet.missedSome()
      mayHaveMissed = true
    }
    const open = () => openPair(url, { ...options, receive: inlet.receive, onReady, onFailure })
    let pair = open()
    return {
      carrier: 'redis',
      async send(text) {
        // Publishing while there is no connection would only fail; the error was reported already.
        if (!pair.sender.isReady) return false
        await pair.sender.publish(channel, text)
        return true
      },
      renew() {
        pair.destroy()
        pair = open()
      },
      async close() {
        pair.destroy()
      },
    }
  })
}

interface PairOptions extends Pick<SharedEventsOptions, 'onError' | 'onConnection'> {
  readonly receive: (text: string) => void
  readonly onReady: () => void
  readonly onFailure: () => void
}

/** One connection that sends and one that listens, since one that listens may do nothing else. */
function openPair(url: string, options: PairOptions) {
  const { receive, onReady, onFailure, onError, onConnection } = options
  const open = () =>
    createClient({
      url,
      // Waiting messages would only be stale ones by the time the server is back.
      disableOfflineQueue: true,
      socket: {
        connectTimeout: connectMillisMax,
        reconnectStrategy: (retries) => Math.min(100 * 2 ** retries, waitMillisMax),
      },
    })
  const clients = { sender: open(), receiver: open() }
  let isDestroyed = false
  const report = (error: unknown) => {
    if (!isDestroyed) onError(error)
  }
  const told = onConnection ?? ((_name, error) => error && onError(error))
  let isSubscribed = false
  clients.receiver.on('ready', () => {
    onReady()
    // After a loss the client subscribes again by itself.
    if (!isSubscribed) clients.receiver.subscribe(channel, receive).catch(report)
    isSubscribed = true
  })
  clients.receiver.on('error', onFailure)
  for (const [name, client] of Object.entries(clients)) {
    const lost = (error: unknown) => {
      if (!isDestroyed) told(name, error)
    }
    client.on('error', lost)
    client.on('ready', () => told(name, undefined))
    client.connect().catch(lost)
  }
  return {
    sender: clients.sender,
    destroy() {
      isDestroyed = true
      for (const client of [clients.sender, clients.receiver]) client.destroy()
    },
  }
}
