// What a failure is a consequence of, so that the log can leave it out while its cause is told.

import { isDatabaseUnavailable } from '../db/retry.ts'

/** Fields of a line about a failure; empty when it has a cause of its own. */
export function becauseOf(error: unknown): { readonly because?: 'the database' } {
  return isDatabaseUnavailable(error) ? { because: 'the database' } : {}
}
