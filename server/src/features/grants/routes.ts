// What staff read of grants over HTTP: how far they reach, batches and their receipts.

import { adminBatchesContract as batches } from '@redpack/contract'
import { sendFile, serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { existing } from '../../shared/domain-error.ts'
import { batchesPage, batchReceipt, batchWithRows, grantReach } from './views.ts'

const noBatch = 'Batch not found'

export function registerReceipts({ app, deps, guards }: FeatureContext): void {
  serve(app, guards, batches.reach, () => grantReach(deps.db))
  serve(app, guards, batches.list, ({ query }) => batchesPage(deps.db, query))
  serve(app, guards, batches.detail, async ({ params, query }) =>
    existing(await batchWithRows(deps.db, params.id, query), noBatch),
  )
  serve(app, guards, batches.receipt, async ({ params, reply }) => {
    const lines = existing(await batchReceipt(deps.db, params.id), noBatch)
    return sendFile(reply, `batch-${params.id.slice(0, 8)}`, 'csv', lines)
  })
}
