// Who may do what: the three roles and the one question asked of them.

import type { Suspension } from './suspension.ts'

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
