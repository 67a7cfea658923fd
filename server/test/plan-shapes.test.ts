// How PostgreSQL answers the statements that are run most, with many rows: along an index, never by
// going through a table that grows. Searches find the same with the index over letters as without.

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { writeMillion } from '../../bench/million-scene.ts'
import { movableClock } from '../src/adapters/clock/clock.ts'
import { type Database, type Statement, statement } from '../src/adapters/db/database.ts'
import { sumHistories } from '../src/features/books/sum-histories.ts'
import { claimsPage } from '../src/features/claims/admin-views.ts'
import { countPeople } from '../src/features/ledger/count-people.ts'
import { usersPageJson } from '../src/features/people/users-views.ts'
import { isPostgresReachable, postgresTestDatabase } from './test-database.ts'

const recorded = vi.hoisted(() => new Map<string, Statement>())
vi.mock('../src/adapters/db/database.ts', async (original) => {
  const database = await original<typeof import('../src/adapters/db/database.ts')>()
  return {
    ...database,
    statement(name: string, text: string) {
      const made = database.statement(name, text)
      recorded.set(name, made)
      return made
    },
  }
})
// Every feature makes its statements when it is loaded.
await import('../src/app.ts')

const people = 20_000
const openings = 60_000

/** What is run for everybody, and what staff look at all day, with values as they come. */
const frequent: Readonly<Record<string, readonly unknown[]>> = {
  read_sessions_with_users: [['a'.repeat(64)]],
  read_opening_states: [[777], [1], [null], 'POST /api/packs/open'],
  read_session_user: [777],
  read_own_rank: [777],
  read_leaderboard: [50],
  read_red_coin_history: [777, 'all', 25, 0],
  read_own_claims: [777, true, 25, 0],
  read_staff_counters: [new Date(), new Date(), new Date()],
  read_recent_openings: [],
  read_red_coin_flow: ['2026-01-01', '2026-01-31'],
  read_red_coin_circulation: [],
  read_openings_for_forecast: [new Date()],
  read_wins_for_forecast: [new Date()],
  users_by_username: [50, 100],
  users_by_redCoinBalance_down: [50, 100],
  users_by_createdAt_down: [50, 100],
  read_picked_admin_users: [[1, 2, 3]],
  find_users: ['%zzqqzz%', 100],
  claims_newest_all: [50, 100],
  claims_newest_pending: [50, 100],
  count_claims_all: [],
  read_picked_claims: [[1, 2, 3]],
  audit_newest: [50, 100],
  count_audit: [],
  read_picked_audit: [[1, 2, 3]],
  read_user_prizes: [777],
}
const growing = [
  'users',
  'people_search',
  'user_packs',
  'sessions',
  'opening_requests',
  'pack_openings',
  'prize_claims',
  'claim_search',
  'red_coin_transactions',
  'pack_transactions',
  'audit_log',
]

describe.skipIf(!(await isPostgresReachable()))('with many rows', () => {
  let db: Database
  let drop: () => Promise<void>
  beforeAll(async () => {
    const database = await postgresTestDatabase(2)
    db = database.db
    drop = database.drop
    await writeMillion(db, { users: people, openings, audits: people }, () => undefined)
    await db.script(`INSERT INTO sessions (token_hash, user_id, kind, created_at, last_seen_at,
      expires_at) SELECT md5(n::text), n, 'player', now(), now(), now() + interval '1 day'
      FROM generate_series(1, ${people}) n`)
    await countPeople({ db, clock: movableClock(), log: console } as never)
    await sumHistories({ db })
    await db.script('VACUUM ANALYZE')
  }, 240_000)
  afterAll(() => drop())

  it.each(Object.entries(frequent))('%s goes through no growing table', async (name, values) => {
    const found = recorded.get(name)
    expect(found, `no statement is called ${name}`).toBeDefined()
    const plan = await db.transaction(async (tx) => {
      await tx.run(statement(`test_plan_${name}`, `SET LOCAL jit = off`), [])
      return tx.run<{ 'QUERY PLAN': string }>(
        statement(`test_explain_${name}`, `EXPLAIN ${found?.text}`),
        [...values],
      )
    })
    const text = plan.map((row) => row['QUERY PLAN']).join('\n')
    const gone = growing.filter((table) => new RegExp(`Seq Scan on ${table}\\b`).test(text))
    expect(gone, text).toEqual([])
  })

  const naive = (what: string, sql: string, pattern: string) =>
    db.run<{ id: number }>(statement(`test_naive_${what}`, sql), [pattern])

  it.each(['zzqqzz', 'kalomi', 'LOMI', 'ka', 'q', '%', 'mail77@', 'Mi 42', 'example.org'])(
    'finds the people whom looking through all of them finds, for %s',
    async (search) => {
      const query = { isPaged: true, search, sort: 'username', page: 1, limit: 100 } as const
      const page = JSON.parse(await usersPageJson(db, query)) as {
        total: number
        users: { id: number }[]
      }
      const all = await naive(
        'people',
        `SELECT id FROM users WHERE deleted_at IS NULL
         AND (username ILIKE $1 OR display_name ILIKE $1 OR email ILIKE $1) ORDER BY username, id`,
        `%${search.replace('%', '\\%')}%`,
      )
      expect(page.total).toBe(Math.min(all.length, 10_000))
      expect(page.users.map(({ id }) => id)).toEqual(all.slice(0, 100).map(({ id }) => id))
    },
  )

  it.each(['zzqqzz', 'kalomi', 'LOMI', 'ka', 'PR-7F', 'prize 3', 'Mi 42'])(
    'finds the claims that looking through all of them finds, for %s',
    async (search) => {
      const page = await claimsPage(
        db,
        { isPaged: true, search, status: 'all', sort: '-createdAt', page: 1, limit: 100 },
        () => undefined,
      )
      const all = await naive(
        'claims',
        `SELECT c.id FROM prize_claims c JOIN users u ON u.id = c.user_id
         WHERE c.deleted_at IS NULL AND (c.claim_id ILIKE $1 OR c.prize_name ILIKE $1
           OR u.username ILIKE $1 OR u.display_name ILIKE $1) ORDER BY c.id DESC`,
        `%${search}%`,
      )
      if (!('claims' in page)) throw new Error('no page')
      expect(page.total).toBe(Math.min(all.length, 1_000))
      expect(page.claims.map(({ id }) => id)).toEqual(all.slice(0, 100).map(({ id }) => id))
    },
  )
})
