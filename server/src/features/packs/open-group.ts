// One attempt for a group of openings of different users: read without locks, draw one after the
// other, then write with one statement that does all or nothing for each.

import type { DrawProof } from '@redpack/contract'
import { answerPicturesMax, integerMax, redCoinMax } from '@redpack/contract/limits'
import { hexOf } from '@redpack/fair/bytes'
import { rollsOf } from '@redpack/fair/draw'
import type { Queryable } from '../../adapters/db/database.ts'
import type { IdempotentAnswer } from '../../adapters/db/idempotent.ts'
import { sqlState } from '../../adapters/db/retry.ts'
import { answerOfKey, hashInput } from '../../adapters/db/stored-key.ts'
import type { Deps } from '../../adapters/deps.ts'
import { type DrawSeeds, drawSeeds, type OpenChain } from '../../adapters/random/draw-seeds.ts'
import { nodeHashing } from '../../adapters/random/hashing.ts'
import {
  claimIdBytes,
  claimIdFrom,
  claimStateWhenWon,
  largestPay,
  type OpenedPack,
  type OpeningOutcome,
  openUnderTerms,
} from '../../rules/opening.ts'
import { requireNotSuspended } from '../../rules/roles.ts'
import { DomainError, signedOut } from '../../shared/domain-error.ts'
import { type JsonText, jsonText, trustedJson } from '../../shared/json-text.ts'
import type { Settled } from '../../shared/turns.ts'
import { readImages } from '../catalogue/image-tables.ts'
import { assignCodes } from '../catalogue/prize-code-tables.ts'
import { isDrawable, type ToldPlace } from '../fairness/chain-tables.ts'
import type { OddsCache, ReadyOdds } from './odds-cache.ts'
import {
  commitOpenings,
  type OpeningToCommit,
  type OpenPacksOrder,
  type WhenLocked,
} from './opening-tables.ts'
import { type OpeningState, readOpeningStates } from './pack-tables.ts'

export interface AskedOpening {
  readonly userId: number
  readonly order: OpenPacksOrder
  /** The player's, or made once by the server: an attempt that starts over rolls the same. */
  readonly entropy: () => string
  /** What this process has told the user last. */
  readonly told: ToldPlace | undefined
}

/**
 * What an attempt comes to: the answer, or that it must start over because something moved between
 * its read and its write, or because the user has no chain of today yet.
 */
export type Attempt =
  | (IdempotentAnswer<Opened> & { readonly tells?: ToldPlace })
  | 'moved'
  | 'chain_not_ready'

const route = 'POST /api/packs/open'

interface Drawn extends OpeningToCommit {
  /** The answer as it is sent, around the balance. */
  readonly body: readonly [string, string]
}

/** An opening with what it depends on, undefined for a user who is gone. */
export interface ReadOpening {
  readonly opening: AskedOpening
  readonly state: OpeningState | undefined
}

/** Reads what each of the openings depends on, as of one moment and without locks. */
export async function readOpenings(
  db: Queryable,
  asked: readonly AskedOpening[],
): Promise<ReadOpening[]> {
  const states = await readOpeningStates(db, route, asked)
  return asked.map((opening, index) => ({ opening, state: states[index] }))
}

/**
 * Tries each opening once, all with the same statement. One that is refused, or whose draw
 * fails, is left out and leaves the others alone; `asked` must name each user only once.
 * @throws whatever the database throws, but for what says that the ground moved
 */
export async function tryGroup(
  deps: Deps,
  db: Queryable,
  cache: OddsCache,
  asked: readonly ReadOpening[],
  whenLocked: WhenLocked,
): Promise<Settled<Attempt>[]> {
  const results = new Array<Settled<Attempt>>(asked.length)
  const drawn: Drawn[] = []
  const places: number[] = []
  const left = new StockLeft(asked.map(({ state }) => state))
  for (const [index, { opening, state }] of asked.entries()) {
    try {
      const attempt = await draw(deps, db, cache, opening, state, left)
      if (isDrawn(attempt)) {
        places.push(index)
        drawn.push(attempt)
      } else results[index] = { status: 'fulfilled', value: attempt }
    } catch (reason) {
      results[index] = { status: 'rejected', reason }
    }
  }
  const balances = await commit(deps, db, cache, drawn, whenLocked)
  for (const [place, opening] of drawn.entries()) {
    const balance = balances.get(place)
    results[places[place] ?? 0] = {
      status: 'fulfilled',
      value: balance === undefined ? 'moved' : answerOf(opening, balance),
    }
  }
  return results
}

function isDrawn(attempt: Attempt | Drawn): attempt is Drawn {
  return typeof attempt === 'object' && 'outcome' in attempt
}

function answerOf({ body: [before, after], proof }: Drawn, balance: number): Attempt {
  const tells = { chainId: proof.chainId, index: proof.index }
  return { body: trustedJson(`${before}${balance}${after}`), replayed: false, tells }
}

/** Units of limited prizes that the openings of a group leave to those after them. */
class StockLeft {
  private readonly read = new Map<number, number>()
  private readonly taken = new Map<number, number>()

  /** All draw from the stock as the last saw it, or one could run out where another wins. */
  constructor(states: readonly (OpeningState | undefined)[]) {
    for (const state of states) {
      for (const [id, units] of state?.stock ?? []) this.read.set(id, units)
    }
  }

  of(stock: OpeningState['stock']): ReadonlyMap<number, number> {
    const left = (id: number, units: number) =>
      (this.read.get(id) ?? units) - (this.taken.get(id) ?? 0)
    return new Map([...stock].map(([id, units]) => [id, left(id, units)]))
  }

  take(uses: OpeningToCommit['outcome']['stock']): void {
    for (const { prizeId, taken } of uses) {
      this.taken.set(prizeId, (this.taken.get(prizeId) ?? 0) + taken)
    }
  }
}

async function draw(
  deps: Deps,
  db: Queryable,
  cache: OddsCache,
  { userId, order, entropy, told }: AskedOpening,
  state: OpeningState | undefined,
  left: StockLeft,
): Promise<Attempt | Drawn> {
  const { packTypeId, quantity, oddsHash, commitment, idempotencyKey: key } = order
  if (state === undefined) throw signedOut()
  const inputHash = hashInput([
    packTypeId,
    quantity,
    { oddsHash, entropy: order.entropy, commitment },
  ])
  if (state.stored !== undefined) {
    const stored = answerOfKey<Opened>(state.stored, inputHash)
    return { body: await withPictures(db, stored), replayed: true }
  }
  requireNotSuspended(state.suspension, deps.clock.now())
  if (!state.packTypeExists) throw new DomainError('not_found', 'Pack type not found')
  if ((state.held.get(packTypeId) ?? 0) < quantity) {
    throw new DomainError('insufficient_packs', 'Insufficient packs')
  }
  const now = deps.clock.now()
  const { chain } = state
  if (chain === undefined || !isDrawable(chain, now, told)) return 'chain_not_ready'
  const odds = await cache.at(db, packTypeId, state.oddsRevision)
  // The stock was read with the older odds, which may not have known that a prize is limited.
  if (odds.revision !== state.oddsRevision) return 'moved'
  const { tableHash } = odds
  if (oddsHash !== undefined && oddsHash !== tableHash) {
    throw new DomainError('odds_changed', 'The odds of this pack have changed. Nothing was opened.')
  }
  if (commitment !== undefined && commitment !== chain.commitment) {
    const sentence = 'Packs were opened elsewhere meanwhile. Nothing was opened.'
    throw new DomainError('commitment_moved', sentence, { commitment: chain.commitment })
  }
  refuseWithoutRoom(state, odds, quantity)
  const seeds = drawSeeds(deps.random, deps.encryption)
  const seed = seeds.open(chain)
  if (seed === undefined) return 'chain_not_ready'
  const oddsTableId = await cache.idOfRow(db, odds, { now, isInTransaction: db !== deps.db })
  const { proof, sealedNext } = proofOf(deps, seeds, {
    ...{ chain, seed, entropy },
    entropyFrom: order.entropy === undefined ? 'server' : 'player',
    tableHash,
  })
  const rolls = rollsOf({ seed, entropy: proof.entropy, tableHash }, quantity, nodeHashing)
  const { outcome, claimIds, claimStates } = drawUnder(deps, odds, left.of(state.stock), rolls)
  const results = describeResults(outcome, claimIds)
  const [bodyBeforeBalance, bodyAfterBalance] = keptBodyAround(results, proof, outcome)
  left.take(outcome.stock)
  return {
    userId,
    packTypeId,
    quantity,
    proof,
    sealedNext,
    oddsRevision: odds.revision,
    oddsTableId,
    consolationRedCoin: odds.consolationRedCoin,
    outcome,
    claimIds,
    claimStates,
    stored: key === undefined ? undefined : { key, inputHash, bodyBeforeBalance, bodyAfterBalance },
    body: bodyAround(results, proof),
  }
}

interface DrawTerms {
  readonly chain: OpenChain
  readonly seed: Uint8Array
  readonly entropy: () => string
  readonly entropyFrom: DrawProof['entropyFrom']
  readonly tableHash: string
}

/** What proves the draw: told in the answer, and written with the seed that comes next. */
function proofOf(deps: Deps, seeds: DrawSeeds, { chain, seed, entropy, ...terms }: DrawTerms) {
  const { chainId, index, commitment } = chain
  const next = seeds.make(chainId, index + 1)
  const told: DrawProof = {
    requestId: deps.random.uuidInOrder(),
    chainId,
    index,
    commitment,
    serverSeed: hexOf(seed),
    entropy: entropy(),
    ...terms,
    nextCommitment: next.commitment,
  }
  return { proof: told, sealedNext: next.sealed }
}

/**
 * Refuses what could not be paid if the best were drawn, before anything is drawn: a refusal that
 * depended on the result would tell the next roll.
 * @throws DomainError invalid_input
 */
function refuseWithoutRoom(state: OpeningState, odds: ReadyOdds, quantity: number): void {
  const largest = largestPay(odds, quantity)
  if (BigInt(state.balance) + largest.redCoin > BigInt(redCoinMax)) {
    throw new DomainError('invalid_input', 'Your RedCoin balance is too high for this opening')
  }
  for (const [id, packs] of largest.packs) {
    if (BigInt(state.held.get(id) ?? 0) + packs > BigInt(integerMax)) {
      throw new DomainError('invalid_input', 'You hold too many packs for this opening')
    }
  }
}

function drawUnder(
  deps: Deps,
  { consolationRedCoin, thresholds, entries: prizes }: ReadyOdds,
  stock: ReadonlyMap<number, number>,
  rolls: readonly number[],
) {
  const outcome = openUnderTerms({ prizes, thresholds, stock, consolationRedCoin }, rolls)
  const claimIds = outcome.packs.map(({ prize }) =>
    prize === undefined ? null : claimIdFrom(deps.random.bytes(claimIdBytes)),
  )
  const claimStates = outcome.packs.map(({ prize }) =>
    prize === undefined ? null : claimStateWhenWon(prize),
  )
  return { outcome, claimIds, claimStates }
}

/** A prize was deleted since it was read, or a failover has lost the row of the odds table. */
const foreignKeyBroken = '23503'
/**
 * A unique violation means that another request took the same key, index or Claim ID first; a
 * number out of its bounds that a balance or holding grew meanwhile, which the next attempt refuses
 * before it draws. Nothing was written in any case.
 */
const movedStates: readonly (string | undefined)[] = [foreignKeyBroken, '23505', '23514', '22003']
/**
 * Somebody was in the way of one of a group: a lock or the whole statement took too long, or there
 * was a deadlock or serialization failure.
 */
const sharedStates: readonly (string | undefined)[] = ['55P03', '57014', '40P01', '40001']

async function commit(
  deps: Deps,
  db: Queryable,
  cache: OddsCache,
  openings: readonly Drawn[],
  whenLocked: WhenLocked,
): Promise<ReadonlyMap<number, number>> {
  if (openings.length === 0) return new Map()
  const group = { route, now: deps.clock.now(), openings }
  const coded = claimIdsWithCodes(openings)
  const write = async (tx: Queryable) => {
    const balances = await commitOpenings(tx, group, whenLocked)
    await assignCodes(tx, coded, group.now)
    return balances
  }
  const written =
    coded.length === 0
      ? commitOpenings(db, group, whenLocked)
      : db === deps.db
        ? deps.db.transaction(write)
        : write(db)
  return await written.catch((error: unknown) => {
    const state = sqlState(error)
    const isShared = openings.length > 1 && sharedStates.includes(state)
    if (state === foreignKeyBroken) cache.forget(openings)
    if (movedStates.includes(state) || isShared) return new Map()
    throw error
  })
}

/** The claims of a group that are given a code: most groups have none, and one statement. */
function claimIdsWithCodes(openings: readonly Drawn[]): string[] {
  return openings.flatMap(({ outcome, claimIds }) =>
    outcome.packs.flatMap(({ prize }, index) =>
      prize?.deliversCodes === true ? (claimIds[index] ?? []) : [],
    ),
  )
}

export interface Opened {
  readonly results: ReturnType<typeof describeResult>[]
  readonly proof: DrawProof
  /** The user's RedCoin after the opening. */
  readonly updatedBalance: number
}

/** The results of the packs, with the Claim IDs of those that won. */
export function describeResults(
  { packs }: OpeningOutcome,
  claimIds: readonly (string | null)[],
): Opened['results'] {
  let digits = 0
  return packs.map((pack, index) => {
    digits += pack.prize?.imageData?.length ?? 0
    return describeResult(pack, claimIds[index], digits <= answerPicturesMax)
  })
}

function describeResult(
  { prize, redCoinEarned }: OpenedPack,
  claimId: string | null | undefined,
  isPictured: boolean,
) {
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
      imageData: isPictured ? prize.imageData : null,
      imageType: prize.imageType,
      imageUrl: isPictured || prize.imageHash === null ? null : `/uploads/${prize.imageHash}.webp`,
      claimInstructions: prize.claimInstructions,
      redCoinAmount: prize.redCoinAmount,
      delivery: prize.delivery,
    },
    claimId: claimId ?? null,
    redCoinEarned,
  }
}

/** The JSON text of an answer but for its balance, which goes between the two halves. */
export function bodyAround(
  results: Opened['results'],
  proof: DrawProof,
): readonly [string, string] {
  const placeholder = 0
  const text = jsonText<Opened>({ results, proof, updatedBalance: placeholder })
  const end = `${placeholder}}`
  return [text.slice(0, -end.length), '}']
}

/** The same as it is kept: with the names of pictures, which are large. */
export function keptBodyAround(
  results: Opened['results'],
  proof: DrawProof,
  { packs }: OpeningOutcome,
): readonly [string, string] {
  return bodyAround(
    results.map((result, index) => withPictureName(result, packs[index]?.prize?.imageHash)),
    proof,
  )
}

// No text that somebody has typed can look like this: a quotation mark in it would be escaped.
const named = /"imageData":"sha256:([0-9a-f]{64})"/g

interface Pictured {
  readonly prize: { readonly imageData: string | null } | null
}

/** The result with the name of its picture, for keeping. */
export function withPictureName<Result extends Pictured>(
  result: Result,
  imageHash: string | null | undefined,
): Result {
  if (!result.prize?.imageData || !imageHash) return result
  return { ...result, prize: { ...result.prize, imageData: `sha256:${imageHash}` } }
}

/** A kept answer as it was sent, byte for byte. */
export async function withPictures<Answer>(
  db: Queryable,
  kept: JsonText<Answer>,
): Promise<JsonText<Answer>> {
  const hashes = new Set([...kept.matchAll(named)].map(([, hash = '']) => hash))
  if (hashes.size === 0) return kept
  const images = await readImages(db, [...hashes])
  const pictures = new Map(images.map(({ hash, bytes }) => [hash, bytes?.toString('base64')]))
  const text = kept.replace(named, (_name, hash: string) => {
    return `"imageData":${JSON.stringify(pictures.get(hash) ?? null)}`
  })
  return trustedJson(text)
}
