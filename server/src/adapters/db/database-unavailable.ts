// The one error of a database that does not answer, whatever the driver says about it.

/**
 * The database cannot be reached, does not answer in time, or too many wait for it already. What a
 * statement or COMMIT that was under way has done is not known: whoever repeats a change does so
 * with its Idempotency-Key. Answered 503.
 */
export class DatabaseUnavailable extends Error {
  constructor(why: string, options: { cause?: unknown } = {}) {
    super(`The database ${why}`, options)
    this.name = 'DatabaseUnavailable'
  }
}

/** True for such an error and for one that was wrapped around it, as the query builder does. */
export function isDatabaseUnavailable(error: unknown): boolean {
  let current: unknown = error
  for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
    if (current instanceof DatabaseUnavailable) return true
    current = current.cause
  }
  return false
}

/** One line: what is behind it all. Errors of several addresses of one name carry their reasons. */
export function reasonOf(error: unknown): string {
  if (error instanceof DatabaseUnavailable && error.cause !== undefined)
    return reasonOf(error.cause)
  const inner = error instanceof AggregateError ? error.errors[0] : error
  return String((inner as Error).message ?? inner).split('\n', 1)[0] ?? ''
}
