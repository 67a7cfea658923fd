// The counters of the overview, and where RedCoin comes from and where it goes, day by day.

import type { AdminStats, EconomyFlow } from '@redpack/contract'
import type { Queryable } from '../../adapters/db/database.ts'
import { oneQuery, oneValueQuery, rowsQuery } from '../../adapters/db/queries.ts'
import { type Dated, isoTimes } from '../../shared/iso-times.ts'
import { peopleTotal, redCoinTotal } from '../ledger/people-totals-sql.ts'
import { claimsSinceHour, ledgerDays, rowsOf, shownSince } from './history-sums-sql.ts'

export type StaffCounters = Omit<AdminStats, 'serverHealth' | 'books'>

const readCounters = oneQuery<
  Omit<StaffCounters, 'recentOpenings'>,
  [today: Date, weekAgo: Date, dayAgo: Date]
>(
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
const readRecent = rowsQuery<Dated<StaffCounters['recentOpenings'][number], 'createdAt'>>(
  'read_recent_openings',
  `SELECT o.id, o.created_at AS "createdAt", u.username, t.name AS "packTypeName",
     c.prize_name AS "prizeName"
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
    readCounters(
      db,
      today,
      new Date(now.getTime() - 7 * dayMillis),
      new Date(now.getTime() - dayMillis),
    ),
    readRecent(db),
  ])
  return { ...counters, recentOpenings: recent.map(isoTimes) }
}

const readFlow = rowsQuery<FlowRow, [first: string, last: string]>(
  'read_red_coin_flow',
  `SELECT to_char(day, 'YYYY-MM-DD') AS day, type, is_source AS "isSource",
     amount::bigint AS amount
   FROM (${ledgerDays('$1::date', '$2::date')}) flow ORDER BY 1, 2`,
)
const readCirculation = oneValueQuery<{ total: number }>(
  'read_red_coin_circulation',
  `SELECT ${redCoinTotal}::bigint AS total`,
)

interface FlowRow {
  readonly day: string
  readonly type: string
  readonly isSource: boolean
  readonly amount: number
}

type Sums = Pick<EconomyFlow['totals'], 'sources' | 'sinks' | 'created' | 'removed'>

/** The last `days` days of UTC, today included, each of them there even when nothing happened. */
export async function flowForStaff(db: Queryable, days: number, now: Date): Promise<EconomyFlow> {
  const tomorrow = (Math.floor(now.getTime() / dayMillis) + 1) * dayMillis
  const first = tomorrow - days * dayMillis
  const names = Array.from({ length: days }, (_, index) =>
    new Date(first + index * dayMillis).toISOString().slice(0, 10),
  )
  const [rows, inCirculation] = await Promise.all([
    readFlow(db, names[0] ?? '', names.at(-1) ?? ''),
    readCirculation(db),
  ])
  return {
    days: names.map((day) => ({ day, ...sumsOf(rows.filter((row) => row.day === day)) })),
    totals: sumsOf(rows),
    inCirculation,
  }
}

function sumsOf(rows: readonly FlowRow[]): Sums {
  const sources = byType(rows.filter(({ isSource }) => isSource))
  const sinks = byType(rows.filter(({ isSource }) => !isSource))
  return { sources, sinks, created: total(sources), removed: total(sinks) }
}

function byType(rows: readonly FlowRow[]): Sums['sources'] {
  const sums = new Map<string, number>()
  for (const { type, amount } of rows) sums.set(type, (sums.get(type) ?? 0) + amount)
  return [...sums]
    .map(([type, amount]) => ({ type, amount }))
    .sort((left, right) => right.amount - left.amount)
}

function total(sums: Sums['sources']): number {
  return sums.reduce((sum, { amount }) => sum + amount, 0)
}
