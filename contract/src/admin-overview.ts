// The overview of staff: statistics, the reset of the pack count, the audit log, economy settings.

import * as z from 'zod/mini'
import { ActionAnswer, Timestamp } from './answers.ts'
import { endpoint } from './endpoint.ts'
import { redCoinNumber, requestObject } from './values.ts'

/** How many invariants of the books fail, and when all of them were last checked. */
export const BooksSummary = z.object({
  drift: z.nullable(z.int()),
  checkedAt: z.nullable(Timestamp),
  /** When the running check began; null between checks. */
  runningSince: z.nullable(Timestamp),
  /** Since when some cannot be checked; null while all can. */
  failingSince: z.nullable(Timestamp),
  /** True when the last check is more than a day old. */
  isOverdue: z.boolean(),
})
export type BooksSummary = z.infer<typeof BooksSummary>

/** Days of UTC in `lastDays`, today included. */
export const statsDays = 30

export const AdminStats = z.object({
  totalUsers: z.int(),
  /** Accounts created in the last 7 days. */
  activeUsers: z.int(),
  packsOpenedToday: z.int(),
  totalPackOpenings: z.int(),
  totalRedCoins: z.int(),
  /** Active prizes. */
  totalPrizes: z.int(),
  prizesClaimedToday: z.int(),
  storePurchasesToday: z.int(),
  /** Openings in the last 24 hours. */
  recentActivity: z.int(),
  /** Figures of each of the last days, none left out, oldest first; the last one is today. */
  lastDays: z.array(
    z.object({
      /** For example `2026-11-21`. */
      day: z.string(),
      newUsers: z.int(),
      packsOpened: z.int(),
      prizesClaimed: z.int(),
    }),
  ),
  recentOpenings: z.array(
    z.object({
      id: z.int(),
      createdAt: Timestamp,
      username: z.string(),
      packTypeName: z.string(),
      prizeName: z.nullable(z.string()),
    }),
  ),
  serverHealth: z.object({
    /** Seconds. */
    uptime: z.int(),
    /** Megabytes. */
    memoryUsage: z.object({ used: z.int(), total: z.int() }),
    nodeVersion: z.string(),
    platform: z.string(),
    /** Milliseconds. */
    cpuUsage: z.object({ user: z.int(), system: z.int() }),
  }),
  books: BooksSummary,
})
export type AdminStats = z.infer<typeof AdminStats>

export const ResetOpeningsResponse = z.extend(ActionAnswer, { deletedCount: z.int() })

export const EconomySettings = z.object({ consolationRedCoin: z.int() })
export type EconomySettings = z.infer<typeof EconomySettings>

const consolationRedCoin = redCoinNumber('Consolation RedCoin must be 0 or greater', 0)

export const SaveEconomySettingsRequest = requestObject({
  consolationRedCoin,
  expected: z.optional(requestObject({ consolationRedCoin })),
})

export const adminOverviewContract = {
  stats: endpoint('staff', 'GET', '/api/admin/stats', {
    summary: 'Returns counters, server health and the state of the books.',
    response: AdminStats,
  }),
  resetOpenings: endpoint('staff', 'POST', '/api/admin/reset-pack-openings', {
    changes: ['overview', 'holdings'],
    summary: 'Hides every opening so far from totals and lists; draws stay verifiable.',
    response: ResetOpeningsResponse,
    domainErrors: ['confirmation_needed'],
    concernsEverybody: true,
  }),
  economySettings: endpoint('staff', 'GET', '/api/admin/settings/economy', {
    summary: 'Returns the economy settings.',
    response: EconomySettings,
  }),
  saveEconomySettings: endpoint('staff', 'PUT', '/api/admin/settings/economy', {
    changes: ['pack_types'],
    summary: 'Changes the economy settings.',
    body: SaveEconomySettingsRequest,
    response: EconomySettings,
    domainErrors: ['changed_meanwhile'],
  }),
}
