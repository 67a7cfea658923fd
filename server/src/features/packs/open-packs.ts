// Opening packs: read without locks, draw, then write with one statement that does all or nothing.

import { consolationRedCoinDefault, redCoinMax } from '@redpack/contract/limits'
import { sqlState } from '../../adapters/db/retry.ts'
import { fairRolls, sha256Hex } from '../../adapters/random/rolls.ts'
import type { World } from '../../adapters/world.ts'
import { claimIdBytes, claimIdFrom } from '../../rules/claim-id.ts'
import { type OpenedPack, openUnderTerms } from '../../rules/opening.ts'
import { Refusal, Unavailable } from '../../rules/refusal.ts'
import { ensureSeeds } from '../fairness/tables.ts'
import type { OddsCache } from './odds-cache.ts'
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
const attemptsMax = 12

/**
 * Opens packs for a user. Openings of one user in this process take turns, since each needs the nonce
 * after the one before.
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
  const inputHash = sha256Hex(JSON.stringify([order.packTypeId, order.quantity]))
  const { packTypeId, idempotencyKey: key } = order
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const state = await readOpeningState(world.db, userId, packTypeId, { route, key })
    if (state === undefined) throw new Refusal('unauthorized', 'Unauthorized')
    const replay = storedAnswer(state, inputHash)
    if (replay !== undefined) return replay
    const body = await tryOnce(world, opening.odds, userId, order, inputHash, state)
    if (body !== undefined) {
      world.events.publish({ type: 'user_changed', userId })
      world.events.publish({ type: 'holdings_changed', userId })
      world.events.publish({ type: 'leaderboard_changed' })
      return { body, replayed: false }
    }
  }
  throw new Unavailable('The packs are being opened elsewhere at the same time, please try again')
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

/** One attempt; undefined when it must start over from a fresh read. */
async function tryOnce(
  world: World,
  cache: OddsCache,
  userId: number,
  order: OpenPacksOrder,
  inputHash: string,
  state: OpeningState,
): Promise<string | undefined> {
  const { packTypeId, quantity } = order
  if (!state.packTypeExists) throw new Refusal('not_found', 'Pack type not found')
  if (state.held < quantity) throw new Refusal('insufficient_packs', 'Insufficient packs')
  const now = world.clock.now()
  if (state.seeds === undefined) {
    await world.db.transaction((tx) => ensureSeeds(tx, world.random, userId, now))
    return undefined
  }
  const odds = await cache.at(world.db, packTypeId, state.oddsRevision, now)
  const { seeds } = state
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
  const [bodyBeforeBalance, bodyAfterBalance] = [`{"results":${results},"updatedBalance":`, '}']
  const balance = await commitOpening(world.db, {
    requestId: world.random.uuid(),
    userId,
    packTypeId,
    quantity,
    seedPairId: seeds.pairId,
    firstNonce: seeds.nonce,
    oddsRevision: odds.revision,
    oddsTableId: odds.tableId,
    consolationRedCoin,
    outcome,
    claimIds,
    now,
    stored:
      order.idempotencyKey === undefined
        ? undefined
        : { route, key: order.idempotencyKey, inputHash, bodyBeforeBalance, bodyAfterBalance },
  }).catch(startOverWhenMoved)
  return balance === undefined ? undefined : `${bodyBeforeBalance}${balance}${bodyAfterBalance}`
}

/**
 * A unique violation means that another request took the same key, nonce or Claim ID first; a broken
 * foreign key that a prize was deleted since it was read. Nothing was written in either case.
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
