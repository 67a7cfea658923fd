// Keeps many sockets alive with one timer, and ends those that no longer answer.

/** The part of a socket that a heartbeat needs. */
export interface Beating {
  ping(): void
  terminate(): void
  on(event: 'pong', listener: () => void): unknown
}

/** One socket between two pings. */
export interface Heartbeat {
  readonly socket: Beating
  readonly turn: number
  hasAnswered: boolean
  pings: number
  /** Messages from the page since the start of the minute. */
  messages: number
}

const turns = 30
const turnMillis = 1_000

/**
 * Pings each socket every 30 s and ends one that has not answered the ping before. A thirtieth of
 * them has its turn each second, so that thousands of pings never go out together.
 */
export class Heartbeats {
  readonly #groups = Array.from({ length: turns }, () => new Set<Heartbeat>())
  readonly #timer: NodeJS.Timeout
  #turn = 0
  #added = 0

  constructor() {
    this.#timer = setInterval(() => this.#next(), turnMillis).unref()
  }

  add(socket: Beating): Heartbeat {
    this.#added += 1
    const turn = this.#added % turns
    const heartbeat = { socket, turn, hasAnswered: true, pings: 0, messages: 0 }
    this.#groups[turn]?.add(heartbeat)
    socket.on('pong', () => {
      heartbeat.hasAnswered = true
    })
    return heartbeat
  }

  remove(heartbeat: Heartbeat): void {
    this.#groups[heartbeat.turn]?.delete(heartbeat)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #next(): void {
    this.#turn = (this.#turn + 1) % turns
    for (const heartbeat of this.#groups[this.#turn] ?? []) beat(heartbeat)
  }
}

function beat(heartbeat: Heartbeat): void {
  if (!heartbeat.hasAnswered) {
    heartbeat.socket.terminate()
    return
  }
  heartbeat.hasAnswered = false
  heartbeat.pings += 1
  if (heartbeat.pings % 2 === 0) heartbeat.messages = 0
  heartbeat.socket.ping()
}
