// The figures by which one sees whether the server is well. The metrics and the staff's page are
// both made from them, so that they cannot tell different things.

import type { OutboxChannel } from '@redpack/contract/notification-kinds'

/** How the events of this process reach others. */
export interface EventsFigures {
  /** What carries them; `none` where there is nobody else to tell. */
  readonly carrier: 'none' | 'redis' | 'postgres'
  /** False while this process does not hear its own messages come back. */
  readonly isUp: boolean
  /** Events handed to the carrier, taken from it, and given up, since the start. */
  readonly published: number
  readonly received: number
  readonly lost: number
  /** When a message was heard last, this process's own included. */
  readonly lastHeardAt: Date | undefined
  /** Seconds that a message took last to come back. */
  readonly roundTripSeconds: number | undefined
}

/** How the limits are doing. */
export interface LimiterFigures {
  /** Whether Redis answers the limits; undefined where there is none. */
  readonly isRedisAnswering: boolean | undefined
  /** Refusals since the start, by the name of the limit. */
  readonly refused: ReadonlyMap<string, number>
}

/** The pages that are open on this process. */
export interface ConnectionFigures {
  readonly open: number
  /** Pages closed by this process since the start, by the reason. */
  readonly closed: ReadonlyMap<string, number>
}

/** Connections to the database. */
export interface PoolFigures {
  readonly busy: number
  readonly idle: number
  /** Callers that wait for a connection. */
  readonly waiting: number
}

/** What the check of the books has found. */
export interface BooksFigures {
  /** Invariants that do not hold; undefined before the first check has ended. */
  readonly broken: number | undefined
  readonly checkedAt: Date | undefined
  /** No check has ended for longer than a day. */
  readonly isOverdue: boolean
}

export interface JobFigures {
  readonly name: string
  readonly everySeconds: number
  readonly failuresInRow: number
  /** Null before the first good run, and the first run. */
  readonly lastSucceededAt: Date | null
  readonly lastDurationSeconds: number | null
  /** Seconds since it should have been started; 0 while it is not due. */
  readonly overdueSeconds: number
}

export interface LogFigures {
  readonly entries: number
  /** Events that are not in the log yet, counted up to 10,000. */
  readonly waiting: number
  /** Seconds since the oldest of them came; 0 when there are none. */
  readonly oldestSeconds: number
  /** Events from which no entry can be made, counted up to 10,000. */
  readonly setAside: number
  /** Why the log cannot be signed; undefined when it can. */
  readonly trouble: LogFault | undefined
  readonly signedSize: number | undefined
  readonly signedAt: Date | undefined
  readonly witnesses: readonly WitnessFigures[]
}

export type LogFault = 'no_key' | 'key_changed' | 'history_lost' | 'inconsistent'

export interface WitnessFigures {
  readonly name: string
  readonly cosignedAt: Date | undefined
  readonly problem: string | undefined
}

/** What of the outbox waits to be sent, by channel. */
export interface QueueFigures {
  readonly name: OutboxChannel
  /** Counted up to 10,000. */
  readonly waiting: number
  /** Seconds since the oldest was to be sent; 0 when none waits. */
  readonly oldestSeconds: number
}

/** Why nothing can be written. */
export type ReadOnlyReason = 'disk_full' | 'standby' | 'setting'

/** What the database says of itself and keeps of the product. */
export interface DatabaseFigures {
  /** How long it took to say so. */
  readonly answerSeconds: number
  readonly readOnly: ReadOnlyReason | undefined
  readonly openings: number
  readonly jobs: readonly JobFigures[]
  readonly log: LogFigures
  readonly queues: readonly QueueFigures[]
}

export interface ProcessFigures {
  /** Tells it from others: the machine and the process number. */
  readonly name: string
  readonly version: string
  readonly startedAt: Date
  readonly residentBytes: number
  /** How late timers came in the last half minute: half of them, 99 of 100, the latest. */
  readonly loopLagSeconds: { readonly p50: number; readonly p99: number; readonly max: number }
}

export interface ServerFigures {
  readonly now: Date
  readonly process: ProcessFigures
  /** Undefined where the database is a part of the process. */
  readonly pool: PoolFigures | undefined
  readonly events: EventsFigures
  readonly limiter: LimiterFigures
  readonly connections: ConnectionFigures
  /** Undefined when the database does not answer in time; then nothing is known of the books. */
  readonly database: DatabaseFigures | undefined
  readonly books: BooksFigures | undefined
}
