// People to give to and batches that were given, as tests speak of them.

import {
  type AdminUser,
  adminBatchesContract,
  adminGrantsContract,
  adminPackTypesContract,
  adminPeopleContract,
  adminUsersContract,
  type Batch,
  type BatchRow,
  type PreviewResponse,
} from '@redpack/contract'
import { screen, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { sampleAdminUser } from '../src/features/people/sample-users.fixture.ts'
import { records, type Sent, samplePackType } from './catalogue-samples.ts'
import { answers, hangs } from './mock-server.ts'

/** Luna Fox, who holds three packs, different where the test says so. */
export function sampleRecipient(change: Partial<AdminUser> = {}): AdminUser {
  return sampleAdminUser(7, {
    ...{ username: 'lunafox', displayName: 'Luna Fox', email: 'luna@example.org' },
    redCoinBalance: 1200,
    userPacks: [{ packTypeId: 1, packTypeName: 'Crown Pack', quantity: 3 }],
    ...change,
  })
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
    usersHash: 'b'.repeat(64),
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

export const onePage = { total: 1, totalPages: 1, page: 1, limit: 10 }

export const sampleReach = {
  recipients: 28,
  redCoin: { total: 155_135, users: 27 },
  packs: { total: 65, users: 8 },
}

/** What the Distribution Center asks for by itself, and would do to a file. */
export const centerAnswers = [
  answers(adminUsersContract.list, { users: [sampleRecipient()], ...onePage }),
  hangs(adminPeopleContract.person),
  answers(adminPackTypesContract.list, [samplePackType()]),
  answers(adminBatchesContract.list, { batches: [], ...onePage }),
  answers(adminBatchesContract.reach, sampleReach),
  answers(adminBatchesContract.preview, samplePreview()),
]

/** What every act on one user answers. */
export const granted = {
  success: true as const,
  message: 'Done as told',
  processedCount: 1,
  errors: [],
  username: 'lunafox',
}

/** Answers every act of the Distribution Center without a file, and keeps what was sent. */
export function recordsGrants(sent: Sent[]) {
  const acts = [
    [adminGrantsContract.distributePacks, { newQuantity: 5, removedQuantity: 0 }],
    [adminGrantsContract.distributeRedCoin, { newBalance: 1300, removedAmount: 0 }],
    [adminGrantsContract.removeUserPacks, { removedQuantity: 2, newQuantity: 1 }],
    [adminGrantsContract.removeUserRedCoin, { removedAmount: 20, newBalance: 1180 }],
    [adminGrantsContract.removeAllRedCoin, { totalRemoved: 155_135, usersAffected: 27 }],
    [adminGrantsContract.removeAllPacks, { totalRemoved: 65, usersAffected: 8 }],
  ] as const
  return acts.map(([endpoint, answer]) => records(endpoint, { ...granted, ...answer }, sent))
}

/** The card with the heading, and what is in it. */
export function card(title: string) {
  const heading = screen.getByRole('heading', { name: title })
  return within(heading.closest<HTMLElement>('.card') as HTMLElement)
}

export const isEnabled = (button: HTMLElement) => !(button as HTMLButtonElement).disabled

/** Chooses Luna Fox in the form, which may be one of several. */
export async function pickLuna(user: UserEvent, part: Pick<typeof screen, 'getByRole'> = screen) {
  await user.type(part.getByRole('combobox', { name: 'User' }), 'Luna')
  await user.click(await screen.findByRole('option', { name: /Luna Fox/ }))
}
