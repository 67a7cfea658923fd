// One user as staff see them: everything on one page, notes, and the earning block.

import * as z from 'zod/mini'
import { AdminUser } from './admin-users.ts'
import { ActionAnswer, Role, Timestamp } from './answers.ts'
import { endpoint } from './endpoint.ts'
import { staffNoteMax } from './limits.ts'
import { blankableText, flag, plainText, requestObject } from './values.ts'

/** Who wrote or did something; null when the account no longer exists. */
const Author = z.nullable(z.object({ id: z.int(), username: z.string(), displayName: z.string() }))

export const StaffNote = z.object({
  id: z.int(),
  body: z.string(),
  createdAt: Timestamp,
  author: Author,
})
export type StaffNote = z.infer<typeof StaffNote>

export const AdminPerson = z.object({
  user: AdminUser,
  account: z.object({
    bio: z.nullable(z.string()),
    country: z.nullable(z.string()),
    timezone: z.nullable(z.string()),
    twitchId: z.nullable(z.string()),
    discordId: z.nullable(z.string()),
    discordUsername: z.nullable(z.string()),
    solanaWallet: z.nullable(z.string()),
    /** When the user proved ownership of the wallet; null for an address only typed. */
    walletVerifiedAt: z.nullable(Timestamp),
    /** True for a wallet of the right form that cannot be anybody's address. */
    isWalletUnchecked: z.boolean(),
    isHiddenFromLeaderboard: z.boolean(),
    /** Null when the user has no session that was ever used. */
    lastSeenAt: z.nullable(Timestamp),
  }),
  totals: z.object({
    redCoinBalance: z.int(),
    redCoinWon: z.int(),
    unopenedPacks: z.int(),
    openings: z.int(),
    purchases: z.int(),
    completedWatches: z.int(),
  }),
  /** Prize claims by status, and how many staff have deleted. */
  claims: z.object({
    pending: z.int(),
    processing: z.int(),
    completed: z.int(),
    deleted: z.int(),
  }),
  /** The latest 20 changes of the balance, newest first. */
  ledger: z.array(
    z.object({
      id: z.int(),
      createdAt: Timestamp,
      amount: z.int(),
      type: z.string(),
      description: z.string(),
      balanceAfter: z.int(),
    }),
  ),
  /** The latest 20 changes of holdings, newest first. */
  packHistory: z.array(
    z.object({
      id: z.int(),
      createdAt: Timestamp,
      packTypeName: z.string(),
      delta: z.int(),
      type: z.string(),
      description: z.string(),
      quantityAfter: z.int(),
    }),
  ),
  /** The latest 20 changes of the role, newest first. */
  roleHistory: z.array(z.object({ createdAt: Timestamp, from: Role, to: Role, actor: Author })),
  /** The latest 20 times that staff, or a rule, changed the shown name or a suspension. */
  standingHistory: z.array(
    z.object({
      createdAt: Timestamp,
      action: z.string(),
      /** The new shown name, or the end of the suspension; null if the action says it all. */
      value: z.nullable(z.string()),
      reason: z.nullable(z.string()),
      actor: Author,
    }),
  ),
  /** The latest 50 notes, newest first. */
  notes: z.array(StaffNote),
  /** Why earning is blocked, and by whom; null while it is not. */
  earningBlock: z.nullable(
    z.object({ reason: z.string(), createdAt: z.nullable(Timestamp), actor: Author }),
  ),
})
export type AdminPerson = z.infer<typeof AdminPerson>

export const AddNoteRequest = requestObject({
  body: plainText({ label: 'Note', max: staffNoteMax, required: 'Write a note' }),
})

/** A block stops earning by watching and from the chat bot, and nothing else. */
export const EarningBlockRequest = requestObject({
  isBlocked: flag('Blocked must be true or false'),
  reason: z._default(blankableText({ label: 'Reason', max: 500 }), ''),
})

export const adminPeopleContract = {
  person: endpoint('staff', 'GET', '/api/admin/users/{id}', {
    summary: 'Returns everything staff need to know about one user.',
    response: AdminPerson,
  }),
  blockEarning: endpoint('staff', 'PUT', '/api/admin/users/{id}/earning-block', {
    changes: ['users'],
    summary: "Blocks or unblocks a user's earning by watching and from the chat bot.",
    body: EarningBlockRequest,
    response: AdminUser,
    domainErrors: ['not_found', 'protected_account'],
  }),
  notes: endpoint('staff', 'GET', '/api/admin/users/{id}/notes', {
    summary: 'Lists staff notes about a user, newest first, at most 200.',
    response: z.array(StaffNote),
  }),
  addNote: endpoint('staff', 'POST', '/api/admin/users/{id}/notes', {
    changes: ['users'],
    summary: 'Adds a note about a user; only staff see it.',
    body: AddNoteRequest,
    response: StaffNote,
  }),
  removeNote: endpoint('staff', 'DELETE', '/api/admin/notes/{id}', {
    changes: ['users'],
    summary: 'Removes a note and erases its text.',
    response: ActionAnswer,
  }),
}
