// The closed list of reasons for which the product refuses a request.

import * as z from 'zod/mini'

/**
 * Every code a refusal can carry. The server maps each to one HTTP status in a table typed over
 * this list, so a new code without a status does not compile.
 */
export const domainErrorCodes = [
  'invalid_input',
  'unsupported_media_type',
  'payload_too_large',
  'headers_too_large',
  'unauthorized',
  'invalid_credentials',
  'second_factor_required',
  'second_factor_invalid',
  'confirmation_needed',
  'forbidden',
  'cross_site',
  'wrong_host',
  'protected_account',
  'suspended',
  'not_found',
  'insufficient_packs',
  'insufficient_redcoin',
  'not_enough_stock',
  'unlimited_stock',
  'already_completed',
  'duplicate',
  'in_use',
  'wrong_state',
  'shipment_state',
  'country_not_served',
  'odds_changed',
  'commitment_moved',
  'price_changed',
  'changed_meanwhile',
  'idempotency_in_flight',
  'idempotency_mismatch',
  'rate_limited',
  'service_unavailable',
] as const

export type DomainErrorCode = (typeof domainErrorCodes)[number]

/** Body of every answer that is not a success: `message` and `error` both hold the sentence. */
export const Problem = z.object({
  /** Only with `commitment_moved`: the one that the next opening uses. */
  commitment: z.optional(z.string()),
  /** Only with `suspended`: why, and until when; null until staff end it. */
  reason: z.optional(z.string()),
  until: z.optional(z.nullable(z.string())),
  code: z.string(),
  message: z.string(),
  error: z.string(),
  requestId: z.string(),
  /** With `changed_meanwhile` also the value the sender saw and the one now. */
  errors: z.optional(
    z.array(
      z.object({
        path: z.string(),
        message: z.string(),
        expected: z.optional(z.unknown()),
        current: z.optional(z.unknown()),
      }),
    ),
  ),
})
