// A database from before claims kept their own copy: what each claim knows after the migration.

import { createHash } from 'node:crypto'
import { PGlite, types } from '@electric-sql/pglite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, statement } from '../src/adapters/db/database.ts'
import { wrapEmbedded } from '../src/adapters/db/embedded.ts'
import { migrate, readMigrations } from '../src/adapters/db/migrate.ts'
import { runInvariant } from '../src/features/books/invariants.ts'
import { packInvariants } from '../src/features/books/pack-invariants.ts'
import { migrationsFolder } from '../src/paths.ts'
import { isPostgresReachable, postgresTestDatabase } from './test-database.ts'

/** Migrations of the last release without the copy. */
const before = 11
/** Those before packs were delivered when they are won. */
const waiting = 20
const read = <Row = Record<string, unknown>>(db: Database, sql: string) =>
  db.run<Row>(statement(`test ${createHash('sha1').update(sql).digest('hex')}`, sql), [])

const entry = (prizeId: number, name: string, redCoinAmount: number) => ({
  prizeId,
  name,
  winFrequency: 1,
  totalPacks: 9,
  redCoinAmount,
})
const table = JSON.stringify({
  packTypeId: 1,
  entries: [
    entry(1, 'Coins', 40),
    entry(2, `Hoodie "L" \\ 'Ü' 🧢`, 0),
    entry(3, 'Two packs', 0),
    entry(4, 'Mug', 0),
  ],
})
const request = (digit: number) => `${digit}0000000-0000-0000-0000-000000000000`

/** Prizes as they were drawn, openings in both tables and their claims; then the prizes change. */
const filled = `
  INSERT INTO users (id, username, display_name) VALUES (1, 'ana', 'Ana');
  INSERT INTO pack_types (id, name) VALUES (1, 'Gold');
  INSERT INTO prizes (id, name, red_coin_amount, pack_type_id, pack_quantity, image_data,
      image_type) VALUES
    (1, 'Coins', 40, NULL, 0, NULL, NULL), (2, 'Hoodie', 0, NULL, 0, 'UkVE', 'image/webp'),
    (3, 'Two packs', 0, 1, 2, 'UkVE', 'image/webp'), (4, 'Mug', 0, NULL, 0, 'UkVE', NULL),
    (5, 'Cap', 0, NULL, 0, NULL, NULL);
  INSERT INTO prize_pack_types (prize_id, pack_type_id) SELECT id, 1 FROM prizes;
  INSERT INTO odds_tables (id, pack_type_id, table_hash, body)
    SELECT 1, 1, encode(sha256(convert_to(body, 'UTF8')), 'hex'), body
    FROM (SELECT '${table.replaceAll("'", "''")}' AS body) AS drawn;
  INSERT INTO seed_pairs (id, user_id, server_seed, server_seed_hash, client_seed, status)
    VALUES (1, 1, repeat('a', 64), repeat('b', 64), 'seed', 'revealed');
  INSERT INTO opening_requests (id, user_id, pack_type_id, seed_pair_id, odds_table_id, first_nonce,
      quantity, consolation_red_coin, created_at) VALUES
    ('${request(1)}', 1, 1, 1, 1, 0, 3, 5, now()), ('${request(2)}', 1, 1, 1, 1, 3, 2, 5, now());
  INSERT INTO pack_openings (id, request_id, user_id, pack_type_id, prize_id, red_coin_earned,
      nonce)
    VALUES (1, '${request(1)}', 1, 1, 1, 40, 0), (2, '${request(1)}', 1, 1, 2, 0, 1),
      (3, '${request(1)}', 1, 1, 3, 0, 2), (5, '${request(2)}', 1, 1, 5, 0, 4);
  INSERT INTO pack_openings_archive (id, request_id, user_id, pack_type_id, prize_id,
      red_coin_earned, nonce) VALUES (4, '${request(2)}', 1, 1, 4, 0, 3);
  INSERT INTO pack_transactions (user_id, pack_type_id, delta, quantity_after, type, source_type,
      source_id) VALUES (1, 1, 2, 2, 'prize_reward', 'opening_request', '${request(1)}');
  INSERT INTO prize_claims (id, user_id, prize_id, claim_id, status, pack_opening_id, deleted_at,
      updated_at) VALUES
    (1, 1, 1, 'PR-1', 'completed', 1, NULL, '2026-01-01'), (2, 1, 2, 'PR-2', 'pending', 2, now(),
      '2026-01-01'), (3, 1, 3, 'PR-3', 'pending', 3, NULL, '2026-01-01'),
    (4, 1, 4, 'PR-4', 'processing', 4, NULL, '2026-01-01'),
    (5, 1, 5, 'PR-5', 'pending', 5, NULL, '2026-01-01'),
    (6, 1, 1, NULL, 'completed', NULL, NULL, '2026-01-01');
  UPDATE prizes SET red_coin_amount = 0, name = 'Was coins' WHERE id = 1;
  UPDATE prizes SET red_coin_amount = 70, name = 'Was a hoodie',
    description = 'Warm' WHERE id = 2;
  UPDATE prizes SET name = 'Bag', pack_type_id = 1, pack_quantity = 9, image_data = 'QkxVRQ=='
    WHERE id = 4;
  UPDATE prizes SET name = 'Hat', description = 'Of felt', archived_at = now() WHERE id = 5;`

const unmoved = `SELECT (SELECT max(odds_revision) FROM pack_types) AS revision,
  (SELECT max(updated_at) FROM prizes) AS prizes, (SELECT max(updated_at) FROM prize_claims) AS
  claims, (SELECT count(*)::int FROM prize_claim_events) AS events`

async function upgrade(db: Database) {
  const own = await readMigrations(migrationsFolder)
  await db.script('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  await migrate(db, own.slice(0, before))
  await db.script(filled)
  const [then] = await read(db, unmoved)
  await migrate(db, own.slice(0, waiting))
  const [now] = await read(db, unmoved)
  expect(now).toEqual(then)
  await migrate(db, own)
  // The one claim whose odds table does not know its prize.
  const kept = packInvariants.find(({ id }) => id === 'I30')!
  expect((await runInvariant(db, kept)).rows).toEqual([{ claim: 5 }])
}

const hashOf = (type: string, data: string) =>
  createHash('sha256').update(`${type}:${data}`).digest('hex')
const red = hashOf('image/webp', 'UkVE')
const blue = hashOf('', 'QkxVRQ==')

function keepsWhatWasWon(open: () => Promise<{ db: Database; close: () => Promise<void> }>) {
  let db: Database
  let close: () => Promise<void>
  beforeAll(async () => {
    ;({ db, close } = await open())
    await upgrade(db)
  }, 60_000)
  afterAll(() => close())

  it('gives every claim what its opening paid, as its odds table called it', async () => {
    const claims = await read(
      db,
      `SELECT id, prize_name AS name, red_coin_amount AS coins, pack_quantity AS packs,
         image_hash AS image FROM prize_claims ORDER BY id`,
    )
    expect(claims).toEqual([
      { id: 1, name: 'Coins', coins: 40, packs: 0, image: null },
      { id: 2, name: `Hoodie "L" \\ 'Ü' 🧢`, coins: 0, packs: 0, image: red },
      { id: 3, name: 'Two packs', coins: 0, packs: 2, image: red },
      // Its opening is in the archive; packs came to the prize only later.
      { id: 4, name: 'Mug', coins: 0, packs: 0, image: blue },
      // The odds table does not know it: the prize of today is all there is.
      { id: 5, name: 'Hat', coins: 0, packs: 0, image: null },
      // Without an opening the prize of today is all there is as well.
      { id: 6, name: 'Was coins', coins: 0, packs: 0, image: null },
    ])
  })

  it('gives every claim the description of today, since no other is known', async () => {
    const claims = await read(db, 'SELECT prize_description AS said FROM prize_claims ORDER BY id')
    expect(claims.map(({ said }) => said)).toEqual(['', 'Warm', '', '', 'Of felt', ''])
  })

  it('completes the waiting claim of packs alone, and no other', async () => {
    const claims = await read(
      db,
      'SELECT id, status, is_also_sent AS sent FROM prize_claims WHERE red_coin_amount = 0 ORDER BY id',
    )
    expect(claims.map(({ id, status }) => [id, status])).toEqual([
      ...[
        [2, 'pending'],
        [3, 'completed'],
        [4, 'processing'],
        [5, 'pending'],
        [6, 'completed'],
      ],
    ])
    expect(claims.some(({ sent }) => sent)).toBe(false)
    const steps = await read(db, 'SELECT prize_claim_id AS id, status FROM prize_claim_events')
    expect(steps).toEqual([{ id: 3, status: 'completed' }])
  })

  it('keeps the pictures of prizes, each once', async () => {
    const pictures = await read(db, 'SELECT hash, image_data, image_type FROM prize_images')
    expect(pictures).toHaveLength(2)
    expect(pictures).toContainEqual({ hash: red, image_data: 'UkVE', image_type: 'image/webp' })
    expect(pictures).toContainEqual({ hash: blue, image_data: 'QkxVRQ==', image_type: null })
  })

  it('refuses a change of it, and lets everything else change', async () => {
    const change = (sql: string) => read(db, `UPDATE prize_claims SET ${sql} WHERE id = 1`)
    for (const sql of [
      `prize_name = 'X'`,
      'red_coin_amount = 1',
      'image_hash = NULL',
      `prize_description = 'X'`,
    ]) {
      await expect(change(sql)).rejects.toMatchObject({ code: '23001' })
    }
    await change(`status = 'completed', deleted_at = now(), contact_info = NULL`)
  })

  it('fills the copy in for an older program that goes on beside', async () => {
    const [claim] = await read(
      db,
      `WITH opened AS (
         INSERT INTO pack_openings (id, request_id, user_id, pack_type_id, prize_id,
           red_coin_earned, nonce) VALUES (9, '${request(2)}', 1, 1, 2, 65, 9)
         RETURNING id, prize_id
       )
       INSERT INTO prize_claims (id, user_id, prize_id, claim_id, pack_opening_id)
       SELECT 9, 1, prize_id, 'PR-9', id FROM opened
       RETURNING prize_name, prize_description, red_coin_amount, pack_quantity, image_hash`,
    )
    expect(claim).toEqual({
      prize_name: 'Was a hoodie',
      prize_description: 'Warm',
      red_coin_amount: 65,
      pack_quantity: 0,
      image_hash: red,
    })
  })
}

describe('the migration to claims that keep what was won, embedded', () => {
  keepsWhatWasWon(async () => {
    const lite = await PGlite.create({ parsers: { [types.INT8]: Number } })
    return { db: wrapEmbedded(lite), close: () => lite.close() }
  })
})

describe.skipIf(!(await isPostgresReachable()))('the same on PostgreSQL', () => {
  keepsWhatWasWon(async () => {
    const { db, drop } = await postgresTestDatabase()
    return { db, close: drop }
  })
})
