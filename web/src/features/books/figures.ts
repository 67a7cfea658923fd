// What the overview works out from the statistics.

import type { AdminStats } from '@redpack/contract'
import { formatNumber, plural } from '../../lib/format.ts'

type Counts = Pick<
  AdminStats,
  'totalUsers' | 'activeUsers' | 'totalRedCoins' | 'packsOpenedToday' | 'prizesClaimedToday'
>

function shareOf(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0
}

/** Prizes claimed today of packs opened today, in whole percent; 0 while none was opened. */
export function winRatePercent({ prizesClaimedToday, packsOpenedToday }: Counts): number {
  return Math.round(shareOf(prizesClaimedToday, packsOpenedToday) * 100)
}

/** Whole RedCoins per user; 0 without users. */
export function averageRedCoins({ totalRedCoins, totalUsers }: Counts): number {
  return Math.round(shareOf(totalRedCoins, totalUsers))
}

/** New users of the last 7 days of all users, in whole percent; 0 without users. */
export function growthPercent({ activeUsers, totalUsers }: Counts): number {
  return Math.round(shareOf(activeUsers, totalUsers) * 100)
}

/** 3725 seconds read '1 hour 2 minutes'. */
export function uptimeText(seconds: number): string {
  const minutes = Math.max(0, Math.floor(seconds / 60))
  const hours = plural(Math.floor(minutes / 60), 'hour', 'hours')
  return `${hours} ${plural(minutes % 60, 'minute', 'minutes')}`
}

/** '182 / 512 MB'. */
export function memoryText({ used, total }: AdminStats['serverHealth']['memoryUsage']): string {
  return `${formatNumber(used)} / ${formatNumber(total)} MB`
}

/** '1,200 ms user / 300 ms system'. */
export function cpuText({ user, system }: AdminStats['serverHealth']['cpuUsage']): string {
  return `${formatNumber(user)} ms user / ${formatNumber(system)} ms system`
}

/** What the check of the books last found; undefined before the first check. */
export function booksText({ drift }: Pick<AdminStats['books'], 'drift'>): string | undefined {
  if (drift === null) return undefined
  return drift === 0 ? 'No differences' : plural(drift, 'difference', 'differences')
}
