// The member of staff behind a change.

/** Who changes something, and the request it came with. */
export interface StaffMember {
  readonly actorId: number
  readonly requestId: string
}

/** The same for a call that takes effect once. */
export interface StaffCall extends StaffMember {
  /** Method and path, for the idempotency key. */
  readonly route: string
  readonly idempotencyKey: string | undefined
}
