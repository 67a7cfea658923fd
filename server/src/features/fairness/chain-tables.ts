// Draw chains: what the next opening of each user is drawn from, and the seeds of ended chains.

import { hexOf } from '@redpack/fair/bytes'
import type { Entry } from '@redpack/fair/entries'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import { existsQuery, oneValueQuery, rowQuery, writeQuery } from '../../adapters/db/queries.ts'
import type { DrawSeeds, OpenChain } from '../../adapters/random/draw-seeds.ts'
import { signedOut, Unavailable } from '../../shared/domain-error.ts'

const nextId = oneValueQuery<{ id: number }>(
  'next_chain_id',
  "SELECT nextval(pg_get_serial_sequence('draw_chains', 'id'))::int AS id",
)
const insertChain = statement(
  'insert_chain',
  `INSERT INTO draw_chains (id, user_id, day, first_commitment, commitment, sealed_seed, created_at)
   VALUES (:id, :userId, :day, :commitment, :commitment, :sealed, :now)`,
)
const lockUser = statement(
  'lock_user_for_chain',
  'SELECT id FROM users WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE',
)
const openColumns = `id AS "chainId", index, commitment, sealed_seed AS "sealedSeed",
  day::text AS day, user_id AS "userId"`
const readOpen = rowQuery<OpenChain, [userId: number]>(
  'read_open_chain',
  `-- not null: sealedSeed (an open chain has one)
   SELECT ${openColumns} FROM draw_chains WHERE user_id = $1 AND ended_at IS NULL`,
)
const readPast = statement(
  'read_chains_to_end',
  `SELECT id AS "chainId", user_id AS "userId" FROM draw_chains
   WHERE day < $1 AND id > $2 AND ended_at IS NULL ORDER BY id LIMIT $3`,
)
const isGivenUp = existsQuery<[keyId: string]>(
  'read_given_up_key',
  'SELECT key_id FROM encryption_keys WHERE key_id = $1 AND is_lost',
)
const endOne = statement(
  'end_chain',
  `UPDATE draw_chains SET ended_at = $3, end_seed = $4, sealed_seed = NULL
   WHERE id = $1 AND index = $2 AND ended_at IS NULL`,
)
const readEnded = statement(
  'read_ended_chains',
  `SELECT id AS "chainId", index, end_seed AS "serverSeed" FROM draw_chains
   WHERE user_id = $1 AND ended_at >= $2 ORDER BY id DESC LIMIT 100`,
)
const removeUnused = statement(
  'remove_unused_chains',
  'DELETE FROM draw_chains WHERE is_unused AND ended_at < $1',
)

/** How long the unused seeds of ended chains are told to their owner. */
const toldForMillis = 30 * 86_400_000

const dayOf = (now: Date) => now.toISOString().slice(0, 10)

/** One of a later day is of a process whose clock is ahead, and may be drawn from as well. */
const isOfToday = ({ day }: Pick<OpenChain, 'day'>, now: Date) => day >= dayOf(now)

/** A place of a user's chain whose seed was told. */
export type ToldPlace = Pick<OpenChain, 'chainId' | 'index'>

/** Not at a place that was `told`: a failover has lost the opening that told it. */
export const isDrawable = (chain: OpenChain, now: Date, told?: ToldPlace) =>
  isOfToday(chain, now) && !(told?.chainId === chain.chainId && chain.index <= told.index)

/**
 * The user's chain of this day, made now when there is none. An older one ends, and so does one
 * that stands at a place that was `told`, or whose seed can be opened no more because its key was
 * given up. Locks the user's row.
 * @throws Unavailable when its seed cannot be opened for any other reason; DomainError unauthorized
 * for whoever has left since their call was let in
 */
export async function chainOfToday(
  tx: Queryable,
  seeds: DrawSeeds,
  userId: number,
  now: Date,
  told?: ToldPlace,
) {
  const users = await tx.run(lockUser, [userId])
  if (users.length === 0) throw signedOut()
  const open = await readOpen(tx, userId)
  if (open !== undefined) {
    if (isDrawable(open, now, told) && seeds.open(open) !== undefined) return open
    await endChain(tx, seeds, open, now)
  }
  const id = await nextId(tx)
  const { sealed, commitment } = seeds.make(id, 0)
  const day = dayOf(now)
  await tx.run(insertChain, { id, userId, day, commitment, sealed, now })
  return { chainId: id, index: 0, commitment, sealedSeed: sealed, day, userId }
}

/** Reveals the unused seed of a chain. The caller holds the lock of the user's row. */
async function endChain(tx: Queryable, seeds: DrawSeeds, chain: OpenChain, now: Date) {
  const seed = seeds.open(chain)
  // Unless staff have said that the key which sealed the seed is lost for good.
  if (seed === undefined && !(await isGivenUp(tx, chain.sealedSeed.keyId))) {
    throw new Unavailable('A secret seed cannot be opened. Please tell the staff of this site.')
  }
  await tx.run(endOne, [chain.chainId, chain.index, now, seed ? hexOf(seed) : null])
}

/** Ends the chain of a user whose row is locked. @throws Unavailable as `chainOfToday` */
export async function endOpenChain(
  tx: Queryable,
  seeds: DrawSeeds,
  userId: number,
  { now, which }: { readonly now: Date; readonly which: 'any' | 'past' },
): Promise<void> {
  const open = await readOpen(tx, userId)
  if (open === undefined || (which === 'past' && isOfToday(open, now))) return
  await endChain(tx, seeds, open, now)
}

/** Up to `limit` open chains of days past, by their ids. */
export const pastChains = (
  db: Queryable,
  now: Date,
  { after, limit }: { readonly after: number; readonly limit: number },
) => db.run<Pick<OpenChain, 'chainId' | 'userId'>>(readPast, [dayOf(now), after, limit])

/**
 * Ends every chain whose seed was sealed by a key that nobody has any more. The log tells it in
 * public, and the books have nothing left that they cannot open.
 */
export const giveUpChains = writeQuery<[keyId: string, now: Date]>(
  'give_up_chains',
  `UPDATE draw_chains SET ended_at = $2, end_seed = NULL, sealed_seed = NULL
   WHERE sealed_by = $1 AND ended_at IS NULL`,
)

/** Newest first; a seed is null when it was given up because its key was lost. */
export const endedChains = (db: Queryable, userId: number, now: Date) =>
  db.run<Omit<Entry<'end'>, 'type'>>(readEnded, [userId, new Date(now.getTime() - toldForMillis)])

/** Removes chains that nothing was drawn from, once their seeds are told no more. */
export const forgetUnusedChains = (db: Queryable, now: Date) =>
  db.run(removeUnused, [new Date(now.getTime() - toldForMillis)])
