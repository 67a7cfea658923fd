// Who may do what: the three roles and the questions asked of them, and what a suspension stops,
// which is over by itself, whoever looks and whenever.

import { DomainError } from '../shared/domain-error.ts'

export const roles = ['user', 'admin', 'super_user'] as const
export type Role = (typeof roles)[number]

/** True for the roles that may use the admin panel and its calls. */
export function isStaff(role: Role): boolean {
  return role === 'admin' || role === 'super_user'
}

/**
 * May somebody of this role do what concerns everybody at once, such as taking all RedCoin? Where
 * roles are strict, super users alone may.
 */
export function mayActOnEverybody(role: Role, isStrict: boolean): boolean {
  return isStrict ? role === 'super_user' : isStaff(role)
}

/**
 * May somebody of the role `own` change a role from `from` to `to`? Where roles are strict, super
 * users alone make super users and take that role away.
 */
export function mayChangeRole(own: Role, from: Role, to: Role, isStrict: boolean): boolean {
  if (!isStaff(own)) return false
  const isOfSuperUser = from === 'super_user' || to === 'super_user'
  return !isStrict || !isOfSuperUser || own === 'super_user'
}

/** The signed-in person behind a request. */
export interface Actor {
  readonly userId: number
  readonly role: Role
  /** SHA-256 of the session token, hex: names the session without being able to use it. */
  readonly sessionHash: string
  /** The last one; the clock says whether it holds. */
  readonly suspension?: Suspension | null
}

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
