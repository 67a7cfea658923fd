// Bulk grants by file over HTTP: look, apply, read the receipt, reverse.

import { adminBatchesContract as batches, adminGrantsContract as grants } from '@redpack/contract'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import type { UploadedFile } from '../../adapters/http/multipart.ts'
import { onceAnswer } from '../../adapters/http/once-answer.ts'
import { staffCall } from '../../adapters/http/staff-call.ts'
import { sendFile } from '../../adapters/http/streamed-answer.ts'
import { Refusal } from '../../rules/refusal.ts'
import { applyBatch } from './apply-batch.ts'
import { batchesPage, batchReceipt, batchWithRows } from './batch-views.ts'
import { previewBatch } from './preview-batch.ts'
import { grantReach } from './reach-views.ts'
import { reverseBatch } from './reverse-batch.ts'

function fileOf(file: UploadedFile) {
  return { fileName: file.name, contentType: file.type, bytes: file.bytes }
}

function known<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new Refusal('not_found', 'Batch not found')
  return found
}

export function registerBatches({ app, world, guards }: FeatureContext): void {
  serve(app, guards, batches.preview, ({ body: { kind, packTypeId }, file }) =>
    previewBatch(world, {
      kind,
      packTypeId: kind === 'packs' ? packTypeId : undefined,
      ...fileOf(file),
    }),
  )
  serve(app, guards, grants.bulkPacks, async (call) => {
    const { packTypeId } = call.body
    const order = { kind: 'packs', packTypeId, ...fileOf(call.file) } as const
    return onceAnswer(
      grants.bulkPacks,
      await applyBatch(world, staffCall(grants.bulkPacks, call), order),
    )
  })
  serve(app, guards, grants.bulkRedCoin, async (call) => {
    const order = { kind: 'redcoin', packTypeId: undefined, ...fileOf(call.file) } as const
    return onceAnswer(
      grants.bulkRedCoin,
      await applyBatch(world, staffCall(grants.bulkRedCoin, call), order),
    )
  })
  serve(app, guards, batches.reach, () => grantReach(world.db))
  serve(app, guards, batches.list, ({ query }) => batchesPage(world.db, query))
  serve(app, guards, batches.detail, async ({ params, query }) =>
    known(await batchWithRows(world.db, params.id, query)),
  )
  serve(app, guards, batches.receipt, async ({ params, reply }) => {
    const lines = known(await batchReceipt(world.db, params.id))
    const fileName = `batch-${params.id.slice(0, 8)}.csv`
    return sendFile(reply, { type: 'text/csv; charset=utf-8; header=present', fileName }, lines)
  })
  serve(app, guards, batches.reverse, async (call) =>
    onceAnswer(
      batches.reverse,
      await reverseBatch(world, staffCall(batches.reverse, call), call.params.id),
    ),
  )
}
