// What staff did: the log with search and filters, and the same as a file.

import * as z from 'zod/mini'
import { Timestamp } from './answers.ts'
import { endpoint } from './endpoint.ts'
import { pageCounts, pageFields, queryChoice } from './list-or-page.ts'
import { idNumber, SearchText } from './values.ts'

/** A filter of the log; an invalid one is ignored. */
function filterText(max: number) {
  return z._default(z.catch(z.string().check(z.maxLength(max), z.regex(/^[\w.:-]+$/)), ''), '')
}

/** Turned into UTC: ISO 8601 allows an offset of 23:59, but no database takes it. */
const Instant = z.pipe(
  z.iso.datetime({ offset: true }),
  z.transform((text) => new Date(text).toISOString()),
)
const Moment = z.optional(z.catch(z.optional(Instant), undefined))

const filters = {
  search: SearchText,
  /** The whole action, or its noun: `redcoin` finds `redcoin.distribute`. */
  action: filterText(100),
  actorId: z.optional(z.catch(z.optional(idNumber('Invalid id')), undefined)),
  targetType: filterText(100),
  targetId: filterText(100),
  batchId: z.optional(z.catch(z.optional(z.guid()), undefined)),
  /** At or after this moment. */
  from: Moment,
  /** Before this moment. */
  until: Moment,
}

/** By time, with a minus sign in front for the latest first. */
export const auditSorts = ['-createdAt', 'createdAt'] as const

export const AuditQuery = z.object({
  ...filters,
  sort: queryChoice(auditSorts, '-createdAt'),
  page: pageFields.page,
  limit: pageFields.limit,
})
export type AuditQuery = z.infer<typeof AuditQuery>

export const AuditFileQuery = z.object(filters)
export type AuditFileQuery = z.infer<typeof AuditFileQuery>

export const AuditEntry = z.object({
  id: z.int(),
  createdAt: Timestamp,
  /** Null when the product acted by itself. */
  actor: z.nullable(z.object({ id: z.int(), username: z.string(), displayName: z.string() })),
  action: z.string(),
  target: z.nullable(
    z.object({
      type: z.string(),
      id: z.nullable(z.string()),
      /** Its name today; null when it is gone or has none. */
      name: z.nullable(z.string()),
    }),
  ),
  before: z.unknown(),
  after: z.unknown(),
  reason: z.nullable(z.string()),
  batchId: z.nullable(z.string()),
  requestId: z.nullable(z.string()),
})
export type AuditEntry = z.infer<typeof AuditEntry>

export const AuditResponse = z.object({ entries: z.array(AuditEntry), ...pageCounts })
export type AuditResponse = z.infer<typeof AuditResponse>

export const adminAuditContract = {
  list: endpoint('staff', 'GET', '/api/admin/audit', {
    summary: 'Lists what staff did, newest first by default.',
    query: AuditQuery,
    response: AuditResponse,
  }),
  file: endpoint('staff', 'GET', '/api/admin/audit.csv', {
    summary: 'Returns the same entries as a CSV file, newest first, at most 100000 rows.',
    query: AuditFileQuery,
    response: 'text',
    rate: 'upload',
  }),
}
