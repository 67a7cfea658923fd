// Granting and removing packs and RedCoin by staff (W-052 to W-059).

import * as z from 'zod/mini'
import { BulkPacksRequest, BulkRedCoinRequest, BulkResponse, csvFile } from './admin-batches.ts'
import { ActionAnswer } from './answers.ts'
import { endpoint } from './endpoint.ts'
import { bulkRowsMax, integerMax, redCoinMax, usernameMax } from './limits.ts'
import {
  blankableText,
  countNumber,
  crossRule,
  type FieldIssue,
  flag,
  idNumber,
  nameText,
  plainText,
  redCoinNumber,
  requestObject,
  wholeNumber,
} from './values.ts'

const usernamesRequired = 'Usernames are required'
const quantityMin = 'Quantity must be at least 1'
const amountMin = 'Amount must be at least 1'

/** Whom a grant reaches. `usernames` are trimmed, not blank and unique. */
export type Recipients =
  | { readonly kind: 'user'; readonly userId: number }
  | { readonly kind: 'usernames'; readonly usernames: readonly string[] }
  | { readonly kind: 'all' }

const tooManyNames = `At most ${bulkRowsMax.toLocaleString('en')} usernames at once`
const Username = nameText({ label: 'Username', max: usernameMax })
const UsernameList = plainText({ label: 'Usernames', max: bulkRowsMax * usernameMax })

const recipientFields = {
  userId: z.optional(z.nullable(idNumber('Please select a user'))),
  username: z.optional(z.nullable(Username)),
  usernames: z.optional(
    z.nullable(
      z
        .pipe(
          z.union(
            [
              z.array(Username).check(z.maxLength(bulkRowsMax, { error: tooManyNames })),
              UsernameList,
            ],
            { error: usernamesRequired },
          ),
          z.transform((names) => splitUsernames(names)),
        )
        .check(z.refine((names) => names.length <= bulkRowsMax, { error: tooManyNames })),
    ),
  ),
  allUsers: z.optional(z.nullable(flag('All users must be true or false'))),
}

function splitUsernames(names: string | readonly string[]): string[] {
  const parts = typeof names === 'string' ? names.split(/[,\r\n]+/) : names
  return [...new Set(parts.map((name) => name.trim()).filter((name) => name !== ''))]
}

interface RecipientInput {
  readonly userId?: number | null
  readonly username?: string | null
  readonly usernames?: readonly string[] | null
  readonly allUsers?: boolean | null
}

function recipientsOf(input: RecipientInput): Recipients | undefined {
  if (typeof input.userId === 'number') return { kind: 'user', userId: input.userId }
  const single = input.username ? [input.username] : []
  // The rule also sees input whose fields were refused, which may be no list.
  const listed = Array.isArray(input.usernames) ? input.usernames : []
  const usernames = [...new Set([...listed, ...single])]
  if (usernames.length > 0) return { kind: 'usernames', usernames }
  return input.allUsers === true ? { kind: 'all' } : undefined
}

/** Only a single user by id can lose something here; all others get at least 1. */
function grantIssue<K extends 'quantity' | 'amount'>(
  field: K,
  message: string,
): (input: RecipientInput & { readonly [P in K]?: unknown }) => FieldIssue | undefined {
  return (input) => {
    const hasUser = input.userId !== undefined && input.userId !== null
    const recipients = hasUser ? undefined : recipientsOf(input)
    if (!hasUser && recipients === undefined) {
      return { path: 'usernames', message: usernamesRequired, before: [field, 'description'] }
    }
    const value = input[field]
    if (!hasUser && typeof value === 'number' && value < 1) {
      return { path: field, message, before: ['description'] }
    }
    return undefined
  }
}

const Description = z._default(blankableText({ label: 'Description', max: 500 }), '')

const signed = (message: string, max: number, tooLarge: string) =>
  wholeNumber({ message, min: -max, max, tooLarge, nonZero: true })

/** The order, with whom it reaches under one name. */
function reaching<Input extends RecipientInput>(input: Input) {
  const { userId, username, usernames, allUsers, ...order } = input
  const recipients: Recipients = recipientsOf(input) ?? { kind: 'usernames', usernames: [] }
  return { ...order, recipients }
}

/** Gives packs; a negative quantity with `userId` takes them. The body names `recipients`. */
export const DistributePacksRequest = z.pipe(
  requestObject({
    packTypeId: idNumber('Please select a pack type'),
    ...recipientFields,
    quantity: signed(quantityMin, integerMax, 'Quantity is too large'),
    description: Description,
  }).check(crossRule(grantIssue('quantity', quantityMin))),
  z.transform(reaching),
)

/** Gives RedCoin; a negative amount with `userId` takes it. The parsed body names `recipients`. */
export const DistributeRedCoinRequest = z.pipe(
  requestObject({
    ...recipientFields,
    amount: signed(amountMin, redCoinMax, 'Amount is too large'),
    description: Description,
  }).check(crossRule(grantIssue('amount', amountMin))),
  z.transform(reaching),
)

export const UnreachedName = z.object({ username: z.string(), reason: z.string() })

const Distributed = z.extend(ActionAnswer, {
  processedCount: z.int(),
  /** Null unless exactly one user was named. */
  username: z.nullable(z.string()),
  errors: z.array(UnreachedName),
})

export const DistributePacksResponse = z.extend(Distributed, {
  newQuantity: z.nullable(z.int()),
  /** How many packs were actually taken; 0 for a grant. */
  removedQuantity: z.int(),
})

export const DistributeRedCoinResponse = z.extend(Distributed, {
  newBalance: z.nullable(z.int()),
  /** How much RedCoin was actually taken; 0 for a grant. */
  removedAmount: z.int(),
})

export const RemoveUserPacksRequest = requestObject({
  userId: idNumber('Please select a user'),
  packTypeId: idNumber('Please select a pack type'),
  quantity: countNumber(quantityMin, 1),
  description: Description,
})

export const RemoveUserPacksResponse = z.extend(DistributePacksResponse, {
  newQuantity: z.int(),
  username: z.string(),
})

export const RemoveUserRedCoinRequest = requestObject({
  userId: idNumber('Please select a user'),
  amount: redCoinNumber(amountMin, 1),
  description: Description,
})

export const RemoveUserRedCoinResponse = z.extend(DistributeRedCoinResponse, {
  newBalance: z.int(),
  username: z.string(),
})

export const RemoveAllResponse = z.extend(ActionAnswer, {
  totalRemoved: z.int(),
  usersAffected: z.int(),
})
export type RemoveAllResponse = z.infer<typeof RemoveAllResponse>

const common = {
  changes: ['users', 'overview', 'batches', 'user', 'holdings', 'leaderboard'],
  idempotent: true,
} as const

export const adminGrantsContract = {
  distributePacks: endpoint('staff', 'POST', '/api/admin/distribute-packs', {
    ...common,
    summary: 'Gives packs to a user, to named users or to all; takes them from a user.',
    bodyLimit: 'list',
    body: DistributePacksRequest,
    response: DistributePacksResponse,
    domainErrors: ['not_found'],
  }),
  distributeRedCoin: endpoint('staff', 'POST', '/api/admin/distribute-redcoin', {
    ...common,
    summary: 'Gives RedCoin to a user, to named users or to all; takes it from a user.',
    bodyLimit: 'list',
    body: DistributeRedCoinRequest,
    response: DistributeRedCoinResponse,
    domainErrors: ['not_found'],
  }),
  bulkPacks: endpoint('staff', 'POST', '/api/admin/bulk-distribute-packs', {
    ...common,
    summary: 'Gives packs of one type by a CSV file with the columns username and quantity.',
    bodyKind: 'multipart',
    bodyLimit: 'file',
    body: BulkPacksRequest,
    file: csvFile('Please select a pack type and CSV file'),
    response: BulkResponse,
    domainErrors: ['not_found', 'changed_meanwhile'],
  }),
  bulkRedCoin: endpoint('staff', 'POST', '/api/admin/bulk-distribute-redcoin', {
    ...common,
    summary: 'Gives RedCoin by a CSV file with the columns username and amount.',
    bodyKind: 'multipart',
    bodyLimit: 'file',
    body: BulkRedCoinRequest,
    file: csvFile('Please select a CSV file'),
    response: BulkResponse,
    domainErrors: ['changed_meanwhile'],
  }),
  removeUserPacks: endpoint('staff', 'POST', '/api/admin/remove-user-packs', {
    ...common,
    summary: 'Takes packs from a user, at most what they hold.',
    body: RemoveUserPacksRequest,
    response: RemoveUserPacksResponse,
    domainErrors: ['not_found'],
  }),
  removeUserRedCoin: endpoint('staff', 'POST', '/api/admin/remove-user-redcoin', {
    ...common,
    summary: 'Takes RedCoin from a user, at most what they have.',
    body: RemoveUserRedCoinRequest,
    response: RemoveUserRedCoinResponse,
    domainErrors: ['not_found'],
  }),
  removeAllRedCoin: endpoint('staff', 'POST', '/api/admin/remove-all-redcoin', {
    ...common,
    summary: 'Takes all RedCoin from everyone.',
    response: RemoveAllResponse,
    domainErrors: ['confirmation_needed'],
    concernsEverybody: true,
  }),
  removeAllPacks: endpoint('staff', 'POST', '/api/admin/remove-all-packs', {
    ...common,
    summary: 'Takes all unopened packs from everyone.',
    response: RemoveAllResponse,
    domainErrors: ['confirmation_needed'],
    concernsEverybody: true,
  }),
}
