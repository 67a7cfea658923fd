// The member of staff behind a change.

export interface StaffCall {
  readonly actorId: number
  readonly requestId: string
  /** Method and path, for the idempotency key. */
  readonly route: string
  readonly idempotencyKey: string | undefined
}
