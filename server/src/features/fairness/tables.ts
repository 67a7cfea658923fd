// Seed pairs and odds tables: what draws are made from and what they can be checked against.

import { type Queryable, statement } from '../../adapters/db/database.ts'
import type { Random } from '../../adapters/random/random.ts'
import { seedCommitment } from '../../adapters/random/rolls.ts'

const insertPair = statement(
  'insert_seed_pair',
  `INSERT INTO seed_pairs (user_id, server_seed, server_seed_hash, client_seed, status, created_at)
   VALUES ($1, $2, $3, $4, $5, $6)
   ON CONFLICT DO NOTHING`,
)
const lockUser = statement(
  'lock_user_for_seeds',
  'SELECT id FROM users WHERE id = $1 FOR NO KEY UPDATE',
)
const readPairs = statement(
  'read_current_seed_pairs',
  `SELECT id, server_seed, server_seed_hash, client_seed, nonce, status FROM seed_pairs
   WHERE user_id = $1 AND status <> 'revealed'`,
)
const reveal = statement(
  'reveal_seed_pair',
  `UPDATE seed_pairs SET status = 'revealed', revealed_at = $2 WHERE id = $1 AND status = 'active'`,
)
const activate = statement(
  'activate_seed_pair',
  `UPDATE seed_pairs SET status = 'active', client_seed = $2 WHERE id = $1 AND status = 'next'`,
)
const setClientSeed = statement(
  'set_client_seed',
  `UPDATE seed_pairs SET client_seed = $2 WHERE user_id = $1 AND status = 'active' AND nonce = 0
   RETURNING id`,
)

export interface SeedPair {
  readonly id: number
  readonly serverSeed: string
  readonly serverSeedHash: string
  readonly clientSeed: string
  readonly nonce: number
}

export interface CurrentSeeds {
  readonly active: SeedPair
  readonly next: { readonly id: number; readonly serverSeedHash: string }
}

interface PairRow {
  readonly id: number
  readonly server_seed: string
  readonly server_seed_hash: string
  readonly client_seed: string | null
  readonly nonce: number
  readonly status: 'next' | 'active'
}

/** A client seed for players who have not chosen one: 16 random hex digits. */
export function randomClientSeed(random: Random): string {
  return random.bytes(8).toString('hex')
}

async function addPair(
  tx: Queryable,
  random: Random,
  userId: number,
  status: 'active' | 'next',
  now: Date,
): Promise<void> {
  const serverSeed = random.serverSeed().toString('hex')
  const clientSeed = status === 'active' ? randomClientSeed(random) : null
  await tx.run(insertPair, [
    userId,
    serverSeed,
    seedCommitment(serverSeed),
    clientSeed,
    status,
    now,
  ])
}

/**
 * The user's active pair and the commitment to the next, made now when missing: the active pair
 * first, so that loaded dice are used in that order. Locks the user's row.
 */
export async function ensureSeeds(
  tx: Queryable,
  random: Random,
  userId: number,
  now: Date,
): Promise<CurrentSeeds> {
  await tx.run(lockUser, [userId])
  let rows = await tx.run<PairRow>(readPairs, [userId])
  for (const status of ['active', 'next'] as const) {
    if (!rows.some((row) => row.status === status)) await addPair(tx, random, userId, status, now)
  }
  if (rows.length < 2) rows = await tx.run<PairRow>(readPairs, [userId])
  return currentSeeds(rows)
}

function currentSeeds(rows: readonly PairRow[]): CurrentSeeds {
  const active = rows.find(({ status }) => status === 'active')
  const next = rows.find(({ status }) => status === 'next')
  if (active === undefined || next === undefined)
    throw new Error('A user has no current seed pairs')
  return {
    active: {
      id: active.id,
      serverSeed: active.server_seed,
      serverSeedHash: active.server_seed_hash,
      clientSeed: active.client_seed ?? '',
      nonce: active.nonce,
    },
    next: { id: next.id, serverSeedHash: next.server_seed_hash },
  }
}

/**
 * Reveals the active pair and activates the published next one with `clientSeed`; a fresh next pair
 * is committed to at once. Call after `ensureSeeds` in the same transaction, which holds the lock.
 */
export async function rotatePairs(
  tx: Queryable,
  random: Random,
  userId: number,
  seeds: CurrentSeeds,
  clientSeed: string,
  now: Date,
): Promise<CurrentSeeds> {
  await tx.run(reveal, [seeds.active.id, now])
  await tx.run(activate, [seeds.next.id, clientSeed])
  await addPair(tx, random, userId, 'next', now)
  return currentSeeds(await tx.run<PairRow>(readPairs, [userId]))
}

/**
 * Sets the client seed of the active pair. Answers false when a pack was opened with it already.
 */
export async function changeClientSeed(
  tx: Queryable,
  userId: number,
  clientSeed: string,
): Promise<boolean> {
  return (await tx.run(setClientSeed, [userId, clientSeed])).length > 0
}
