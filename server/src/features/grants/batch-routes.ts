// Bulk grants by file over HTTP: look, apply, read the receipt, reverse.

import { adminBatchesContract as batches, adminGrantsContract as grants } from '@redpack/contract'
import { command } from '../../adapters/http/command.ts'
import { sendFile, serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import type { UploadedFile } from '../../adapters/http/multipart.ts'
import { DomainError } from '../../shared/domain-error.ts'
import { applyBatch } from './apply-batch.ts'
import { batchesPage, batchReceipt, batchWithRows } from './batch-views.ts'
import { type BulkOrder, fingerprintOf, readOrder } from './judge-file.ts'
import { previewBatch } from './preview-batch.ts'
import { grantReach } from './reach-views.ts'
import { reverseBatch } from './reverse-batch.ts'

function fileOf(file: UploadedFile) {
  return { fileName: file.name, contentType: file.type, bytes: file.bytes }
}

function known<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new DomainError('not_found', 'Batch not found')
  return found
}

/** A repeated call is known by it; asking once more is another call. */
function inputOf(order: BulkOrder): string {
  const fingerprint = fingerprintOf(order)
  return order.isAgain === true ? `${fingerprint}:again` : fingerprint
}

export function registerBatches(context: FeatureContext): void {
  const { app, deps, guards } = context
  const { random } = deps
  serve(app, guards, batches.preview, ({ body: { kind, packTypeId }, file }) =>
    previewBatch(deps, {
      kind,
      packTypeId: kind === 'packs' ? packTypeId : undefined,
      ...fileOf(file),
    }),
  )
  command(context, grants.bulkPacks, {
    order: ({ body: { packTypeId, applyAgain }, file }): BulkOrder => {
      return { kind: 'packs', packTypeId, isAgain: applyAgain, ...fileOf(file) }
    },
    input: inputOf,
    prepare: async (order) => readOrder(order),
    run: (tx, by, order, rows) => applyBatch(tx, by, order, rows, random.uuidInOrder()),
  })
  command(context, grants.bulkRedCoin, {
    order: ({ body: { applyAgain }, file }): BulkOrder => {
      return { kind: 'redcoin', packTypeId: undefined, isAgain: applyAgain, ...fileOf(file) }
    },
    input: inputOf,
    prepare: async (order) => readOrder(order),
    run: (tx, by, order, rows) => applyBatch(tx, by, order, rows, random.uuidInOrder()),
  })
  serve(app, guards, batches.reach, () => grantReach(deps.db))
  serve(app, guards, batches.list, ({ query }) => batchesPage(deps.db, query))
  serve(app, guards, batches.detail, async ({ params, query }) =>
    known(await batchWithRows(deps.db, params.id, query)),
  )
  serve(app, guards, batches.receipt, async ({ params, reply }) => {
    const lines = known(await batchReceipt(deps.db, params.id))
    const fileName = `batch-${params.id.slice(0, 8)}.csv`
    return sendFile(reply, { type: 'text/csv; charset=utf-8; header=present', fileName }, lines)
  })
  command(context, batches.reverse, {
    order: ({ params }) => params.id,
    run: (tx, by, id) => reverseBatch(tx, by, id, random.uuidInOrder()),
  })
}
