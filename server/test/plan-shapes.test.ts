// How PostgreSQL answers the statements that are run most, with many rows: along an index, never by
// going through a table that grows. Searches find the same with the index over letters as without.

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { writeMillion } from '../../bench/million-scene.ts'
import { movableClock } from '../src/adapters/clock/clock.ts'
import { type Database, type Statement, statement } from '../src/adapters/db/database.ts'
import { sumHistories } from '../src/features/books/sum-histories.ts'
import { claimsPage } from '../src/features/claims/admin-views.ts'
import { countPeople } from '../src/features/ledger/count-people.ts'
import { usersPageJson } from '../src/features/people/users-views.ts'
import { hasPostgres, postgresTestDatabase } from './test-database.ts'

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
const ofFeatures = [...recorded.values()]

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
  read_staff_counters: ['now', 'now', 'now'],
  read_days_for_staff: ['now'],
  read_recent_openings: [],
  read_red_coin_flow: ['2026-01-01', '2026-01-31'],
  read_red_coin_circulation: [],
  read_openings_for_forecast: ['now'],
  read_wins_for_forecast: ['now'],
  users_by_username: [50, 100],
  users_by_redCoinBalance_down: [50, 100],
  users_by_createdAt_down: [50, 100],
  read_picked_admin_users: [[1, 2, 3]],
  find_users: ['%zzqqzz%', 100],
  claims_newest_all: [50, 100],
  claims_newest_pending: [50, 100],
  count_claims_all: [],
  read_picked_claims: [[1, 2, 3]],
  read_shipments_oldest: ['address_wanted', null, null, false, null, 50, 0],
  read_shipments_newest: [null, null, null, false, null, 50, 0],
  read_picked_shipments: [[1, 2, 3], 'now'],
  lock_lapsing_shipments: ['now', 100],
  lock_arrived_shipments: ['now', 100],
  read_shipments_for_file: ['ready', 0, 1000],
  audit_newest: [50, 100],
  count_audit: [],
  read_picked_audit: [[1, 2, 3]],
  read_user_prizes: [777],
  read_open_chain: [777],
  read_watch_sessions: [[777]],
  view_open_watch_sessions: [[777], 'now'],
  read_watch_completions: [[777]],
  note_chatters: [1, [], 'now'],
  lock_claim_for_staff: ['PR-1A2B3C'],
  lock_wallet_holders: [777, 'a'.repeat(44)],
  export_draw_chains: [777, 0],
  read_outside_accounts: [777],
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
  'shipments',
  'red_coin_transactions',
  'pack_transactions',
  'audit_log',
  'draw_chains',
  'viewer_sessions',
  'discord_reward_claims',
]

/**
 * Statements that may go through a whole table that grows when nothing is known of their values,
 * each with the reason; names end with a star where several begin alike.
 */
const wholeTables: Readonly<Record<string, string>> = {
  'invariant_*': 'the books look at everything, in pieces and beside the work',
  'new_keys_*': 'the books look at what is new, between two ids',
  'window_of_new_*': 'the books look at what is new, between two ids',
  'take_all_*': 'takes something of everybody',
  delete_all_claims: 'takes something of everybody',
  archive_openings: 'moves every opening',
  retire_chains: 'after a failover or a restore: every chain that is open',
  read_grant_reach: 'counts everybody who would be reached',
  recount_people: 'counts everybody, in a job, when the sums were wrong',
  read_admin_users_version: 'the form of the specification without pages: of everybody',
  'find_users_in_*': 'searches, planned for each word: along an index over letters',
  'find_named_*': 'searches, planned for each word: along an index over letters',
  'find_audit_*': 'searches, planned for each word: along an index over letters',
  'find_claims_*': 'searches, planned for each word: along an index over letters',
  'find_oldest_claims_*': 'searches, planned for each word: along an index over letters',
  'find_shipments_*': 'searches, planned for each word: along an index over letters',
  'read_shipments_*': 'planned for what is asked for',
  read_staff_counters: 'from a day on: for any day a third of all is guessed; above with today',
  read_days_for_staff: 'from a day on: for any day a third of all is guessed; above with today',
  count_all_shipments: 'counts the pages of all of a state, where there are very many',
  count_shipments: 'counts every state, along the index where there are many',
  'audit_filtered*': 'planned for each filter',
  count_pack_type_uses: 'before staff delete a pack type',
  mark_unused_images: 'a job that runs once a day, beside an index that every win would pay for',
  remove_unused_images: 'a job that runs once a day, beside an index that every win would pay for',
  remove_sessions_of_deleted_streams: 'a job, for streams that were deleted',
  remove_expired_sessions: 'a job that runs every ten minutes',
  read_log_queue:
    'of thousands that wait it reads faster through all of them; with few it does not',
}

function isExcused(name: string): boolean {
  return Object.keys(wholeTables).some((excused) =>
    excused.endsWith('*') ? name.startsWith(excused.slice(0, -1)) : name === excused,
  )
}

/** The growing tables that a statement goes through as it is planned for any values. */
async function goneThrough(client: pg.Client, text: string): Promise<string[]> {
  await client.query(`PREPARE asked AS ${text}`)
  try {
    const count = await client.query<{ count: number }>(
      "SELECT cardinality(parameter_types) AS count FROM pg_prepared_statements WHERE name = 'asked'",
    )
    const values = Array.from({ length: count.rows[0]?.count ?? 0 }, () => 'NULL').join(', ')
    const plan = await client.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN EXECUTE asked${values && `(${values})`}`,
    )
    const lines = plan.rows.map((row) => row['QUERY PLAN']).join('\n')
    return growing.filter((table) => new RegExp(`Seq Scan on ${table}\\b`).test(lines))
  } finally {
    await client.query('DEALLOCATE asked')
  }
}

describe.skipIf(!hasPostgres)('with many rows', () => {
  let db: Database
  let drop: () => Promise<void>
  let url: string
  beforeAll(async () => {
    const database = await postgresTestDatabase(2)
    db = database.db
    drop = database.drop
    url = database.url
    await writeMillion(db, { users: people, openings, audits: people }, () => undefined)
    await db.script(`INSERT INTO sessions (token_hash, user_id, kind, created_at, last_seen_at,
      expires_at) SELECT md5(n::text), n, 'player', now(), now(), now() + interval '1 day'
      FROM generate_series(1, ${people}) n;
      INSERT INTO draw_chains (user_id, day, first_commitment, commitment, sealed_seed, created_at)
        SELECT id, now()::date, repeat('e', 64), repeat('e', 64), '{}', now() FROM users;
      INSERT INTO twitch_streams (twitch_channel_id, channel_name, display_name, is_live,
          current_stream_id, watch_time_required, reward_red_coin_amount)
        SELECT n, 'c' || n, 'C' || n, n < 4, 'b1', 600, 10 FROM generate_series(1, 20) n;
      INSERT INTO viewer_sessions (user_id, stream_id, stream_session_id)
        SELECT u.id, s.id, 'b1' FROM users u, twitch_streams s WHERE s.is_live;
      INSERT INTO pack_transactions (user_id, pack_type_id, delta, quantity_after, type,
          source_type, source_id)
        SELECT user_id, pack_type_id, quantity, quantity, 'opening_balance', 'bench', user_id::text
        FROM user_packs;
      INSERT INTO discord_reward_claims (user_id, discord_server_id, message_id, discord_user_id,
          red_coin_amount)
        SELECT id, 's', 'm', 'd' || id, 5 FROM users`)
    // Nobody was counted when they were written, which it would say.
    const log = { error: () => undefined }
    await countPeople({ db, clock: movableClock(), log } as never)
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

  it('goes through a growing table only where there is a reason, for any values', async () => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query('SET plan_cache_mode = force_generic_plan; SET jit = off')
    const found: string[] = []
    try {
      for (const { name, text } of ofFeatures) {
        if (!/^\s*(--|SELECT|INSERT|UPDATE|DELETE|WITH)/i.test(text)) continue
        if (isExcused(name)) continue
        const gone = await goneThrough(client, text)
        if (gone.length > 0) found.push(`${name}: ${gone.join(', ')}`)
      }
    } finally {
      await client.end()
    }
    expect(found).toEqual([])
  })

  const naive = (what: string, sql: string, pattern: string) =>
    db.run<{ id: number }>(statement(`test_naive_${what}`, sql), [pattern])

  it.each(['zzqqzz', 'kalomi', 'LOMI', 'ka', 'q', '%', 'mail77@', 'Mi 42', 'example.org'])(
    'finds the people whom looking through all of them finds, for %s',
    async (search) => {
      const order = { sort: 'username', only: 'all' } as const
      const query = { isPaged: true, search, ...order, page: 1, limit: 100 } as const
      const page = JSON.parse(await usersPageJson(db, query, new Date(0))) as {
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
        {
          isPaged: true,
          search,
          status: 'all',
          sort: '-createdAt',
          contact: 'with',
          page: 1,
          limit: 100,
        },
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
