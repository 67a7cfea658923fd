// The closed list of reasons for which the product refuses a request.

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
  'not_found',
  'insufficient_packs',
  'insufficient_redcoin',
  'not_enough_stock',
  'unlimited_stock',
  'already_completed',
  'duplicate',
  'in_use',
  'wrong_state',
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
