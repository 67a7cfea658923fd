// What a refusal looks like on the wire.

import * as z from 'zod/mini'

/**
 * Body of every answer that is not a success: the sentence stands in `message` and `error`.
 */
export const Problem = z.object({
  /** With `commitment_moved` alone: the one that the next opening uses. */
  commitment: z.optional(z.string()),
  code: z.string(),
  message: z.string(),
  error: z.string(),
  requestId: z.string(),
  /** With `changed_meanwhile` also what the sender saw and what is there now. */
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
