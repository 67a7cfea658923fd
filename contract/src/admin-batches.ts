// Grants to many: files are previewed before they are applied; every grant is kept with its receipt
// and can be reversed as a whole.

import * as z from 'zod/mini'
import { ActionAnswer, NamedRow, Timestamp } from './answers.ts'
import { endpoint } from './endpoint.ts'
import { batchRowsPageDefault, batchRowsPageMax } from './limits.ts'
import { pageCounts, pageFields, queryChoice } from './list-or-page.ts'
import { crossRule, flag, hex32, idNumber, PageNumber, pageLimit, requestObject } from './values.ts'

export const batchKinds = ['packs', 'redcoin'] as const
export const BatchKind = z.enum(batchKinds, { error: 'Invalid kind' })
export type BatchKind = z.infer<typeof BatchKind>

/**
 * What becomes of a row. `ok` rows are applied; a reversal takes them back whole, or finds some of
 * it `spent` or the user `gone`.
 */
export const rowVerdicts = [
  'ok',
  'unknown',
  'ambiguous',
  'renamed',
  'duplicate',
  'bad_number',
  'over_limit',
  'spent',
  'gone',
] as const
export const RowVerdict = z.enum(rowVerdicts)
export type RowVerdict = z.infer<typeof RowVerdict>

/** Whom a batch, or its reversal, reached: the rows of a file, users by name, or everyone. */
export const batchRecipients = ['file', 'named', 'everyone'] as const
export const BatchRecipients = z.enum(batchRecipients)

export const BatchRow = z.object({
  /**
   * In a file, the row as a spreadsheet counts (the header is row 1). In other grants, the place
   * in their list. In a reversal, the row that it takes back.
   */
  row: z.int(),
  username: z.string(),
  userId: z.nullable(z.int()),
  displayName: z.nullable(z.string()),
  verdict: RowVerdict,
  reason: z.nullable(z.string()),
  /** What the row asks for, below 0 in a reversal; null if it is not a whole number. */
  amount: z.nullable(z.int()),
  /** What it changes or changed; 0 for a row that is not applied. */
  applied: z.int(),
  /** What the user has afterwards; null for a row that is not applied. */
  after: z.nullable(z.int()),
})
export type BatchRow = z.infer<typeof BatchRow>

/** Applies a file again that was applied within the last 24 hours. */
const applyAgain = z.optional(flag('Apply again must be true or false'))

/** Of a preview: the file is refused if a name in it belongs to somebody else by now. */
const usersHash = z.optional(hex32('Look at the file first'))

/** Text fields beside the file of a bulk grant of packs. */
export const BulkPacksRequest = requestObject({
  packTypeId: idNumber('Please select a pack type and CSV file'),
  applyAgain,
  usersHash,
})

export const BulkRedCoinRequest = requestObject({ applyAgain, usersHash })

export const BulkResponse = z.extend(ActionAnswer, {
  /** The batch with its receipt. */
  batchId: z.string(),
  /** 0 when the file was applied before. */
  processedCount: z.int(),
  failedCount: z.int(),
  /** Nothing was given: `batchId` names the batch that applied this file within 24 hours. */
  alreadyApplied: z.optional(z.literal(true)),
  /** When that was. */
  appliedAt: z.optional(Timestamp),
  errors: z.array(z.object({ row: z.int(), username: z.string(), reason: z.string() })),
})
export type BulkResponse = z.infer<typeof BulkResponse>

/** The file of a bulk grant; `missing` is the error when there is none. */
export function csvFile<const Missing extends string>(missing: Missing) {
  return { field: 'file', isRequired: true, missing } as const
}

/** Text fields beside the file of a preview. */
export const PreviewRequest = requestObject({
  kind: BatchKind,
  packTypeId: z.optional(idNumber('Please select a pack type and CSV file')),
}).check(
  crossRule<{ readonly kind?: unknown; readonly packTypeId?: unknown }>((input) =>
    input.kind === 'packs' && input.packTypeId === undefined
      ? { path: 'packTypeId', message: 'Please select a pack type and CSV file', before: [] }
      : undefined,
  ),
)

export const PreviewResponse = z.object({
  kind: BatchKind,
  packType: z.nullable(NamedRow),
  fileName: z.string(),
  /** SHA-256 of the file, 64 hex digits. */
  fileHash: z.string(),
  /** SHA-256 of whom the file reaches, 64 hex digits; applying the file may require it. */
  usersHash: z.string(),
  processedCount: z.int(),
  failedCount: z.int(),
  /** RedCoin or packs that the file gives in all. */
  total: z.int(),
  rows: z.array(BatchRow),
  /** The batch that applying the file would return instead of giving again; else null. */
  appliedBefore: z.nullable(z.object({ batchId: z.string(), createdAt: Timestamp })),
})
export type PreviewResponse = z.infer<typeof PreviewResponse>

export const Batch = z.object({
  id: z.string(),
  kind: BatchKind,
  packType: z.nullable(NamedRow),
  createdAt: Timestamp,
  actor: z.object({ id: z.int(), username: z.string(), displayName: z.string() }),
  recipients: BatchRecipients,
  /** The reason that staff gave; null for a file, a reversal, or no reason. */
  description: z.nullable(z.string()),
  /** Null for a batch without a file. */
  fileName: z.nullable(z.string()),
  fileHash: z.nullable(z.string()),
  processedCount: z.int(),
  failedCount: z.int(),
  /** What was given in all; below 0 if it was taken. */
  total: z.int(),
  /** The batch that this one takes back. */
  reverses: z.nullable(z.string()),
  reversedBy: z.nullable(z.string()),
})
export type Batch = z.infer<typeof Batch>

/** What a list of batches can be narrowed to. */
export const batchKindFilters = ['all', ...batchKinds] as const
export const batchRecipientFilters = ['all', ...batchRecipients] as const

export const BatchesQuery = z.object({
  kind: queryChoice(batchKindFilters, 'all'),
  recipients: queryChoice(batchRecipientFilters, 'all'),
  page: pageFields.page,
  limit: pageFields.limit,
})
export type BatchesQuery = z.infer<typeof BatchesQuery>

export const BatchesResponse = z.object({ batches: z.array(Batch), ...pageCounts })
export type BatchesResponse = z.infer<typeof BatchesResponse>

export const BatchParams = z.object({
  id: z
    .string()
    .check(
      z.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, { error: 'Invalid id' }),
      z.meta({ format: 'uuid' }),
    ),
})

export const BatchQuery = z.object({
  /** `problems` leaves out rows that were applied unchanged. */
  rows: z._default(z.catch(z.enum(['all', 'problems']), 'all'), 'all'),
  page: PageNumber,
  limit: pageLimit(batchRowsPageDefault, batchRowsPageMax),
})
export type BatchQuery = z.infer<typeof BatchQuery>

export const BatchResponse = z.object({ batch: Batch, rows: z.array(BatchRow), ...pageCounts })
export type BatchResponse = z.infer<typeof BatchResponse>

export const ReverseBatchResponse = z.extend(ActionAnswer, {
  /** The batch of the reversal itself. */
  batchId: z.string(),
  processedCount: z.int(),
  totalTaken: z.int(),
  /** What could not be taken back because it is gone. */
  shortfall: z.int(),
  /** Users who no longer have all that the batch gave. */
  spentCount: z.int(),
  /** Who they are, the first 10000; the receipt has all of them. */
  spent: z.array(
    z.object({
      userId: z.nullable(z.int()),
      username: z.string(),
      given: z.int(),
      taken: z.int(),
    }),
  ),
})
export type ReverseBatchResponse = z.infer<typeof ReverseBatchResponse>

const Held = z.object({
  /** The sum over everyone who has some. */
  total: z.int(),
  users: z.int(),
})

export const GrantReach = z.object({
  /** Users whom a grant to all reaches. */
  recipients: z.int(),
  redCoin: Held,
  packs: Held,
})
export type GrantReach = z.infer<typeof GrantReach>

export const adminBatchesContract = {
  reach: endpoint('staff', 'GET', '/api/admin/grants/reach', {
    summary: 'Counts whom a grant to all reaches, and what taking everything from all would take.',
    response: GrantReach,
  }),
  preview: endpoint('staff', 'POST', '/api/admin/batches/preview', {
    changes: [],
    summary: 'Shows what applying a CSV file would do, row by row; changes nothing.',
    bodyKind: 'multipart',
    bodyLimit: 'file',
    body: PreviewRequest,
    file: csvFile('Please select a CSV file'),
    response: PreviewResponse,
    domainErrors: ['not_found'],
  }),
  list: endpoint('staff', 'GET', '/api/admin/batches', {
    summary: 'Lists grants to many and their reversals, newest first.',
    query: BatchesQuery,
    response: BatchesResponse,
  }),
  detail: endpoint('staff', 'GET', '/api/admin/batches/{id}', {
    summary: 'Returns one grant to many with a page of its rows.',
    params: BatchParams,
    query: BatchQuery,
    response: BatchResponse,
  }),
  receipt: endpoint('staff', 'GET', '/api/admin/batches/{id}/receipt.csv', {
    summary: 'Returns every row of a grant to many with its verdict, as a CSV file.',
    params: BatchParams,
    response: 'text',
    rate: 'upload',
  }),
  reverse: endpoint('staff', 'POST', '/api/admin/batches/{id}/reverse', {
    changes: ['users', 'overview', 'batches', 'user', 'holdings', 'leaderboard'],
    summary: 'Takes back what a grant to many gave, at most what is still there; only once.',
    params: BatchParams,
    response: ReverseBatchResponse,
    domainErrors: ['not_found', 'wrong_state', 'confirmation_needed'],
    idempotent: true,
  }),
}
