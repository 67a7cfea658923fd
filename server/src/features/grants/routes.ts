// Grants and removals over HTTP, and bulk grants by file: look, apply, read the receipt, reverse.

import {
  adminBatchesContract as batches,
  adminGrantsContract as contract,
  sliceCharacters,
} from '@redpack/contract'
import { command } from '../../adapters/http/command.ts'
import { sendFile, serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import type { UploadedFile } from '../../adapters/http/multipart.ts'
import { existing } from '../../shared/domain-error.ts'
import {
  applyBatch,
  type BulkOrder,
  fingerprintOf,
  hasReachedEveryone,
  previewBatch,
  readOrder,
  reverseBatch,
} from './batches.ts'
import {
  distribute,
  packsAnswer,
  packsOfOneAnswer,
  redCoinAnswer,
  redCoinOfOneAnswer,
  takeFromAll,
} from './distribute.ts'
import { batchesPage, batchReceipt, batchWithRows, grantReach } from './views.ts'

export function registerGrants(context: FeatureContext): void {
  const { random } = context.deps
  command(context, contract.distributePacks, {
    order: ({ body: { packTypeId, recipients: target, quantity: amount, description } }) => {
      return { packTypeId, target, amount, description }
    },
    run: (tx, by, order) => distribute(tx, by, order, random.uuidInOrder(), packsAnswer),
  })
  command(context, contract.distributeRedCoin, {
    order: ({ body: { recipients: target, amount, description } }) => {
      return { packTypeId: undefined, target, amount, description }
    },
    run: (tx, by, order) => distribute(tx, by, order, random.uuidInOrder(), redCoinAnswer),
  })
  command(context, contract.removeUserPacks, {
    order: ({ body: { userId, packTypeId, quantity, description } }) => {
      const target = { kind: 'user', userId } as const
      return { packTypeId, target, amount: -quantity, description }
    },
    run: (tx, by, order) => distribute(tx, by, order, random.uuidInOrder(), packsOfOneAnswer),
  })
  command(context, contract.removeUserRedCoin, {
    order: ({ body: { userId, amount, description } }) => {
      const target = { kind: 'user', userId } as const
      return { packTypeId: undefined, target, amount: -amount, description }
    },
    run: (tx, by, order) => distribute(tx, by, order, random.uuidInOrder(), redCoinOfOneAnswer),
  })
  command(context, contract.removeAllRedCoin, {
    order: () => 'redcoin' as const,
    run: (tx, by, what) => takeFromAll(tx, by, what, random.uuidInOrder()),
  })
  command(context, contract.removeAllPacks, {
    order: () => 'packs' as const,
    run: (tx, by, what) => takeFromAll(tx, by, what, random.uuidInOrder()),
  })
}

const fileNameMax = 200

function fileOf(file: UploadedFile) {
  const fileName = sliceCharacters(file.name, -fileNameMax)
  return { fileName, contentType: file.type, bytes: file.bytes }
}

const noBatch = 'Batch not found'

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
  command(context, contract.bulkPacks, {
    order: ({ body: { packTypeId, applyAgain }, file }): BulkOrder => {
      return { kind: 'packs', packTypeId, isAgain: applyAgain, ...fileOf(file) }
    },
    input: inputOf,
    prepare: async (order) => readOrder(order),
    run: (tx, by, order, rows) => applyBatch(tx, by, order, rows, random.uuidInOrder()),
  })
  command(context, contract.bulkRedCoin, {
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
    existing(await batchWithRows(deps.db, params.id, query), noBatch),
  )
  serve(app, guards, batches.receipt, async ({ params, reply }) => {
    const lines = existing(await batchReceipt(deps.db, params.id), noBatch)
    return sendFile(reply, `batch-${params.id.slice(0, 8)}`, 'csv', lines)
  })
  command(context, batches.reverse, {
    order: ({ params }) => params.id,
    prepare: async (id, { actor }) => {
      if (await hasReachedEveryone(deps.db, id)) await guards.requireForEverybody(actor)
    },
    run: (tx, by, id) => reverseBatch(tx, by, id, random.uuidInOrder()),
  })
}
