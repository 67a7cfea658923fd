// Seed pairs and odds tables: what draws are made from and what they can be checked against.

import { type Queryable, statement } from '../../adapters/db/database.ts'
import type { KeptSeed, ServerSeeds } from '../../adapters/random/server-seeds.ts'

const nextId = statement(
  'next_seed_pair_id',
  "SELECT nextval(pg_get_serial_sequence('seed_pairs', 'id'))::int AS id",
)
const insertPair = statement(
  'insert_seed_pair',
  `INSERT INTO seed_pairs (id, user_id, sealed_server_seed, server_seed_hash, client_seed,
     client_seed_from, status, scheme, created_at)
   VALUES (:id, :userId, :sealed, :commitment, :clientSeed, :clientSeedFrom, :status, 2, :now)
   ON CONFLICT DO NOTHING`,
)
const lockUser = statement(
  'lock_user_for_seeds',
  'SELECT id FROM users WHERE id = $1 FOR NO KEY UPDATE',
)
const pairOf = (status: 'active' | 'next') => `SELECT id, server_seed AS "serverSeed",
     sealed_server_seed AS "sealedServerSeed", server_seed_hash AS "serverSeedHash",
     client_seed AS "clientSeed", client_seed_from AS "clientSeedFrom", nonce, scheme, status,
     commitment_index IS NOT NULL AS "isLogged"
   FROM seed_pairs WHERE user_id = $1 AND status = '${status}'`
// Each of the two has an index of its own, and leaves alone what was revealed long ago.
const readPairs = statement(
  'read_current_seed_pairs',
  `${pairOf('active')} UNION ALL ${pairOf('next')}`,
)
const reveal = statement(
  'reveal_seed_pair',
  `UPDATE seed_pairs SET status = 'revealed', revealed_at = $2, server_seed = $3,
     sealed_server_seed = NULL
   WHERE id = $1 AND status = 'active'`,
)
const activate = statement(
  'activate_seed_pair',
  `UPDATE seed_pairs SET status = 'active', client_seed = $2, client_seed_from = $3
   WHERE id = $1 AND status = 'next'`,
)
const setClientSeed = statement(
  'set_client_seed',
  `UPDATE seed_pairs SET client_seed = $2, client_seed_from = 'player'
   WHERE user_id = $1 AND status = 'active' AND nonce = 0 AND scheme = 2
   RETURNING id`,
)

export interface ClientSeed {
  readonly text: string
  readonly from: 'player' | 'server'
}

export interface SeedPair extends KeptSeed {
  readonly serverSeedHash: string
  readonly clientSeed: string
  /** Null for pairs from before this was written down. */
  readonly clientSeedFrom: ClientSeed['from'] | null
  readonly nonce: number
  readonly scheme: 1 | 2
}

export interface CurrentSeeds {
  readonly active: SeedPair
  readonly next: { readonly id: number; readonly serverSeedHash: string }
  /** False while one of the two commitments is still to be put into the public log. */
  readonly areLogged: boolean
}

type PairRow = Omit<SeedPair, 'clientSeed'> & {
  readonly clientSeed: string | null
  readonly status: 'next' | 'active'
  readonly isLogged: boolean
}

async function addPair(
  tx: Queryable,
  seeds: ServerSeeds,
  userId: number,
  status: 'active' | 'next',
  now: Date,
): Promise<void> {
  const [row] = await tx.run<{ id: number }>(nextId, [])
  if (row === undefined) throw new Error('A seed pair got no id')
  const { sealed, commitment } = seeds.make(row.id)
  const clientSeed = status === 'active' ? seeds.clientSeed() : undefined
  await tx.run(insertPair, {
    id: row.id,
    userId,
    sealed,
    commitment,
    clientSeed: clientSeed ?? null,
    clientSeedFrom: clientSeed === undefined ? null : 'server',
    status,
    now,
  })
}

/**
 * The user's active pair and the commitment to the next, made now when missing: the active pair
 * first, so that loaded dice are used in that order. Until the player's browser sends a client
 * seed, the server's stands in. Locks the user's row.
 */
export async function ensureSeeds(
  tx: Queryable,
  seeds: ServerSeeds,
  userId: number,
  now: Date,
): Promise<CurrentSeeds> {
  await tx.run(lockUser, [userId])
  let rows = await tx.run<PairRow>(readPairs, [userId])
  for (const status of ['active', 'next'] as const) {
    if (!rows.some((row) => row.status === status)) await addPair(tx, seeds, userId, status, now)
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
    active: { ...active, clientSeed: active.clientSeed ?? '' },
    next: { id: next.id, serverSeedHash: next.serverSeedHash },
    areLogged: active.isLogged && next.isLogged,
  }
}

/**
 * Reveals the active pair and activates the published next one with the client seed, the server's
 * own when the player sends none; a fresh next pair is committed to at once. Call after
 * `ensureSeeds` in the same transaction, which holds the lock. Answers the revealed seed too.
 * @throws Unavailable when the active seed cannot be opened
 */
export async function rotatePairs(
  tx: Queryable,
  seeds: ServerSeeds,
  userId: number,
  before: CurrentSeeds,
  chosen: string | undefined,
  now: Date,
): Promise<CurrentSeeds & { readonly revealedSeed: string }> {
  const revealedSeed = seeds.open(before.active)
  await tx.run(reveal, [before.active.id, now, revealedSeed])
  const clientSeed = chosen ?? seeds.clientSeed()
  const from: ClientSeed['from'] = chosen === undefined ? 'server' : 'player'
  await tx.run(activate, [before.next.id, clientSeed, from])
  await addPair(tx, seeds, userId, 'next', now)
  return { ...currentSeeds(await tx.run<PairRow>(readPairs, [userId])), revealedSeed }
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

/**
 * Reveals the pair in use of somebody who goes for good, so that every draw made with it can be
 * checked. The pair that would have come next was never used and stays as it is. The caller holds
 * the lock of the user's row.
 * @throws Unavailable when the seed cannot be opened
 */
export async function revealActivePair(
  tx: Queryable,
  seeds: ServerSeeds,
  userId: number,
  now: Date,
): Promise<void> {
  const rows = await tx.run<PairRow>(readPairs, [userId])
  const active = rows.find(({ status }) => status === 'active')
  if (active !== undefined) await tx.run(reveal, [active.id, now, seeds.open(active)])
}

const readPlain = statement(
  'read_seeds_to_seal',
  `-- not null: serverSeed (see WHERE)
   SELECT id, server_seed AS "serverSeed" FROM seed_pairs
   WHERE status <> 'revealed' AND server_seed IS NOT NULL ORDER BY id LIMIT $1`,
)
const keepSealed = statement(
  'keep_sealed_seeds',
  `UPDATE seed_pairs SET server_seed = NULL, sealed_server_seed = s.sealed
   FROM unnest($1::int[], $2::jsonb[]) AS s (id, sealed)
   WHERE seed_pairs.id = s.id AND seed_pairs.status <> 'revealed'`,
)

/** Seals up to `limit` secret seeds that still stand in plain text, and answers how many. */
export async function sealPlainSeeds(
  tx: Queryable,
  seeds: ServerSeeds,
  limit: number,
): Promise<number> {
  const plain = await tx.run<{ id: number; serverSeed: string }>(readPlain, [limit])
  if (plain.length === 0) return 0
  await tx.run(keepSealed, [
    plain.map(({ id }) => id),
    plain.map(({ id, serverSeed }) => JSON.stringify(seeds.seal(serverSeed, id))),
  ])
  return plain.length
}
