// The figures of staff by going through every history, to compare with what is kept summed up.

import { type Database, type Queryable, statement } from '../src/adapters/db/database.ts'
import { auditPage } from '../src/features/audit/views.ts'
import { stockForStaff } from '../src/features/books/economy-views.ts'
import { flowForStaff, staffCounters } from '../src/features/books/overview-views.ts'
import { claimsPage } from '../src/features/claims/admin-views.ts'

const dayMillis = 86_400_000

const counters = statement(
  'test_naive_counters',
  `SELECT
     (SELECT count(*)::int FROM users WHERE deleted_at IS NULL) AS "totalUsers",
     (SELECT count(*)::int FROM users WHERE deleted_at IS NULL AND created_at >= $2)
       AS "activeUsers",
     (SELECT count(*)::int FROM pack_openings WHERE created_at >= $1) AS "packsOpenedToday",
     (SELECT count(*)::int FROM pack_openings) AS "totalPackOpenings",
     (SELECT coalesce(sum(red_coin_balance), 0)::bigint FROM users) AS "totalRedCoins",
     (SELECT count(*)::int FROM prize_claims WHERE created_at >= $1 AND deleted_at IS NULL)
       AS "prizesClaimedToday",
     (SELECT count(*)::int FROM pack_openings WHERE created_at >= $3) AS "recentActivity",
     (SELECT count(*)::int FROM audit_log) AS audit`,
)
const days = statement(
  'test_naive_days',
  `SELECT to_char(day, 'YYYY-MM-DD') AS day,
     (SELECT count(*)::int FROM users WHERE deleted_at IS NULL AND created_at >= day
        AND created_at < day + interval '1 day') AS "newUsers",
     (SELECT count(*)::int FROM pack_openings WHERE created_at >= day
        AND created_at < day + interval '1 day') AS "packsOpened",
     (SELECT count(*)::int FROM prize_claims WHERE deleted_at IS NULL AND created_at >= day
        AND created_at < day + interval '1 day') AS "prizesClaimed"
   FROM generate_series($1::timestamptz - interval '29 days', $1, interval '1 day') day`,
)
const flow = statement(
  'test_naive_flow',
  `SELECT coalesce(json_agg(x ORDER BY day, type), '[]') AS days FROM (
     SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, type,
       sum(abs(amount))::bigint AS amount
     FROM red_coin_transactions WHERE created_at >= $1 AND created_at < $2
     GROUP BY 1, 2, amount > 0) x`,
)
const wins = statement(
  'test_naive_wins',
  `SELECT count(*)::int AS wins FROM prize_claims c JOIN prizes p ON p.id = c.prize_id
   WHERE c.created_at >= $1 AND c.pack_opening_id IS NOT NULL`,
)
const claims = statement(
  'test_naive_claims',
  `SELECT count(*) FILTER (WHERE deleted_at IS NULL)::int AS all,
     count(*) FILTER (WHERE deleted_at IS NULL AND status = 'pending')::int AS pending,
     count(*) FILTER (WHERE deleted_at IS NULL AND status = 'processing')::int AS processing,
     count(*) FILTER (WHERE deleted_at IS NULL AND status = 'completed')::int AS completed,
     count(*) FILTER (WHERE deleted_at IS NOT NULL)::int AS deleted
   FROM prize_claims`,
)

const flowDays = 3
const times = (now: Date) => ({
  today: new Date(Math.floor(now.getTime() / dayMillis) * dayMillis),
  week: new Date(now.getTime() - 7 * dayMillis),
  day: new Date(now.getTime() - dayMillis),
})

export async function naiveFigures(db: Queryable, now: Date) {
  const { today, week, day } = times(now)
  const first = new Date(today.getTime() - (flowDays - 1) * dayMillis)
  const last = new Date(today.getTime() + dayMillis)
  const [counted] = await db.run<Record<string, number>>(counters, [today, week, day])
  const lastDays = await db.run<object>(days, [today])
  const [flows] = await db.run<{ days: object[] }>(flow, [first, last])
  const [won] = await db.run<{ wins: number }>(wins, [week])
  const [states] = await db.run<Record<string, number>>(claims, [])
  return { ...counted, lastDays, flow: flows?.days, wins: won?.wins, states }
}

/** The same as staff are answered. */
export async function shownFigures(db: Database, now: Date) {
  const stats = await staffCounters(db, now)
  const { recentOpenings: _, totalPrizes: _prizes, storePurchasesToday: _sold, ...counted } = stats
  const { days } = await flowForStaff(db, flowDays, now)
  const states: Record<string, number> = {}
  for (const status of ['all', 'pending', 'processing', 'completed', 'deleted'] as const) {
    const page = await claimsPage(
      db,
      {
        isPaged: true,
        search: '',
        status,
        sort: '-createdAt',
        contact: 'with',
        page: 1,
        limit: 1,
      },
      () => undefined,
    )
    states[status] = 'total' in page ? page.total : -1
  }
  const sort = '-createdAt' as const
  const none = { search: '', sort, action: '', targetType: '', targetId: '', page: 1, limit: 1 }
  const forecast = await stockForStaff(db, now)
  return {
    ...counted,
    audit: (await auditPage(db, none)).total,
    flow: days.flatMap(({ day, sources, sinks }) =>
      [...sources, ...sinks]
        .map(({ type, amount }) => ({ day, type, amount }))
        .toSorted((a, b) => (a.type < b.type ? -1 : 1)),
    ),
    wins: forecast.reduce((sum, { winsLastWeek }) => sum + winsLastWeek, 0),
    states,
  }
}
