// Whether a transport of events works: messages to oneself that come back.

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
