// Books of any size in which every invariant holds: packs opened by the product itself, and a
// little of everything else written in bulk.

import { pino } from 'pino'
import { movableClock } from '../server/src/adapters/clock/clock.ts'
import type { Database } from '../server/src/adapters/db/database.ts'
import type { Deps } from '../server/src/adapters/deps.ts'
import { encryptionWith } from '../server/src/adapters/encryption/encryption.ts'
import { localEvents } from '../server/src/adapters/events/events.ts'
import { systemRandom } from '../server/src/adapters/random/random.ts'
import { publicLog } from '../server/src/adapters/transparency-log/public-log.ts'
import { readConfig } from '../server/src/config/config.ts'
import { appendLogEntries, signCheckpoint } from '../server/src/features/fairness/public-log.ts'
import { Opening } from '../server/src/features/packs/open-packs.ts'
import { benchEncryptionKey, fillScene } from './scene.ts'

/** Packs of each request of a user, in turns: 100 packs in 55 requests. */
const requestSizes = [...Array<number>(50).fill(1), ...Array<number>(5).fill(10)]
const openingsEach = requestSizes.reduce((sum, size) => sum + size, 0)
const callers = 64

/** What opens packs and looks at the books of a scene. */
export function booksDeps(db: Database) {
  const clock = movableClock()
  const log = pino({ level: 'error' })
  const encryption = encryptionWith(benchEncryptionKey, systemRandom)
  const events = localEvents(() => undefined)
  const deps = { db, clock, log, random: systemRandom, encryption, events } as unknown as Deps
  return { ...deps, clock }
}

interface Order {
  readonly userId: number
  readonly quantity: number
}

/** Opens packs, so many orders at a time. */
export async function openPacks(
  deps: Deps,
  orders: Generator<Order>,
  atOnce: number,
): Promise<void> {
  const opening = new Opening(deps)
  const caller = async () => {
    for (const { userId, quantity } of orders) {
      const idempotencyKey = systemRandom.uuid()
      await opening.open(userId, { packTypeId: 1, quantity, idempotencyKey })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, caller))
}

/** In rounds, as on a busy evening: what belongs to one person lies far apart. */
function* ordersOf(people: number, say: (text: string) => void): Generator<Order> {
  for (const [round, quantity] of requestSizes.entries()) {
    for (let userId = 1; userId <= people; userId += 1) yield { userId, quantity }
    if (round % 10 === 9) say(`${round + 1} of ${requestSizes.length} rounds opened`)
  }
}

/**
 * Fills an empty database with about `openings` openings, a hundred a person, and a public log of
 * all of them. Everybody has a session.
 */
export async function writeBooks(
  db: Database,
  openings: number,
  say: (text: string) => void,
): Promise<void> {
  const people = Math.max(1, Math.round(openings / openingsEach))
  const deps = booksDeps(db)
  await fillScene(db, people)
  await openPacks(deps, ordersOf(people, say), callers)
  await db.script(otherBooks)
  await db.script('ANALYZE')
  say('appending to the public log')
  const config = readConfig({ SANDBOX: 'on', LOG_LEVEL: 'warn' })
  await appendLogEntries(deps)
  const signed = publicLog({ ...config, logSigningKey: '10'.repeat(32) })
  await signCheckpoint({ ...deps, config, publicLog: signed })
  await db.script('VACUUM ANALYZE')
}

/** What is not an opening: purchases, watching, chat rewards, a bulk grant. */
const otherBooks = `
  INSERT INTO store_pack_listings (pack_type_id, red_coin_price, is_unlimited) VALUES (1, 10, true);
  INSERT INTO store_purchases (user_id, store_pack_listing_id, quantity, unit_price, red_coin_cost)
    SELECT u.id, 1, 1, 10, 10 FROM users u, generate_series(1, 3);
  INSERT INTO red_coin_transactions (user_id, amount, type, balance_after, source_type, source_id)
    SELECT user_id, -10, 'store_purchase', balance - 10 * nth, 'purchase', id::text FROM (
      SELECT p.user_id, p.id, u.red_coin_balance AS balance,
        row_number() OVER (PARTITION BY p.user_id ORDER BY p.id) AS nth
      FROM store_purchases p JOIN users u ON u.id = p.user_id) x ORDER BY x.id;
  INSERT INTO pack_transactions (user_id, pack_type_id, delta, quantity_after, type, source_type,
    source_id)
    SELECT user_id, 1, 1, held + nth, 'purchase', 'purchase', id::text FROM (
      SELECT p.user_id, p.id, h.quantity AS held,
        row_number() OVER (PARTITION BY p.user_id ORDER BY p.id) AS nth
      FROM store_purchases p JOIN user_packs h ON h.user_id = p.user_id) x ORDER BY x.id;
  INSERT INTO bulk_batches (id, kind, pack_type_id, actor_id, file_name, file_hash,
    processed_count, failed_count, total, created_at)
    SELECT '00000000-0000-4000-8000-000000000001', 'packs', 1, 1, 'bench', repeat('a', 64),
      count(*), 0, count(*), now() FROM users;
  INSERT INTO bulk_batch_rows (batch_id, row_number, username, user_id, verdict, amount, applied,
    after)
    SELECT '00000000-0000-4000-8000-000000000001', user_id + 1, 'x', user_id, 'ok', 1, 1,
      quantity + 4
    FROM user_packs;
  INSERT INTO pack_transactions (user_id, pack_type_id, delta, quantity_after, type, source_type,
    source_id)
    SELECT user_id, 1, 1, quantity + 4, 'admin_grant', 'grant',
      '00000000-0000-4000-8000-000000000001'
    FROM user_packs;
  UPDATE user_packs SET quantity = quantity + 4;
  UPDATE users SET red_coin_balance = red_coin_balance - 30;
  INSERT INTO twitch_streams (twitch_channel_id, channel_name, display_name)
    VALUES ('bench', 'bench', 'Bench');
  INSERT INTO viewer_sessions (user_id, stream_id, stream_session_id, total_watch_time, started_at,
    last_active_at)
    SELECT u.id, 1, n::text, 3600, now() - interval '1 hour', now()
    FROM users u, generate_series(1, 10) n;
  INSERT INTO watch_completions (user_id, stream_id, stream_session_id, watch_time_completed,
    required) SELECT u.id, 1, n::text, 3600, 3600 FROM users u, generate_series(1, 5) n;
  INSERT INTO discord_reward_claims (user_id, discord_server_id, message_id, discord_user_id,
    red_coin_amount)
    SELECT u.id, 's', n::text, 'd' || u.id, 0 FROM users u, generate_series(1, 5) n`
