// How the public log of draws is doing, as staff see it.

import * as z from 'zod/mini'
import { Timestamp } from './answers.ts'
import { endpoint } from './endpoint.ts'

/** Why the log is no longer signed; docs/operating.md says what to do about each. */
export const LogFault = z.enum(['no_key', 'key_changed', 'history_lost', 'inconsistent'])
export type LogFault = z.infer<typeof LogFault>

export const LogWitnessState = z.object({
  name: z.string(),
  /** When it last cosigned; null when never. */
  cosignedAt: z.nullable(Timestamp),
  /** Entries it has seen. */
  seenSize: z.int(),
  /** What went wrong last time; null when nothing did. */
  problem: z.nullable(z.string()),
})
export type LogWitnessState = z.infer<typeof LogWitnessState>

export const LogState = z.object({
  /** The server's time, to compare the other times with. */
  now: Timestamp,
  /** The log's name; null before the first signature. */
  origin: z.nullable(z.string()),
  entries: z.int(),
  /** Events that are not in the log yet. */
  waiting: z.int(),
  /** Events that cannot be made into entries. */
  setAside: z.int(),
  checkpoint: z.nullable(z.object({ size: z.int(), signedAt: Timestamp })),
  trouble: z.nullable(LogFault),
  /** The key in force, as others get it. */
  key: z.nullable(z.string()),
  /** Keys and names accepted after the first, newest first. */
  changes: z.array(
    z.object({ at: Timestamp, reason: z.enum(['new_key', 'new_log']), fromSize: z.int() }),
  ),
  witnesses: z.array(LogWitnessState),
  /** The channel that gets each day's checkpoint; null when none is set. */
  discord: z.nullable(
    z.object({
      channelId: z.string(),
      /** The last day posted to the channel. */
      postedDay: z.nullable(z.string()),
      problem: z.nullable(z.string()),
    }),
  ),
})
export type LogState = z.infer<typeof LogState>

export const adminLogContract = {
  state: endpoint('staff', 'GET', '/api/admin/log', {
    summary: 'Returns size, checkpoint, key, witnesses and faults of the public log.',
    response: LogState,
  }),
}
