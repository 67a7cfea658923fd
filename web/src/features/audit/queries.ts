// What the Audit Log tab asks the server: what staff did, page by page and as a file.

import { type AuditResponse, adminAuditContract, auditSorts } from '@redpack/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call, urlOf } from '../../lib/api.ts'
import { emptyPage, endpointQuery } from '../../lib/endpoint-query.ts'
import { useIsStaff } from '../session/queries.ts'

/** Entries on a page. */
export const auditPageSize = 50

export interface AuditFilters {
  readonly search: string
  /** A whole action or its noun; empty for all. */
  readonly action: string
  /** Days as the date field has them, in the browser's own zone; empty for no bound. */
  readonly from: string
  readonly until: string
  /** All entries of one bulk act; empty for all. */
  readonly batch: string
}

/** Midnight of a day here, `daysLater` later, as a moment; undefined for no day. */
export function startOfDay(day: string, daysLater = 0): string | undefined {
  const found = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day)
  if (!found) return undefined
  const [year = 0, month = 1, date = 1] = found.slice(1).map(Number)
  const moment = new Date(year, month - 1, date + daysLater)
  return Number.isNaN(moment.getTime()) ? undefined : moment.toISOString()
}

function filterQuery({ search, action, from, until, batch }: AuditFilters) {
  return {
    search: search || undefined,
    action: action || undefined,
    batchId: batch || undefined,
    from: startOfDay(from),
    // The last day counts as a whole.
    until: startOfDay(until, 1),
  }
}

export interface AuditPlace {
  /** A column of the contract's sorts; anything else is taken as the usual one. */
  readonly sort: string
  readonly page: number
}

export function useAudit(filters: AuditFilters, { sort: wanted, page }: AuditPlace) {
  const sort = auditSorts.find((known) => known === wanted) ?? '-createdAt'
  return useQuery<AuditResponse>({
    ...endpointQuery(adminAuditContract.list, {
      shows: ['audit'],
      key: [filters, sort, page],
      empty: { entries: [], ...emptyPage },
      ask: (signal) =>
        call(adminAuditContract.list, {
          query: { ...filterQuery(filters), sort, page, limit: auditPageSize },
          signal,
        }),
    }),
    placeholderData: keepPreviousData,
    enabled: useIsStaff(),
  })
}

/** Address of the entries that match as a file. */
export function auditFile(filters: AuditFilters): string {
  return urlOf(adminAuditContract.file.path, {}, filterQuery(filters))
}
