// Whether an error says that the database itself is away, and not that a statement failed.

import { sqlState } from './retry.ts'

const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])
/** What the driver says of a connection that is gone, in errors without a code. */
const lostConnection = /Connection terminated|is not queryable|connection timeout/i

/** True for connections that were refused, ended or lost. */
export function isDatabaseAway(error: unknown): boolean {
  const state = sqlState(error)
  if (state !== undefined && !networkCodes.has(state)) return /^(08|57P0)/.test(state)
  const inner = error instanceof AggregateError ? error.errors[0] : error
  if (!(inner instanceof Error)) return false
  const { code } = inner as NodeJS.ErrnoException
  return code === undefined ? lostConnection.test(inner.message) : networkCodes.has(code)
}

/** The fields by which the log tells one line of an outage of the database. */
export function awayFields(error: unknown): { readonly down?: 'the database' } {
  return isDatabaseAway(error) ? { down: 'the database' } : {}
}
