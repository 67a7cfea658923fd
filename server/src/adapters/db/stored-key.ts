// A stored Idempotency-Key: its row, the hash of its input, and what a repetition gets.

import { createHash } from 'node:crypto'
import { DomainError } from '../../shared/domain-error.ts'
import { type JsonText, trustedJson } from '../../shared/json-text.ts'

/** A key as it is found under its user, route and name. */
export interface StoredKey {
  readonly inputHash: string
  /** The answer, null as long as the call has none, and once whom it named has left. */
  readonly body: string | null
  /** Null as long as the call is under way. */
  readonly status: number | null
}

/** SHA-256 over everything that decides what a call does. */
export function hashInput(input: unknown): string {
  return createHash('sha256').update(JSON.stringify(input)).digest('hex')
}

/** SQL that inserts a key by rows in the order of the columns; without an answer, both are NULL. */
export const insertKey = `INSERT INTO idempotency_keys (user_id, route, key, input_hash, status,
      body, created_at)`

/** SQL of the condition that row `k` is the key of a user on a route. */
export const isKey = (user: string, route: string, key: string): string =>
  `k.user_id = ${user} AND k.route = ${route} AND k.key = ${key}`

/**
 * The answer that is stored under a key.
 * @throws DomainError idempotency_mismatch when the key was used with another input,
 * idempotency_in_flight as long as there is no answer, already_completed where it named somebody
 * who has left since
 */
export function answerOfKey<Answer>(stored: StoredKey, inputHash: string): JsonText<Answer> {
  if (stored.inputHash !== inputHash) {
    throw new DomainError(
      'idempotency_mismatch',
      'This Idempotency-Key was used with a different request',
    )
  }
  if (stored.status === null) throw keyInFlight()
  if (stored.body === null) {
    throw new DomainError(
      'already_completed',
      'This was done before. Its answer is gone: it named somebody who has left since.',
    )
  }
  return trustedJson(stored.body)
}

/** The refusal of a call while another with the same key is under way. */
export function keyInFlight(): DomainError {
  return new DomainError(
    'idempotency_in_flight',
    'A request with this Idempotency-Key is in progress',
  )
}
