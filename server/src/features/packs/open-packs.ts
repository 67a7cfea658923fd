// Opening packs: read without locks, draw, then write with one statement that does all or nothing.

import { integerMax, redCoinMax } from '@redpack/contract/limits'
import type { Queryable } from '../../adapters/db/database.ts'
import type { IdempotentAnswer } from '../../adapters/db/idempotent.ts'
import { sqlState } from '../../adapters/db/retry.ts'
import { answerOfKey, hashInput } from '../../adapters/db/stored-key.ts'
import type { Deps } from '../../adapters/deps.ts'
import { fairRolls } from '../../adapters/random/rolls.ts'
import { serverSeeds } from '../../adapters/random/server-seeds.ts'
import { claimIdBytes, claimIdFrom } from '../../rules/claim-id.ts'
import { largestPay, type OpenedPack, openUnderTerms } from '../../rules/opening.ts'
import { DomainError, Unavailable } from '../../shared/domain-error.ts'
import { jsonText, trustedJson } from '../../shared/json-text.ts'
import { ensureSeeds, rotatePairs } from '../fairness/seed-tables.ts'
import { lockUser } from '../ledger/ledger-tables.ts'
import type { KeyedMutex } from './keyed-mutex.ts'
import type { DrawableOdds, OddsCache } from './odds-cache.ts'
import { commitOpening } from './opening-tables.ts'
import { type OpeningState, readOpeningState, type SeedsInUse } from './pack-tables.ts'
import { withPictureName, withPictures } from './stored-pictures.ts'

export interface OpenPacksOrder {
  readonly packTypeId: number
  /** 1 to 50. */
  readonly quantity: number
  /** Hash of the odds that the player was shown; undefined when the caller names none. */
  readonly oddsHash?: string | undefined
  readonly idempotencyKey: string | undefined
}

export interface Opened {
  readonly results: ReturnType<typeof describeResult>[]
  /** The user's RedCoin after the opening. */
  readonly updatedBalance: number
}

type OpenedAnswer = IdempotentAnswer<Opened>

export interface Opening {
  readonly odds: OddsCache
  readonly mutex: KeyedMutex
  /** Puts commitments into the public log: nothing is drawn before its own stands there. */
  readonly catchUpLog: () => Promise<void>
}

const route = 'POST /api/packs/open'
const attemptsMax = 8
const attemptsWithoutLock = 3

/**
 * Opens packs for a user. Openings of one user in this process take turns, since each needs the
 * nonce after the one before.
 * @throws DomainError insufficient_packs, not_found, odds_changed, idempotency_mismatch, or
 * invalid_input when the most that could be won has no room
 * @throws Unavailable when other processes moved the ground under every attempt, or the commitment
 * cannot be put into the public log
 */
export function openPacks(
  deps: Deps,
  opening: Opening,
  userId: number,
  order: OpenPacksOrder,
): Promise<OpenedAnswer> {
  return opening.mutex.take(userId, () => openExclusively(deps, opening, userId, order))
}

async function openExclusively(
  deps: Deps,
  opening: Opening,
  userId: number,
  order: OpenPacksOrder,
): Promise<OpenedAnswer> {
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const tryWith = (db: Queryable) => tryOnce(deps, db, opening.odds, userId, order)
    const result =
      attempt <= attemptsWithoutLock
        ? await tryWith(deps.db)
        : await deps.db.transaction((tx) => inLine(tx, userId, tryWith))
    if (result === 'seeds_not_ready') {
      await prepareSeeds(deps, userId)
      await opening.catchUpLog()
    } else if (result !== 'moved') {
      if (!result.replayed) announce(deps, userId)
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

/**
 * Makes the seeds of somebody who has none. A pair of the first scheme is revealed, and the pair
 * that was committed to before takes its place.
 */
async function prepareSeeds(deps: Deps, userId: number): Promise<void> {
  const seeds = serverSeeds(deps.random, deps.encryption)
  const now = deps.clock.now()
  await deps.db.transaction(async (tx) => {
    const current = await ensureSeeds(tx, seeds, userId, now)
    if (current.active.scheme === 1) await rotatePairs(tx, seeds, userId, current, undefined, now)
  })
}

function announce(deps: Deps, userId: number): void {
  deps.events.publish({ type: 'user_changed', userId })
  deps.events.publish({ type: 'holdings_changed', userId })
  deps.events.publish({ type: 'leaderboard_changed' })
}

/** One attempt, which must start over when something moved between its read and its write. */
async function tryOnce(
  deps: Deps,
  db: Queryable,
  cache: OddsCache,
  userId: number,
  order: OpenPacksOrder,
): Promise<OpenedAnswer | 'moved' | 'seeds_not_ready'> {
  const { packTypeId, quantity, oddsHash, idempotencyKey: key } = order
  const state = await readOpeningState(db, userId, packTypeId, { route, key })
  if (state === undefined) throw new DomainError('unauthorized', 'Unauthorized')
  const input = oddsHash === undefined ? [packTypeId, quantity] : [packTypeId, quantity, oddsHash]
  const inputHash = hashInput(input)
  if (state.stored !== undefined) {
    const stored = answerOfKey<Opened>(state.stored, inputHash)
    return { body: await withPictures(db, stored), replayed: true }
  }
  if (!state.packTypeExists) throw new DomainError('not_found', 'Pack type not found')
  if ((state.held.get(packTypeId) ?? 0) < quantity) {
    throw new DomainError('insufficient_packs', 'Insufficient packs')
  }
  const { seeds } = state
  if (seeds === undefined || seeds.scheme === 1 || !seeds.isLogged) return 'seeds_not_ready'
  const now = deps.clock.now()
  const odds = await cache.at(db, packTypeId, state.oddsRevision, {
    now,
    isInTransaction: db !== deps.db,
  })
  // The stock was read with the older odds, which may not have known that a prize is limited.
  if (odds.revision !== state.oddsRevision) return 'moved'
  if (oddsHash !== undefined && oddsHash !== odds.tableHash) {
    throw new DomainError('odds_changed', 'The odds of this pack have changed. Nothing was opened.')
  }
  refuseWithoutRoom(state, odds, quantity)
  const drawn = draw(deps, state, seeds, odds, quantity)
  const [bodyBeforeBalance, bodyAfterBalance] = bodyAround(drawn.results)
  const balance = await commitOpening(db, {
    requestId: deps.random.uuid(),
    userId,
    packTypeId,
    quantity,
    seedPairId: seeds.id,
    clientSeed: seeds.clientSeed,
    firstNonce: seeds.nonce,
    oddsRevision: odds.revision,
    oddsTableId: odds.tableId,
    ...drawn,
    now,
    stored: key === undefined ? undefined : { route, key, inputHash, ...keptBody(drawn) },
  }).catch(startOverWhenMoved)
  if (balance === undefined) return 'moved'
  const body = `${bodyBeforeBalance}${balance}${bodyAfterBalance}`
  return { body: trustedJson(body), replayed: false }
}

/**
 * Refuses what could not be paid if the best were drawn, before anything is drawn: a refusal that
 * depended on the result would tell the next roll.
 * @throws DomainError invalid_input
 */
function refuseWithoutRoom(state: OpeningState, odds: DrawableOdds, quantity: number): void {
  const largest = largestPay(odds, quantity)
  if (BigInt(state.balance) + largest.redCoin > BigInt(redCoinMax)) {
    throw new DomainError('invalid_input', 'Your RedCoin balance has no room for what could be won')
  }
  for (const [id, packs] of largest.packs) {
    if (BigInt(state.held.get(id) ?? 0) + packs > BigInt(integerMax)) {
      throw new DomainError('invalid_input', 'You hold too many packs for what could be won')
    }
  }
}

function draw(
  deps: Deps,
  state: OpeningState,
  seeds: SeedsInUse,
  odds: DrawableOdds,
  quantity: number,
) {
  const { scheme, clientSeed, nonce } = seeds
  const serverSeed = serverSeeds(deps.random, deps.encryption).open(seeds)
  const rolls = fairRolls({ scheme, serverSeed, clientSeed }, odds.tableHash, nonce, quantity)
  const { consolationRedCoin, thresholds, entries: prizes } = odds
  const outcome = openUnderTerms(
    { prizes, thresholds, stock: state.stock, consolationRedCoin },
    rolls,
  )
  const claimIds = outcome.packs.map(({ prize }) =>
    prize === undefined ? null : claimIdFrom(deps.random.bytes(claimIdBytes)),
  )
  const results = outcome.packs.map((pack, index) => describeResult(pack, claimIds[index]))
  return { consolationRedCoin, outcome, claimIds, results }
}

type Drawn = ReturnType<typeof draw>

/**
 * A unique violation means that another request took the same key, nonce or Claim ID first; a
 * broken foreign key that a prize was deleted since it was read; a number out of its bounds that
 * a balance or holding grew meanwhile, which the next attempt refuses before it draws. Nothing was
 * written in any case.
 */
const movedStates: readonly (string | undefined)[] = ['23505', '23503', '23514', '22003']

function startOverWhenMoved(error: unknown): undefined {
  if (movedStates.includes(sqlState(error))) return undefined
  throw error
}

/**
 * The JSON text of an answer but for its balance, which only the statement that writes it knows.
 */
function bodyAround(results: Opened['results']): readonly [string, string] {
  const placeholder = 0
  const text = jsonText<Opened>({ results, updatedBalance: placeholder })
  const end = `${placeholder}}`
  return [text.slice(0, -end.length), '}']
}

/** The same as it is kept: with the names of pictures, which are large. */
function keptBody({ results, outcome }: Drawn) {
  const kept = results.map((result, index) =>
    withPictureName(result, outcome.packs[index]?.prize?.imageHash),
  )
  const [bodyBeforeBalance, bodyAfterBalance] = bodyAround(kept)
  return { bodyBeforeBalance, bodyAfterBalance }
}

function describeResult({ prize, redCoinEarned }: OpenedPack, claimId: string | null | undefined) {
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
