// Events between processes: gathered for a moment, sent in one message, and told again on the other
// side.

import { type EventListener, type Events, localEvents, type ProductEvent } from './events.ts'

/**
 * Carries texts between processes. Losing one is allowed; so is delivering it to its own sender.
 */
export interface Transport {
  send(text: string): Promise<void>
  close(): Promise<void>
}

export interface SharedEventsOptions {
  /** Names this process, so that it can tell its own messages from others'. */
  readonly origin: string
  readonly onError: (error: unknown) => void
  /** Hears of each connection by its name: when it is lost, with the error, and when it stands. */
  readonly onConnection?: (name: string, error: unknown | undefined) => void
  readonly gatherMillis?: number
}

/** What a transport calls back with. */
export interface SharedEventsInlet {
  receive(text: string): void
  /** The transport is back after messages may have been missed. */
  missedSome(): void
}

const gatherMillisDefault = 50
/** NOTIFY takes at most 8,000 bytes; names and brackets need the rest. */
const messageLengthMax = 7_000

/** What may have changed unseen while a process could not hear the others. */
const everythingShown: readonly ProductEvent[] = [
  { type: 'catalogue_changed', what: 'pack_types' },
  { type: 'catalogue_changed', what: 'listings' },
  { type: 'catalogue_changed', what: 'prizes' },
  { type: 'leaderboard_changed' },
  { type: 'streams_changed' },
  { type: 'theme_changed' },
]

/**
 * Events that also reach other processes, through the transport that `connect` opens. Equal events
 * that come within the gathering time travel once.
 */
export function sharedEvents(
  options: SharedEventsOptions,
  connect: (inlet: SharedEventsInlet) => Transport,
): Events {
  const local = localEvents(options.onError)
  const waiting = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> = Promise.resolve()

  const transport = connect({
    receive: (text) => {
      for (const event of readMessage(text, options.origin)) local.publish(event)
    },
    missedSome: () => {
      for (const event of everythingShown) local.publish(event)
    },
  })
  const flush = (): Promise<void> => {
    timer = undefined
    const messages = writeMessages([...waiting], options.origin)
    waiting.clear()
    for (const message of messages) {
      sending = sending.then(() => transport.send(message)).catch(options.onError)
    }
    return sending
  }
  return {
    publish(event) {
      local.publish(event)
      waiting.add(JSON.stringify(event))
      timer ??= setTimeout(() => void flush(), options.gatherMillis ?? gatherMillisDefault).unref()
    },
    subscribe: (listener: EventListener) => local.subscribe(listener),
    async close() {
      clearTimeout(timer)
      await flush()
      await transport.close()
      await local.close()
    },
  }
}

function writeMessages(events: readonly string[], origin: string): string[] {
  const messages: string[] = []
  let current: string[] = []
  let length = 0
  const finish = () => {
    if (current.length > 0) messages.push(`{"from":"${origin}","events":[${current.join(',')}]}`)
    current = []
    length = 0
  }
  for (const event of events) {
    if (length + event.length > messageLengthMax) finish()
    current.push(event)
    length += event.length + 1
  }
  finish()
  return messages
}

/** Another version of the program may speak differently: what cannot be read is left out. */
function readMessage(text: string, origin: string): ProductEvent[] {
  try {
    const message = JSON.parse(text) as { from?: unknown; events?: unknown }
    if (message.from === origin || !Array.isArray(message.events)) return []
    return message.events.filter((event) => typeof event?.type === 'string')
  } catch {
    return []
  }
}
