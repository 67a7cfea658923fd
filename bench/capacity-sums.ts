// What so many viewers need, from what one of each thing costs; and a second way of counting the
// calls, person by person, that the sums are held against.

/** What one of each thing costs, as measured; see docs/capacity.md for where each comes from. */
export interface UnitCosts {
  /** Milliseconds of a core: of the server's process, and of PostgreSQL. */
  readonly poll: { readonly server: number; readonly database: number }
  readonly heartbeat: { readonly server: number; readonly database: number }
  readonly opening: { readonly server: number; readonly database: number }
  readonly frame: { readonly server: number }
  /** Bytes of memory that an open page takes. */
  readonly socketBytes: number
  /** Bytes on the wire, with headers. */
  readonly pollBytes: number
  readonly heartbeatBytes: number
  readonly openingBytes: number
  readonly frameBytes: number
}

/** What people do. */
export interface Habits {
  readonly pollEverySeconds: number
  readonly beatEverySeconds: number
  /** Seconds between two openings of one viewer in the rush. */
  readonly openEverySeconds: number
  readonly framesPerSecond: number
}

export interface Rates {
  readonly polls: number
  readonly heartbeats: number
  readonly openings: number
  readonly frames: number
}

/** A core is planned to be busy so far and no further, so that a rush does not queue. */
const busyShare = 0.6

/** Calls a second of so many viewers. */
export function ratesOf(viewers: number, habits: Habits): Rates {
  return {
    polls: viewers / habits.pollEverySeconds,
    heartbeats: viewers / habits.beatEverySeconds,
    openings: viewers / habits.openEverySeconds,
    frames: viewers * habits.framesPerSecond,
  }
}

export interface Need {
  readonly rates: Rates
  /** Processes at 60 % of a core each. */
  readonly processes: number
  /** Cores of PostgreSQL at 60 %. */
  readonly databaseCores: number
  readonly socketMegabytes: number
  readonly megabitsPerSecond: number
  /** Descriptors of open pages in each process. */
  readonly socketsPerProcess: number
}

/** What so many viewers at once need. */
export function needOf(viewers: number, habits: Habits, costs: UnitCosts): Need {
  const rates = ratesOf(viewers, habits)
  const { polls, heartbeats, openings, frames } = rates
  const ofServer =
    polls * costs.poll.server +
    heartbeats * costs.heartbeat.server +
    openings * costs.opening.server +
    frames * costs.frame.server
  const ofDatabase =
    polls * costs.poll.database +
    heartbeats * costs.heartbeat.database +
    openings * costs.opening.database
  const bytes =
    polls * costs.pollBytes +
    heartbeats * costs.heartbeatBytes +
    openings * costs.openingBytes +
    frames * costs.frameBytes
  const cores = (millis: number) => Math.max(1, Math.ceil(millis / 1_000 / busyShare))
  const processes = cores(ofServer)
  return {
    rates,
    processes,
    databaseCores: cores(ofDatabase),
    socketMegabytes: Math.round((viewers * costs.socketBytes) / 1e6),
    megabitsPerSecond: Math.ceil((bytes * 8) / 1e6),
    socketsPerProcess: Math.ceil(viewers / processes),
  }
}

/**
 * Lets every viewer do what they do, each from a moment of their own on, and counts the calls of
 * each second: the mean of them is what the sums say, and the highest is what a rush adds.
 */
export function countedRates(
  viewers: number,
  habits: Habits,
  seconds: number,
  chance: () => number,
): { mean: Omit<Rates, 'frames'>; highest: Omit<Rates, 'frames'> } {
  const count = (everySeconds: number) => {
    const perSecond = new Uint32Array(seconds)
    for (let viewer = 0; viewer < viewers; viewer += 1) {
      for (let at = chance() * everySeconds; at < seconds; at += everySeconds) {
        const second = Math.floor(at)
        perSecond[second] = (perSecond[second] ?? 0) + 1
      }
    }
    let all = 0
    let highest = 0
    for (const calls of perSecond) {
      all += calls
      highest = Math.max(highest, calls)
    }
    return { mean: all / seconds, highest }
  }
  const polls = count(habits.pollEverySeconds)
  const heartbeats = count(habits.beatEverySeconds)
  const openings = count(habits.openEverySeconds)
  return {
    mean: { polls: polls.mean, heartbeats: heartbeats.mean, openings: openings.mean },
    highest: { polls: polls.highest, heartbeats: heartbeats.highest, openings: openings.highest },
  }
}
