// The counters of the overview.

import type { AdminStats } from '@redpack/contract'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import { peopleTotal, redCoinTotal } from '../ledger/people-totals-sql.ts'
import { claimsSinceHour, rowsOf, shownSince } from './history-sums-sql.ts'

export type StaffCounters = Omit<AdminStats, 'serverHealth' | 'books'>

const readCounters = statement(
  'read_staff_counters',
  `SELECT ${peopleTotal}::int AS "totalUsers",
     (SELECT count(*)::int FROM people_search WHERE NOT has_left AND created_at >= $2)
       AS "activeUsers",
     ${shownSince('$1::timestamptz')}::int AS "packsOpenedToday",
     ${rowsOf('openings', 'pack_openings')}::int AS "totalPackOpenings",
     ${redCoinTotal}::bigint AS "totalRedCoins",
     (SELECT count(*)::int FROM prizes WHERE is_active AND archived_at IS NULL) AS "totalPrizes",
     ${claimsSinceHour('$1::timestamptz')}::int AS "prizesClaimedToday",
     (SELECT count(*)::int FROM store_purchases WHERE created_at >= $1) AS "storePurchasesToday",
     ${shownSince('$3::timestamptz')}::int AS "recentActivity"`,
)
const readRecent = statement(
  'read_recent_openings',
  `SELECT o.id, o.created_at, u.username, t.name AS pack_type_name, c.prize_name
   FROM pack_openings o
   JOIN users u ON u.id = o.user_id
   JOIN pack_types t ON t.id = o.pack_type_id
   LEFT JOIN prize_claims c ON c.pack_opening_id = o.id
   ORDER BY o.id DESC LIMIT 10`,
)

const dayMillis = 86_400_000

/** Today began at 00:00 UTC; new users are those of the last 7 days. */
export async function staffCounters(db: Queryable, now: Date): Promise<StaffCounters> {
  const today = new Date(Math.floor(now.getTime() / dayMillis) * dayMillis)
  const [counters, recent] = await Promise.all([
    db.run<Omit<StaffCounters, 'recentOpenings'>>(readCounters, [
      today,
      new Date(now.getTime() - 7 * dayMillis),
      new Date(now.getTime() - dayMillis),
    ]),
    db.run<{
      id: number
      created_at: Date
      username: string
      pack_type_name: string
      prize_name: string | null
    }>(readRecent, []),
  ])
  const [row] = counters
  if (row === undefined) throw new Error('The counters gave no row')
  return {
    ...row,
    recentOpenings: recent.map((opening) => ({
      id: opening.id,
      createdAt: opening.created_at.toISOString(),
      username: opening.username,
      packTypeName: opening.pack_type_name,
      prizeName: opening.prize_name,
    })),
  }
}
