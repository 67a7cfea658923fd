// The database a benchmark runs on: many users with packs, seeds and sessions, and prizes of all
// kinds.

import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { pino } from 'pino'
import { type Database, statement } from '../server/src/adapters/db/database.ts'
import { migrate, readMigrations } from '../server/src/adapters/db/migrate.ts'
import { openPostgres } from '../server/src/adapters/db/postgres.ts'
import { encryptionWith } from '../server/src/adapters/encryption/encryption.ts'
import { drawSeeds } from '../server/src/adapters/random/draw-seeds.ts'
import { systemRandom } from '../server/src/adapters/random/random.ts'
import { appendLogEntries } from '../server/src/features/fairness/public-log.ts'
import { requestText } from './load.ts'

export const usersCount = 10_000
/** The key with which seeds of the scene are sealed. */
export const benchEncryptionKey = '5e'.repeat(32)
const packsEach = 1_000_000

export type Scene = Awaited<ReturnType<typeof prepareScene>>

export const serverUrl =
  process.env['BENCH_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'

const tokenOf = (index: number) => createHash('sha256').update(`bench-${index}`).digest('base64url')

/** Session cookie of the user with this index. */
function sceneCookie(index: number): string {
  return `sid=${tokenOf(index)}`
}

/** Makes requests to open packs, each of a random one of the first `users`. */
export function randomOpenings(users: number, packTypeId: number, quantity: number) {
  const body = JSON.stringify({ packTypeId, quantity })
  return () => {
    const user = Math.floor(Math.random() * users)
    return requestText('POST', '/api/packs/open', sceneCookie(user), body)
  }
}

const logMillisMax = 120_000

/** Waits until the product has logged what it opened, so that this costs nobody else. */
export async function logged({ query }: Scene): Promise<void> {
  const deadline = performance.now() + logMillisMax
  while (performance.now() < deadline) {
    const rows = await query<{ waits: boolean }>(
      'SELECT EXISTS (SELECT FROM log_queue WHERE set_aside IS NULL) AS waits',
    )
    if (rows[0]?.waits !== true) return
    await pause(250)
  }
  throw new Error('The public log did not catch up')
}

const addChains = statement(
  'bench_add_chains',
  `INSERT INTO draw_chains (id, user_id, day, first_commitment, commitment, sealed_seed, created_at)
   SELECT position, position, (now() AT TIME ZONE 'UTC')::date, commitment, commitment, sealed, now()
   FROM unnest($1::text[], $2::jsonb[]) WITH ORDINALITY AS c (commitment, sealed, position)`,
)
const insertSessions = statement(
  'bench_add_sessions',
  `INSERT INTO sessions (token_hash, user_id, kind, created_at, last_seen_at, expires_at)
   SELECT hash, position, 'player', now(), now(), now() + interval '30 days'
   FROM unnest($1::text[]) WITH ORDINALITY AS s (hash, position)`,
)

/** Brings an empty database to the tables of the product. */
export async function migrateScene(db: Database): Promise<void> {
  const folder = fileURLToPath(new URL('../server/migrations', import.meta.url))
  await migrate(db, await readMigrations(folder))
}

/** Fills an empty database: users who hold a million packs each, and sessions. */
export async function fillScene(db: Database, users: number): Promise<void> {
  await migrateScene(db)
  await db.script(fillSql(users))
  const seeds = drawSeeds(systemRandom, encryptionWith(benchEncryptionKey, systemRandom))
  const made = Array.from({ length: users }, (_, index) => seeds.make(index + 1, 0))
  await db.run(addChains, [
    made.map(({ commitment }) => commitment),
    made.map(({ sealed }) => JSON.stringify(sealed)),
  ])
  await appendLogEntries({ db, log: pino({ level: 'warn' }) })
  await db.script(`SELECT setval(pg_get_serial_sequence('draw_chains', 'id'), ${users})`)
  const hashes = made.map((_, index) => createHash('sha256').update(tokenOf(index)).digest('hex'))
  await db.run(insertSessions, [hashes])
  await db.script('VACUUM ANALYZE')
}

/** A fresh database on PostgreSQL with 10,000 users. */
export async function prepareScene() {
  const admin = new pg.Client({ connectionString: serverUrl })
  await admin.connect()
  const database = `redpack_bench_${randomBytes(4).toString('hex')}`
  await admin.query(`CREATE DATABASE ${database}`)
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  const db = openPostgres({ url: url.href, connectionsMax: 2, onError: () => undefined })
  await fillScene(db, usersCount)
  await db.close()
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  return {
    url: url.href,
    packTypeId: 1,
    cookie: sceneCookie,
    query: async <Row>(sql: string) => (await client.query(sql)).rows as Row[],
    async drop() {
      await client.end()
      await admin.query(`DROP DATABASE ${database} WITH (FORCE)`)
      await admin.end()
    },
  }
}

/** What a heartbeat of the watchers names. */
export const watchedStream = { streamId: 1, streamSessionId: 'b1' } as const

/** Puts the first `count` users before one live stream that none of them completes. */
export async function addWatchers(scene: Scene, count: number): Promise<void> {
  const { streamId, streamSessionId } = watchedStream
  await scene.query(`
    INSERT INTO twitch_streams (id, twitch_channel_id, channel_name, display_name, is_live,
      current_stream_id, watch_time_required, reward_red_coin_amount)
    VALUES (${streamId}, 'bench', 'bench', 'Bench', true, '${streamSessionId}', 36000, 10)`)
  await scene.query(`
    INSERT INTO viewer_sessions (user_id, stream_id, stream_session_id, started_at, last_active_at)
    SELECT id, ${streamId}, '${streamSessionId}', now(), now() FROM users WHERE id <= ${count}`)
}

/**
 * One pack type; a third of its packs wins: two RedCoin prizes, two limited and one unlimited item.
 */
const fillSql = (users: number) => `
  INSERT INTO users (twitch_id, username, display_name)
    SELECT 'b' || n, 'bench' || n, 'Bench ' || n FROM generate_series(1, ${users}) n;
  INSERT INTO pack_types (name) VALUES ('Bench');
  INSERT INTO prizes (name, win_frequency, total_packs, red_coin_amount, inventory_quantity) VALUES
    ('Small coins', 15, 100, 20, NULL), ('Large coins', 5, 100, 100, NULL),
    ('Sticker', 10, 100, 0, NULL), ('Mug', 2, 100, 0, 100000000), ('Hoodie', 1, 100, 0, 100000000);
  INSERT INTO prize_pack_types (prize_id, pack_type_id) SELECT id, 1 FROM prizes;
  INSERT INTO stock_events (kind, ref_id, delta, quantity_after, source_type, source_id)
    SELECT 'prize', id, inventory_quantity, inventory_quantity, 'created', 'bench' FROM prizes
    WHERE inventory_quantity IS NOT NULL;
  INSERT INTO user_packs (user_id, pack_type_id, quantity) SELECT id, 1, ${packsEach} FROM users;
  INSERT INTO pack_transactions (user_id, pack_type_id, delta, quantity_after, type, source_type,
    source_id) SELECT id, 1, ${packsEach}, ${packsEach}, 'opening_balance', 'bench', id::text FROM users;
`
