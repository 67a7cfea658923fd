// Who may do what: the three roles and the one question asked of them.

export const roles = ['user', 'admin', 'super_user'] as const
export type Role = (typeof roles)[number]

/** True for the roles that may use the admin panel and its calls. */
export function isStaff(role: Role): boolean {
  return role === 'admin' || role === 'super_user'
}

/** The signed-in person behind a request. */
export interface Actor {
  readonly userId: number
  readonly role: Role
  /** SHA-256 of the session token, hex: names the session without being able to use it. */
  readonly sessionHash: string
}
