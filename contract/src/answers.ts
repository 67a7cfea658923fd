// Parts that only answers use: times, actions, pages and short forms of rows.

import * as z from 'zod/mini'

/** A moment in an answer: ISO 8601 text in UTC. */
export const Timestamp = z.string().check(z.meta({ format: 'date-time' }))

/** Why somebody is suspended, and until when; null until staff end it. */
export const Suspension = z.object({
  reason: z.string(),
  until: z.nullable(Timestamp),
  /** What the person wrote to staff about it. */
  answer: z.nullable(z.string()),
})

/** Answer of a call that has no row to return. */
export const ActionAnswer = z.object({ success: z.literal(true), message: z.string() })

/** The place of a page in its list. */
export const Pagination = z.object({
  totalItems: z.int(),
  totalPages: z.int(),
  hasPreviousPage: z.boolean(),
  hasNextPage: z.boolean(),
  page: z.int(),
  limit: z.int(),
})

/** A row named by its id, as other rows refer to it. */
export const NamedRow = z.object({ id: z.int(), name: z.string() })

export const roles = ['user', 'admin', 'super_user'] as const
export const Role = z.enum(roles, { error: 'Invalid role' })
export type Role = z.infer<typeof Role>

export const claimStatuses = ['pending', 'processing', 'completed'] as const
export const ClaimStatus = z.enum(claimStatuses, { error: 'Invalid status' })
