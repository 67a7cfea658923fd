// Events between processes: collected briefly, sent in one message, and published again on the
// other side. Messages to oneself show whether the carrier works.

import type { EventsFigures } from '../../rules/server-figures.ts'
import { withinMillis } from '../clock/clock.ts'
import { type EventListener, type Events, localEvents, type ProductEvent } from './events.ts'

/**
 * Carries texts between processes, and back to the process that sent them. Losing one is allowed.
 */
export interface Transport {
  readonly carrier: Exclude<EventsFigures['carrier'], 'none'>
  /** False when there is no connection to send it by. */
  send(text: string): Promise<boolean>
  /** Drops connections that say nothing any more, and opens new ones in the background. */
  renew(): void
  close(): Promise<void>
}

export interface SharedEventsOptions {
  /** Names this process, so that it can tell its own messages from others'. */
  readonly origin: string
  readonly onError: (error: unknown) => void
  /** Hears of each connection by its name: when it is lost, with the error, and when it stands. */
  readonly onConnection?: (name: string, error: unknown | undefined) => void
  /** How often a message to itself shows that the transport works. */
  readonly probeMillis?: number
}

/** What a transport calls back with. */
export interface SharedEventsInlet {
  receive(text: string): void
  /** The transport is back after messages may have been missed. */
  missedSome(): void
}

const gatherMillis = 50
const probeMillisDefault = 5_000
const sendMillisMax = 2_000
/** Messages that wait for a slow transport; more than these would only be stale. */
const waitingMax = 100
/** NOTIFY takes at most 8,000 bytes; names and brackets need the rest. */
const messageLengthMax = 7_000

/** What may have changed unseen while a process could not hear the others. */
const everythingShown: readonly ProductEvent[] = [
  { type: 'everybody_changed' },
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
  const gathered = new Set<string>()
  const counts = { published: 0, received: 0, lost: 0 }
  let timer: NodeJS.Timeout | undefined

  const transport = connect({
    receive(text) {
      const message = readMessage(text)
      const isOwn = message?.from === options.origin
      probe.heard(isOwn ? message?.probe : undefined)
      if (message === undefined || isOwn) return
      counts.received += message.events.length
      for (const event of message.events) local.publish(event)
    },
    missedSome() {
      for (const event of everythingShown) local.publish(event)
    },
  })
  let isToMakeUp = false
  const outbox = outboxOver(transport, options.onError, (events, isSent) => {
    if (!isSent) {
      counts.lost += events
      isToMakeUp ||= events > 0
    } else if (isToMakeUp) {
      isToMakeUp = false
      send(everythingShown.map((event) => JSON.stringify(event)))
    }
  })
  const probe = new Probe(options.probeMillis ?? probeMillisDefault, {
    send: (number) => outbox.send(writeProbe(options.origin, number), 0),
    renew: () => transport.renew(),
  })
  const send = (written: readonly string[]) => {
    counts.published += written.length
    for (const { text, events } of writeMessages(written, options.origin)) {
      outbox.send(text, events)
    }
  }
  const flush = () => {
    timer = undefined
    send([...gathered])
    gathered.clear()
  }
  return {
    publish(event) {
      local.publish(event)
      gathered.add(JSON.stringify(event))
      timer ??= setTimeout(flush, gatherMillis).unref()
    },
    subscribe: (listener: EventListener) => local.subscribe(listener),
    figures: () => ({ carrier: transport.carrier, ...counts, ...probe.state() }),
    async close() {
      clearTimeout(timer)
      probe.stop()
      flush()
      await withinMillis(outbox.emptied(), sendMillisMax).catch(options.onError)
      await withinMillis(transport.close(), sendMillisMax).catch(options.onError)
      await local.close()
    },
  }
}

/** Sends one text after the other, none for longer than two seconds, and lets a jam fall away. */
function outboxOver(
  transport: Transport,
  onError: (error: unknown) => void,
  onEnd: (events: number, isSent: boolean) => void,
) {
  let waiting = 0
  let last: Promise<void> = Promise.resolve()
  return {
    /** Takes a text that speaks of so many events, and tells whether it was sent. */
    send(text: string, events: number): void {
      if (waiting >= waitingMax) {
        onEnd(events, false)
        return
      }
      waiting += 1
      last = last
        .then(() => withinMillis(transport.send(text), sendMillisMax))
        .catch((error: unknown) => {
          onError(error)
          return false
        })
        .then((isSent) => {
          waiting -= 1
          onEnd(events, isSent)
        })
    },
    /** Resolves when all that was taken until now has been sent or given up. */
    emptied: () => last,
  }
}

const writeProbe = (origin: string, number: number): string =>
  JSON.stringify({ from: origin, events: [], probe: number })

function writeMessages(events: readonly string[], origin: string) {
  const messages: { text: string; events: number }[] = []
  let current: string[] = []
  let length = 0
  const finish = () => {
    const text = `{"from":"${origin}","events":[${current.join(',')}]}`
    if (current.length > 0) messages.push({ text, events: current.length })
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

interface ReadMessage {
  readonly from: unknown
  readonly events: readonly ProductEvent[]
  readonly probe: unknown
}

/** Another version of the program may speak differently: what cannot be read is left out. */
function readMessage(text: string): ReadMessage | undefined {
  try {
    const { from, events, probe } = JSON.parse(text) as Record<keyof ReadMessage, unknown>
    if (!Array.isArray(events)) return undefined
    return { from, events: events.filter((event) => typeof event?.type === 'string'), probe }
  } catch {
    return undefined
  }
}

/** How sending and renewing are done. */
export interface ProbeActions {
  send(number: number): void
  renew(): void
}

/** With two probes under way the last one is late; with three the connection is taken for dead. */
const lateMin = 2
const deadMin = 3
const firstMillisMax = 500

/**
 * Sends a numbered message now and then and listens for it. A carrier that hangs, or a connection
 * that was cut without a word, looks healthy to its client; its silence does not.
 */
export class Probe {
  private readonly timers: readonly NodeJS.Timeout[]
  private readonly sentAtMillis = new Map<number, number>()
  private number = 0
  private lastHeardAt: Date | undefined
  private roundTripSeconds: number | undefined
  private readonly actions: ProbeActions

  constructor(everyMillis: number, actions: ProbeActions) {
    this.actions = actions
    const next = () => this.next()
    // The first comes soon: a process that has just started wants to know, too.
    const first = setTimeout(next, Math.min(everyMillis, firstMillisMax)).unref()
    this.timers = [first, setInterval(next, everyMillis).unref()]
  }

  state() {
    const { lastHeardAt, roundTripSeconds } = this
    const isUp = roundTripSeconds !== undefined && this.sentAtMillis.size < lateMin
    return { isUp, lastHeardAt, roundTripSeconds }
  }

  /** A message was heard; `number` when it is a probe of this process. */
  heard(number?: unknown): void {
    this.lastHeardAt = new Date()
    const sentAt = typeof number === 'number' ? this.sentAtMillis.get(number) : undefined
    if (sentAt === undefined) return
    this.roundTripSeconds = (performance.now() - sentAt) / 1000
    this.sentAtMillis.clear()
  }

  stop(): void {
    for (const timer of this.timers) clearTimeout(timer)
  }

  private next(): void {
    if (this.sentAtMillis.size >= deadMin) {
      this.sentAtMillis.clear()
      this.roundTripSeconds = undefined
      this.actions.renew()
    }
    this.number += 1
    this.sentAtMillis.set(this.number, performance.now())
    this.actions.send(this.number)
  }
}
