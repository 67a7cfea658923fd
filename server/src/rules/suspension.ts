// What a suspension stops, and when it is over: by itself, whoever looks and whenever.

import { DomainError } from '../shared/domain-error.ts'

/** How the end of a suspension without an end is kept; the wire says null. */
export const endless = new Date('9999-12-31T00:00:00Z')

export interface Suspension {
  readonly reason: string
  /** ISO 8601; null until staff end it. */
  readonly until: string | null
  readonly answer: string | null
}

/** True while a suspension holds; the last one stays known after its time. */
export function isSuspended(
  suspension: Suspension | null | undefined,
  now: Date,
): suspension is Suspension {
  if (!suspension) return false
  return suspension.until === null || Date.parse(suspension.until) > now.getTime()
}

/** @throws DomainError suspended, with the reason and until when */
export function requireNotSuspended(suspension: Suspension | null | undefined, now: Date): void {
  if (!isSuspended(suspension, now)) return
  const { reason, until } = suspension
  const message = 'Your account is suspended, so this is not possible for now'
  throw new DomainError('suspended', message, { suspension: { reason, until } })
}
