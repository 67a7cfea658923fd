// People to give to and batches that were given, as tests speak of them.

import type { AdminUser, Batch, BatchRow, PreviewResponse } from '@redpack/contract'

export function sampleRecipient(change: Partial<AdminUser> = {}): AdminUser {
  return {
    id: 7,
    username: 'lunafox',
    displayName: 'Luna Fox',
    email: 'luna@example.org',
    avatar: null,
    redCoinBalance: 1200,
    role: 'user',
    createdAt: '2026-01-02T10:00:00.000Z',
    userPacks: [{ packTypeId: 1, packTypeName: 'Crown Pack', quantity: 3 }],
    isProtected: false,
    isLocked: false,
    isEarningBlocked: false,
    ...change,
  } as AdminUser
}

export function sampleRow(change: Partial<BatchRow> = {}): BatchRow {
  return {
    row: 2,
    username: 'lunafox',
    userId: 7,
    displayName: 'Luna Fox',
    verdict: 'ok',
    reason: null,
    amount: 2,
    applied: 2,
    after: 5,
    ...change,
  }
}

const unknownRow = sampleRow({
  row: 3,
  username: 'nobody',
  userId: null,
  displayName: null,
  verdict: 'unknown',
  reason: 'unknown user',
  applied: 0,
  after: null,
})

export function samplePreview(change: Partial<PreviewResponse> = {}): PreviewResponse {
  return {
    kind: 'packs',
    packType: { id: 1, name: 'Crown Pack' },
    fileName: 'quiz.csv',
    fileHash: 'a'.repeat(64),
    processedCount: 1,
    failedCount: 1,
    total: 2,
    rows: [sampleRow(), unknownRow],
    appliedBefore: null,
    ...change,
  }
}

export const batchId = '11111111-1111-4111-8111-111111111111'
export const reversalId = '22222222-2222-4222-8222-222222222222'

export function sampleBatch(change: Partial<Batch> = {}): Batch {
  return {
    id: batchId,
    kind: 'packs',
    packType: { id: 1, name: 'Crown Pack' },
    createdAt: '2026-11-21T10:00:00.000Z',
    actor: { id: 1, username: 'boss', displayName: 'The Boss' },
    recipients: 'file',
    description: null,
    fileName: 'quiz.csv',
    fileHash: 'a'.repeat(64),
    processedCount: 1,
    failedCount: 1,
    total: 2,
    reverses: null,
    reversedBy: null,
    ...change,
  }
}
