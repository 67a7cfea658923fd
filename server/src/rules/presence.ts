// Whether the list of chatters bears out that somebody watches.

import { DomainError } from '../shared/domain-error.ts'

/** The list lags behind those who come and go, so nobody is judged by it at once. */
const graceMillis = 300_000
const seenMillis = 600_000
/** A list that was not read for so long says nothing about anybody. */
const listMillis = 300_000

export interface Presence {
  readonly mode: 'off' | 'observe' | 'require'
  /** When the list was last read to its end. */
  readonly listReadAt: Date | null
  readonly sessionStartedAt: Date
  readonly seenAt: Date | null
}

/** True unless staff require presence, the list is fresh, and it lacks the viewer for long. */
export function isPresent(presence: Presence, now: Date): boolean {
  const { mode, listReadAt, sessionStartedAt, seenAt } = presence
  const isWithin = (time: Date | null, millis: number) =>
    time !== null && now.getTime() - time.getTime() <= millis
  return (
    mode !== 'require' ||
    !isWithin(listReadAt, listMillis) ||
    isWithin(sessionStartedAt, graceMillis) ||
    isWithin(seenAt, seenMillis)
  )
}

/** @throws DomainError wrong_state for a viewer who is not in the chat where that is required */
export function requirePresence(presence: Presence, now: Date): void {
  if (isPresent(presence, now)) return
  throw new DomainError(
    'wrong_state',
    'You are not in the chat of this stream, so watch time does not count',
  )
}
