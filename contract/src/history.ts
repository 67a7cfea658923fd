// The caller's own RedCoin ledger, as pages and as a CSV file.

import * as z from 'zod/mini'
import { Pagination, Timestamp } from './answers.ts'
import { endpoint } from './endpoint.ts'
import { historyPageDefault, historyPageMax } from './limits.ts'
import { redCoinTypes } from './red-coin-types.ts'
import { PageNumber, pageLimit } from './values.ts'

/** One change of the balance. */
export const RedCoinEntry = z.object({
  id: z.int(),
  createdAt: Timestamp,
  /** Signed, never 0. */
  amount: z.int(),
  type: z.enum(redCoinTypes),
  description: z.string(),
  balanceAfter: z.int(),
  /** The prize that paid, when one did. */
  prizeName: z.nullable(z.string()),
  /** The opening that paid, when one did. */
  openingId: z.nullable(z.int()),
})
export type RedCoinEntry = z.infer<typeof RedCoinEntry>

const typeFilter = z._default(z.catch(z.enum(['all', ...redCoinTypes]), 'all'), 'all')

export const RedCoinHistoryQuery = z.object({
  page: PageNumber,
  limit: pageLimit(historyPageDefault, historyPageMax),
  type: typeFilter,
})
export type RedCoinHistoryQuery = z.infer<typeof RedCoinHistoryQuery>

export const RedCoinHistoryResponse = z.object({
  entries: z.array(RedCoinEntry),
  pagination: Pagination,
})
export type RedCoinHistoryResponse = z.infer<typeof RedCoinHistoryResponse>

export const RedCoinFileQuery = z.object({ type: typeFilter })

export const historyContract = {
  redCoin: endpoint('viewer', 'GET', '/api/redcoin/history', {
    summary: "Returns one page of the caller's balance changes, newest first.",
    query: RedCoinHistoryQuery,
    response: RedCoinHistoryResponse,
  }),
  redCoinFile: endpoint('viewer', 'GET', '/api/redcoin/history.csv', {
    summary: 'Returns the same changes as a CSV file, newest first, at most 100000 rows.',
    query: RedCoinFileQuery,
    response: 'text',
    rate: 'upload',
  }),
}
