// Makes the keys under which a request counts once, however often it is sent.

/**
 * A key nobody else has, for the `Idempotency-Key` header. Pages without HTTPS lack `randomUUID`,
 * not the random numbers; there it is 32 hex digits.
 */
export function newIdempotencyKey(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
