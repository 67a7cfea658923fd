// What the history feature asks the server: the player's own ledger, page by page and as a file.

import { historyContract, historyPageDefault, type RedCoinHistoryQuery } from '@redpack/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call, urlOf } from '../../lib/api.ts'
import { emptyPagination, endpointQuery } from '../../lib/endpoint-query.ts'

export type EntryFilter = RedCoinHistoryQuery['type']

/** One page of the changes of the balance; the page before stays until the next has come. */
export function useRedCoinHistory(type: EntryFilter, page: number) {
  return useQuery({
    ...endpointQuery(historyContract.redCoin, {
      shows: ['user'],
      key: [type, page],
      ask: (signal) =>
        call(historyContract.redCoin, { query: { page, limit: historyPageDefault, type }, signal }),
      empty: { entries: [], pagination: emptyPagination },
    }),
    placeholderData: keepPreviousData,
  })
}

/** Where the same changes are to be had as a CSV file. */
export function historyFileAddress(type: EntryFilter): string {
  return urlOf(historyContract.redCoinFile.path, {}, type === 'all' ? {} : { type })
}
