// What the Distribution Center asks the server: whom to give to, what to give, and every act.

import {
  adminBatchesContract,
  adminGrantsContract,
  type BatchesQuery,
  type BatchKind,
  type BulkResponse,
  type PreviewResponse,
} from '@redpack/contract'
import { keepPreviousData, useMutation } from '@tanstack/react-query'
import { call, urlOf } from '../../lib/api.ts'
import { emptyPage, useEndpoint } from '../../lib/endpoint-query.ts'
import { useCall, useIdempotentMutation } from '../../lib/use-call.ts'

/** What the acts on everyone would do, counted anew wherever it comes on screen. */
export function useGrantReach() {
  const query = useEndpoint(adminBatchesContract.reach, { shows: ['batches'] })
  return { ...query, isCounted: query.isSuccess && !query.isFetching }
}

/** Takes all RedCoin, or all packs, from everyone. */
export function useRemoveAll(kind: BatchKind) {
  const { removeAllPacks, removeAllRedCoin } = adminGrantsContract
  return useCall<typeof removeAllPacks | typeof removeAllRedCoin>(
    kind === 'packs' ? removeAllPacks : removeAllRedCoin,
  )
}

/** A file and what it is to give; the pack type is 0 for RedCoin. */
export interface BulkInput {
  readonly kind: BatchKind
  readonly packTypeId: number
  readonly file: File
}

function formOf({ kind, packTypeId, file, ...seen }: BulkInput & Partial<FileToApply>): FormData {
  const form = new FormData()
  // Fields first: a reader of the form then knows them when the file arrives.
  form.set('kind', kind)
  if (kind === 'packs') form.set('packTypeId', String(packTypeId))
  if (seen.usersHash !== undefined) form.set('usersHash', seen.usersHash)
  if (seen.isAgain) form.set('applyAgain', 'true')
  form.set('file', file, file.name)
  return form
}

/** What applying the file would do; asked for anew with every choice of file and pack type. */
export function usePreview() {
  return useMutation({
    mutationFn: (input: BulkInput) => call(adminBatchesContract.preview, { body: formOf(input) }),
  })
}

export interface FileToApply extends BulkInput, Pick<PreviewResponse, 'fileHash' | 'usersHash'> {
  /** Also when the very same file was applied within the day. */
  readonly isAgain?: boolean
}

/** Applies a file that was looked at; its hash names it. */
export function useApplyFile() {
  return useIdempotentMutation((input: FileToApply, idempotencyKey): Promise<BulkResponse> => {
    const body = formOf(input)
    return input.kind === 'packs'
      ? call(adminGrantsContract.bulkPacks, { body, idempotencyKey })
      : call(adminGrantsContract.bulkRedCoin, { body, idempotencyKey })
  })
}

export const batchesPageSize = 10
export const batchRowsPageSize = 50

export interface BatchesView {
  readonly page: number
  readonly kind: BatchesQuery['kind']
  readonly recipients: BatchesQuery['recipients']
}

export function useBatches(view: BatchesView) {
  return useEndpoint(adminBatchesContract.list, {
    shows: ['batches'],
    options: { query: { ...view, limit: batchesPageSize } },
    empty: { batches: [], ...emptyPage },
    placeholderData: keepPreviousData,
  })
}

export function useBatch(id: string, page: number, onlyProblems: boolean) {
  return useEndpoint(adminBatchesContract.detail, {
    shows: ['batches'],
    options: {
      params: { id },
      query: { page, limit: batchRowsPageSize, rows: onlyProblems ? 'problems' : 'all' },
    },
    placeholderData: keepPreviousData,
  })
}

/** Address of a batch's receipt as a file. */
export function receiptAddress(id: string): string {
  return urlOf(adminBatchesContract.receipt.path, { id })
}
