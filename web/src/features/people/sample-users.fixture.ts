// Users, prizes and claims that tests of the panel speak of.

import {
  type AdminClaim,
  type AdminPerson,
  type AdminUser,
  adminPackTypesContract,
  authContract,
  themeContract,
  themeDefault,
  type UserPrize,
} from '@redpack/contract'
import { answers } from '../../../test/mock-server.ts'
import { sampleUser } from '../../../test/samples.ts'

/** What the panel asks for on every tab, answered to an admin. */
export const panelForAdmin = [
  answers(themeContract.theme, themeDefault),
  answers(authContract.me, sampleUser({ id: 99, role: 'admin' })),
  answers(adminPackTypesContract.list, []),
]

/** A user as staff see them, different where the test says so. */
export function sampleAdminUser(id: number, change: Partial<AdminUser> = {}): AdminUser {
  return {
    id,
    username: `viewer${id}`,
    displayName: `Viewer ${id}`,
    email: null,
    avatar: null,
    redCoinBalance: 100 * id,
    role: 'user',
    createdAt: '2026-01-02T10:00:00.000Z',
    userPacks: [],
    isProtected: false,
    isLocked: false,
    isEarningBlocked: false,
    ownName: null,
    isNameFlagged: false,
    suspension: null,
    ...change,
  }
}

/** One page of users. */
export function sampleUsersPage(users: AdminUser[], total = users.length) {
  return { users, total, totalPages: Math.ceil(total / 50), page: 1, limit: 50 }
}

export function samplePrize(id: number, change: Partial<UserPrize> = {}): UserPrize {
  return {
    id,
    claimId: `PR-CLAIM${id}`,
    status: 'pending',
    createdAt: '2026-11-02T10:00:00.000Z',
    prize: {
      id: 30 + id,
      name: `Hoodie ${id}`,
      description: '',
      redCoinAmount: 0,
      claimInstructions: '',
    },
    ...change,
  }
}

export function sampleClaim(id: number, change: Partial<AdminClaim> = {}): AdminClaim {
  return {
    id,
    claimId: `PR-CLAIM${id}`,
    userId: 7,
    prizeId: 30,
    status: 'pending',
    contactInfo: null,
    createdAt: '2026-11-02T10:00:00.000Z',
    updatedAt: '2026-11-02T10:00:00.000Z',
    user: { id: 7, username: 'lunafox', displayName: 'Luna Fox' },
    prize: { id: 30, name: 'Hoodie', redCoinAmount: 0 },
    prizeName: 'Hoodie',
    username: 'lunafox',
    redCoinAmount: 0,
    isAutoCompleted: (change.redCoinAmount ?? 0) > 0,
    deletedAt: null,
    ...change,
  }
}

/** One page of claims: `total` match, and `claimsTotal` are there in all. */
export function sampleClaimsPage(claims: AdminClaim[], total = claims.length, claimsTotal = total) {
  return {
    claims,
    searchMode: false,
    total,
    totalPages: Math.ceil(total / 50),
    page: 1,
    limit: 50,
    claimsTotal,
  }
}

export function samplePerson(user: AdminUser, change: Partial<AdminPerson> = {}): AdminPerson {
  return {
    user,
    account: {
      bio: null,
      country: 'DE',
      timezone: 'Europe/Berlin',
      twitchId: '123',
      discordId: null,
      discordUsername: null,
      solanaWallet: null,
      walletVerifiedAt: null,
      isWalletUnchecked: false,
      isHiddenFromLeaderboard: false,
      lastSeenAt: null,
    },
    totals: {
      redCoinBalance: user.redCoinBalance,
      redCoinWon: 900,
      unopenedPacks: 3,
      openings: 41,
      purchases: 2,
      completedWatches: 5,
    },
    claims: { pending: 1, processing: 0, completed: 4, deleted: 0 },
    ledger: [],
    packHistory: [],
    roleHistory: [],
    standingHistory: [],
    notes: [],
    earningBlock: null,
    ...change,
  }
}
