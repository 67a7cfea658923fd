// The counters of the overview, and where RedCoin comes from and where it goes, day by day.

import { type AdminStats, type EconomyFlow, statsDays } from '@redpack/contract'
import type { Queryable } from '../../adapters/db/database.ts'
import { oneQuery, oneValueQuery, rowsQuery } from '../../adapters/db/queries.ts'
import { type Dated, isoTimes } from '../../shared/iso-times.ts'
import { peopleTotal, redCoinTotal } from '../ledger/people-totals-sql.ts'
import { dayCounts, ledgerDays, rowsOf, shownSince } from './history-sums-sql.ts'

export type StaffCounters = Omit<AdminStats, 'serverHealth' | 'books'>
type Day = StaffCounters['lastDays'][number]
type Counters = Omit<
  StaffCounters,
  'packsOpenedToday' | 'prizesClaimedToday' | 'lastDays' | 'recentOpenings'
>

const readCounters = oneQuery<Counters, [today: Date | undefined, weekAgo: Date, dayAgo: Date]>(
  'read_staff_counters',
  `SELECT ${peopleTotal}::int AS "totalUsers",
     (SELECT count(*)::int FROM people_search WHERE NOT has_left AND created_at >= $2)
       AS "activeUsers",
     ${rowsOf('openings', 'pack_openings')}::int AS "totalPackOpenings",
     ${redCoinTotal}::bigint AS "totalRedCoins",
     (SELECT count(*)::int FROM prizes WHERE is_active AND archived_at IS NULL) AS "totalPrizes",
     (SELECT count(*)::int FROM store_purchases WHERE created_at >= $1) AS "storePurchasesToday",
     ${shownSince('$3::timestamptz')}::int AS "recentActivity"`,
)
const readDays = rowsQuery<Day, [first: Date | undefined]>(
  'read_days_for_staff',
  `SELECT to_char(day, 'YYYY-MM-DD') AS day, people::int AS "newUsers",
     packs::int AS "packsOpened", claims::int AS "prizesClaimed"
   FROM (${dayCounts('$1::timestamptz')}) counts`,
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

/** When each of the last `days` days of UTC began, today included, oldest first. */
function lastDays(days: number, now: Date): Date[] {
  const tomorrow = (Math.floor(now.getTime() / dayMillis) + 1) * dayMillis
  return Array.from({ length: days }, (_, index) => new Date(tomorrow + (index - days) * dayMillis))
}

const nameOf = (day: Date) => day.toISOString().slice(0, 10)

/** Today began at 00:00 UTC; new users are those of the last 7 days. */
export async function staffCounters(db: Queryable, now: Date): Promise<StaffCounters> {
  const starts = lastDays(statsDays, now)
  const before = (days: number) => new Date(now.getTime() - days * dayMillis)
  const [counters, counted, recent] = await Promise.all([
    readCounters(db, starts.at(-1), before(7), before(1)),
    readDays(db, starts[0]),
    readRecent(db),
  ])
  const byName = new Map(counted.map((day) => [day.day, day]))
  const days = starts
    .map(nameOf)
    .map((day) => byName.get(day) ?? { day, newUsers: 0, packsOpened: 0, prizesClaimed: 0 })
  return {
    ...counters,
    packsOpenedToday: days.at(-1)?.packsOpened ?? 0,
    prizesClaimedToday: days.at(-1)?.prizesClaimed ?? 0,
    lastDays: days,
    recentOpenings: recent.map(isoTimes),
  }
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
  const names = lastDays(days, now).map(nameOf)
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
