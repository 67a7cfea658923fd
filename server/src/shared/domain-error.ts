// How the product says no: an error with a code from the closed list and one clear sentence.

import type { DomainErrorCode } from '@redpack/contract/error-codes'

export interface FieldProblem {
  /** Dotted path of the field, for example `notifications.email`. */
  readonly path: string
  readonly message: string
  /** What the sender saw, and what is there now. */
  readonly expected?: unknown
  readonly current?: unknown
}

/** What a refusal says besides its sentence. */
interface Details {
  readonly errors?: readonly FieldProblem[]
  readonly retryAfterSeconds?: number
  /** The commitment in force, with `commitment_moved`. */
  readonly commitment?: string
  /** Why and until when, with `suspended`. */
  readonly suspension?: { readonly reason: string; readonly until: string | null }
}

/**
 * The caller cannot have this. Thrown inside a transaction it rolls everything back; the HTTP
 * adapter turns it into the status of its code. `retryAfterSeconds` becomes the Retry-After header.
 */
export class DomainError extends Error {
  override readonly name = 'DomainError'
  readonly code: DomainErrorCode
  readonly details: Details

  constructor(code: DomainErrorCode, message: string, details: Details = {}) {
    super(message)
    this.code = code
    this.details = details
  }
}

/** What was looked for. @throws DomainError not_found when it is not there */
export function existing<Value>(value: Value | undefined, message: string): Value {
  if (value === undefined) throw new DomainError('not_found', message)
  return value
}

/** For whoever is not signed in, or has left since. */
export const signedOut = () => new DomainError('unauthorized', 'Unauthorized')

/** One field of the request is what the sentence says. */
export function wrongField(
  path: string,
  message: string,
  code: DomainErrorCode = 'invalid_input',
): DomainError {
  return new DomainError(code, message, { errors: [{ path, message }] })
}

/** An outside service failed. Made in adapters; answered 503. The cause is logged, never shown. */
export class Unavailable extends Error {
  readonly retryAfterSeconds: number

  constructor(
    message: string,
    options: { cause?: unknown; retryAfterSeconds?: number | undefined } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'Unavailable'
    this.retryAfterSeconds = options.retryAfterSeconds ?? 5
  }
}

/** States what must be true; a false condition is a bug in the program, answered 500 and logged. */
export function invariant(condition: unknown, why: string): asserts condition {
  if (!condition) throw new Error(`Broken invariant: ${why}`)
}
