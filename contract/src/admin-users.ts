// Users as staff see them, their prizes and roles (W-044 to W-046).

import * as z from 'zod/mini'
import { ClaimStatus, Role, Timestamp } from './answers.ts'
import { endpoint } from './endpoint.ts'
import { adminClaimsPageDefault, adminPageMax } from './limits.ts'
import { IdParams, PageNumber, pageLimit, requestObject, SearchText } from './values.ts'

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

const PageFields = z.object({
  search: SearchText,
  sort: z._default(z.catch(z.enum(userSorts), 'username'), 'username'),
  page: PageNumber,
  limit: pageLimit(adminClaimsPageDefault, adminPageMax),
})

const pageKeys = ['search', 'sort', 'page', 'limit'] as const

/** With none of the four keys the answer is the bare list, with any of them one page. */
export const AdminUsersQuery = z.pipe(
  z.object({
    search: z.optional(z.unknown().check(z.meta({ type: 'string' }))),
    sort: z.optional(z.unknown().check(z.meta({ enum: userSorts }))),
    page: z.optional(z.unknown().check(z.meta({ type: 'integer', minimum: 1 }))),
    limit: z.optional(
      z.unknown().check(z.meta({ type: 'integer', minimum: 1, maximum: adminPageMax })),
    ),
  }),
  z.transform((query) =>
    pageKeys.some((key) => query[key] !== undefined)
      ? { isPaged: true as const, ...z.parse(PageFields, query) }
      : { isPaged: false as const },
  ),
)
export type AdminUsersQuery = z.infer<typeof AdminUsersQuery>

export const AdminUsersPage = z.object({
  users: z.array(AdminUser),
  total: z.int(),
  totalPages: z.int(),
  page: z.int(),
  limit: z.int(),
})
export type AdminUsersPage = z.infer<typeof AdminUsersPage>

export const AdminUsersResponse = z.union([z.array(AdminUser), AdminUsersPage])
export type AdminUsersResponse = z.infer<typeof AdminUsersResponse>

/** A claim on a physical prize in a user's dialog. */
export const UserPrize = z.object({
  id: z.int(),
  claimId: z.string(),
  status: ClaimStatus,
  createdAt: Timestamp,
  prize: z.object({
    id: z.int(),
    name: z.string(),
    description: z.string(),
    redCoinAmount: z.int(),
    claimInstructions: z.string(),
  }),
})
export type UserPrize = z.infer<typeof UserPrize>

export const ChangeRoleRequest = requestObject({ role: Role })
export type ChangeRoleRequest = z.infer<typeof ChangeRoleRequest>

export const adminUsersContract = {
  list: endpoint({
    method: 'GET',
    path: '/api/admin/users-with-packs',
    aliases: [
      { method: 'GET', path: '/api/admin/users' },
      { method: 'GET', path: '/api/test/admin-users' },
    ],
    access: 'staff',
    summary: 'Every user with the packs they hold, or one page of them.',
    wire: ['W-044'],
    query: AdminUsersQuery,
    bodyKind: 'none',
    response: AdminUsersResponse,
    refusals: [],
    rate: 'read',
  }),
  prizes: endpoint({
    method: 'GET',
    path: '/api/admin/users/{id}/prizes',
    aliases: [{ method: 'GET', path: '/api/test/admin-users/{id}/prizes' }],
    access: 'staff',
    summary: "A user's claims on physical prizes, newest first.",
    wire: ['W-045'],
    params: IdParams,
    bodyKind: 'none',
    response: z.array(UserPrize),
    refusals: ['not_found'],
    rate: 'read',
  }),
  changeRole: endpoint({
    method: 'PUT',
    path: '/api/admin/users/{id}/role',
    aliases: [{ method: 'PUT', path: '/api/test/admin-users/{id}/role' }],
    access: 'staff',
    summary: "Changes a user's role.",
    wire: ['W-046'],
    params: IdParams,
    bodyKind: 'json',
    body: ChangeRoleRequest,
    response: AdminUser,
    refusals: ['not_found', 'protected_account', 'own_role'],
    rate: 'write',
  }),
}
