// What the history says of a change that staff make to one, some or all.

import type { ManyReason } from '../ledger/bulk-tables.ts'

/** The reason of every row of a batch, whose id is their source. */
export function staffReason(batchId: string, description: string, now: Date): ManyReason {
  return {
    gain: 'admin_grant',
    loss: 'admin_removal',
    description,
    sourceType: 'grant',
    sourceId: batchId,
    now,
  }
}
