// Opening packs: read without locks, draw, then write with one statement that does all or nothing.

import { consolationRedCoinDefault, redCoinMax } from '@redpack/contract/limits'
import type { Queryable } from '../../adapters/db/database.ts'
import { sqlState } from '../../adapters/db/retry.ts'
import { fairRolls, sha256Hex } from '../../adapters/random/rolls.ts'
import type { World } from '../../adapters/world.ts'
import { claimIdBytes, claimIdFrom } from '../../rules/claim-id.ts'
import { type OpenedPack, openUnderTerms } from '../../rules/opening.ts'
import { Refusal, Unavailable } from '../../rules/refusal.ts'
import { ensureSeeds } from '../fairness/tables.ts'
import { lockUser } from '../ledger/tables.ts'
import type { OddsCache, ReadyOdds } from './odds-cache.ts'
import { commitOpening } from './opening-tables.ts'
import { type OpeningState, readOpeningState } from './tables.ts'
import type { Turns } from './turns.ts'

export interface OpenPacksOrder {
  readonly packTypeId: number
  /** 1 to 50. */
  readonly quantity: number
  readonly idempotencyKey: string | undefined
}

export interface OpenedAnswer {
  /** The answer as JSON text: `{results, updatedBalance}`. */
  readonly body: string
  /** True when the text was stored by an earlier request with the same key. */
  readonly replayed: boolean
}

export interface Opening {
  readonly odds: OddsCache
  readonly turns: Turns
}

const route = 'POST /api/packs/open'
const attemptsMax = 8
const attemptsWithoutLock = 3

/**
 * Opens packs for a user. Openings of one user in this process take turns, since each needs the
 * nonce after the one before.
 * @throws Refusal insufficient_packs, not_found, idempotency_mismatch
 * @throws Unavailable when other processes moved the ground under every attempt
 */
export function openPacks(
  world: World,
  opening: Opening,
  userId: number,
  order: OpenPacksOrder,
): Promise<OpenedAnswer> {
  return opening.turns.take(userId, () => openInTurn(world, opening, userId, order))
}

async function openInTurn(
  world: World,
  opening: Opening,
  userId: number,
  order: OpenPacksOrder,
): Promise<OpenedAnswer> {
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const attend = (db: Queryable) => tryOnce(world, db, opening.odds, userId, order)
    const result =
      attempt <= attemptsWithoutLock
        ? await attend(world.db)
        : await world.db.transaction((tx) => inLine(tx, userId, attend))
    if (result === 'no_seeds') {
      await world.db.transaction((tx) => ensureSeeds(tx, world.random, userId, world.clock.now()))
    } else if (result !== 'moved') {
      if (!result.replayed) announce(world, userId)
      return result
    }
  }
  throw new Unavailable('The packs are being opened elsewhere at the same time, please try again')
}

/**
 * Two processes that open for one user could overtake each other for ever; holding the user's row
 * from the read on makes the next attempt the only one.
 */
async function inLine<Result>(
  tx: Queryable,
  userId: number,
  work: (tx: Queryable) => Promise<Result>,
): Promise<Result> {
  await lockUser(tx, userId)
  return work(tx)
}

function announce(world: World, userId: number): void {
  world.events.publish({ type: 'user_changed', userId })
  world.events.publish({ type: 'holdings_changed', userId })
  world.events.publish({ type: 'leaderboard_changed' })
}

function storedAnswer(state: OpeningState, inputHash: string): OpenedAnswer | undefined {
  const { stored } = state
  if (stored === undefined) return undefined
  if (stored.inputHash !== inputHash) {
    throw new Refusal(
      'idempotency_mismatch',
      'This Idempotency-Key was used with a different request',
    )
  }
  if (stored.body === null) {
    throw new Refusal('idempotency_in_flight', 'A request with this Idempotency-Key is in progress')
  }
  return { body: stored.body, replayed: true }
}

/** One attempt, which must start over when something moved between its read and its write. */
async function tryOnce(
  world: World,
  db: Queryable,
  cache: OddsCache,
  userId: number,
  order: OpenPacksOrder,
): Promise<OpenedAnswer | 'moved' | 'no_seeds'> {
  const { packTypeId, quantity, idempotencyKey: key } = order
  const state = await readOpeningState(db, userId, packTypeId, { route, key })
  if (state === undefined) throw new Refusal('unauthorized', 'Unauthorized')
  const inputHash = sha256Hex(JSON.stringify([packTypeId, quantity]))
  const replay = storedAnswer(state, inputHash)
  if (replay !== undefined) return replay
  if (!state.packTypeExists) throw new Refusal('not_found', 'Pack type not found')
  if (state.held < quantity) throw new Refusal('insufficient_packs', 'Insufficient packs')
  if (state.seeds === undefined) return 'no_seeds'
  const now = world.clock.now()
  const odds = await cache.at(db, packTypeId, state.oddsRevision, {
    now,
    isInTransaction: db !== world.db,
  })
  const drawn = draw(world, state, state.seeds, odds, quantity)
  const [bodyBeforeBalance, bodyAfterBalance] = [
    `{"results":${drawn.results},"updatedBalance":`,
    '}',
  ]
  const balance = await commitOpening(db, {
    requestId: world.random.uuid(),
    userId,
    packTypeId,
    quantity,
    seedPairId: state.seeds.pairId,
    firstNonce: state.seeds.nonce,
    oddsRevision: odds.revision,
    oddsTableId: odds.tableId,
    ...drawn,
    now,
    stored:
      key === undefined
        ? undefined
        : { route, key, inputHash, bodyBeforeBalance, bodyAfterBalance },
  }).catch(startOverWhenMoved)
  if (balance === undefined) return 'moved'
  return { body: `${bodyBeforeBalance}${balance}${bodyAfterBalance}`, replayed: false }
}

function draw(
  world: World,
  state: OpeningState,
  seeds: NonNullable<OpeningState['seeds']>,
  odds: ReadyOdds,
  quantity: number,
) {
  const consolationRedCoin = state.consolationRedCoin ?? consolationRedCoinDefault
  const rolls = fairRolls(seeds.serverSeed, seeds.clientSeed, seeds.nonce, quantity)
  const outcome = openUnderTerms({ ...odds, stock: state.stock, consolationRedCoin }, rolls)
  if (state.balance + outcome.redCoinTotal > redCoinMax) {
    throw new Refusal('invalid_input', 'Your RedCoin balance cannot grow any further')
  }
  const claimIds = outcome.packs.map(({ prize }) =>
    prize === undefined ? null : claimIdFrom(world.random.bytes(claimIdBytes)),
  )
  const results = JSON.stringify(outcome.packs.map((pack, index) => shown(pack, claimIds[index])))
  return { consolationRedCoin, outcome, claimIds, results }
}

/**
 * A unique violation means that another request took the same key, nonce or Claim ID first; a
 * broken foreign key that a prize was deleted since it was read. Nothing was written in either
 * case.
 */
function startOverWhenMoved(error: unknown): undefined {
  const state = sqlState(error)
  if (state === '23505' || state === '23503') return undefined
  throw error
}

function shown({ prize, redCoinEarned }: OpenedPack, claimId: string | null | undefined): unknown {
  if (prize === undefined) {
    return { won: false, prizeId: null, prize: null, claimId: null, redCoinEarned }
  }
  return {
    won: true,
    prizeId: prize.prizeId,
    prize: {
      id: prize.prizeId,
      name: prize.name,
      description: prize.description,
      imageData: prize.imageData,
      imageType: prize.imageType,
      claimInstructions: prize.claimInstructions,
      redCoinAmount: prize.redCoinAmount,
    },
    claimId: claimId ?? null,
    redCoinEarned,
  }
}
