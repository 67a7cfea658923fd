// Users as staff see them, their prizes and roles (W-044 to W-046).

import * as z from 'zod/mini'
import { Role, Suspension, Timestamp } from './answers.ts'
import { Claim } from './claims.ts'
import { endpoint } from './endpoint.ts'
import { listOrPage, pageCounts, queryChoice } from './list-or-page.ts'
import { requestObject, SearchText } from './values.ts'

export const AdminUser = z.object({
  id: z.int(),
  username: z.string(),
  displayName: z.string(),
  email: z.nullable(z.string()),
  avatar: z.nullable(z.string()),
  redCoinBalance: z.int(),
  role: Role,
  createdAt: Timestamp,
  userPacks: z.array(
    z.object({ packTypeId: z.int(), packTypeName: z.string(), quantity: z.int() }),
  ),
  isProtected: z.boolean(),
  isLocked: z.boolean(),
  /** True while this user is blocked from rewards for watching and from the chat bot. */
  isEarningBlocked: z.boolean(),
  /** The user's own name while staff show another; null while it is shown. */
  ownName: z.nullable(z.string()),
  /** True for a new name with one of the operator's words, until staff have judged it. */
  isNameFlagged: z.boolean(),
  /** The last one, even if its time is over; null when staff ended it. */
  suspension: z.nullable(Suspension),
})
export type AdminUser = z.infer<typeof AdminUser>

/** A column, with a minus sign in front for the highest or latest first. */
export const userSorts = [
  'username',
  '-username',
  'redCoinBalance',
  '-redCoinBalance',
  'role',
  '-role',
  'createdAt',
  '-createdAt',
] as const

/** Everybody, or those with a flagged name, a name set by staff, or a suspension. */
export const userChoices = ['all', 'flagged', 'renamed', 'suspended'] as const

export const AdminUsersQuery = listOrPage({
  sort: { values: userSorts, usual: 'username' },
  only: { values: userChoices, usual: 'all' },
})
export type AdminUsersQuery = z.infer<typeof AdminUsersQuery>

/** Which users a file holds, and in which order. */
export const AdminUsersFileQuery = z.object({
  search: SearchText,
  sort: queryChoice(userSorts, 'username'),
  only: queryChoice(userChoices, 'all'),
})
export type AdminUsersFileQuery = z.infer<typeof AdminUsersFileQuery>

export const AdminUsersPage = z.object({ users: z.array(AdminUser), ...pageCounts })
export type AdminUsersPage = z.infer<typeof AdminUsersPage>

export const AdminUsersResponse = z.union([z.array(AdminUser), AdminUsersPage])

/** A claim on a physical prize in a user's dialog. */
export const UserPrize = z.extend(z.omit(Claim, { timeline: true, shipment: true }), {
  prize: z.omit(Claim.shape.prize, { imageData: true, imageType: true }),
})
export type UserPrize = z.infer<typeof UserPrize>

export const ChangeRoleRequest = requestObject({
  role: Role,
  expected: z.optional(requestObject({ role: Role })),
})

/** What the caller's role lets them do beyond the panel itself. */
export const StaffPowers = z.object({
  /** Taking from everybody, deleting all claims, resetting statistics. */
  mayActOnEverybody: z.boolean(),
  /** Giving or taking away the role of super user. */
  mayChangeSuperUsers: z.boolean(),
})
export type StaffPowers = z.infer<typeof StaffPowers>

export const adminUsersContract = {
  powers: endpoint('staff', 'GET', '/api/admin/powers', {
    summary: "Returns what the caller's role lets them do.",
    response: StaffPowers,
  }),
  list: endpoint('staff', 'GET', '/api/admin/users-with-packs', {
    summary: 'Lists every user with the packs they hold, or one page of them.',
    query: AdminUsersQuery,
    response: AdminUsersResponse,
  }),
  file: endpoint('staff', 'GET', '/api/admin/users.csv', {
    summary: 'Returns the matching users as a CSV file, at most 100000 rows.',
    query: AdminUsersFileQuery,
    response: 'text',
    rate: 'upload',
  }),
  prizes: endpoint('staff', 'GET', '/api/admin/users/{id}/prizes', {
    summary: "Lists a user's claims on physical prizes, newest first.",
    response: z.array(UserPrize),
  }),
  changeRole: endpoint('staff', 'PUT', '/api/admin/users/{id}/role', {
    changes: ['users', 'session'],
    summary: "Changes a user's role.",
    body: ChangeRoleRequest,
    response: AdminUser,
    domainErrors: ['not_found', 'protected_account', 'changed_meanwhile'],
  }),
}
