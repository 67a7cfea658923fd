// Opening packs: everybody takes turns with themselves, and goes in groups with everybody else.

import { packsContract } from '@redpack/contract'
import { hexOf } from '@redpack/fair/bytes'
import { LRUCache } from 'lru-cache'
import type { Queryable } from '../../adapters/db/database.ts'
import type { IdempotentAnswer } from '../../adapters/db/idempotent.ts'
import { retireChains } from '../../adapters/db/retire-chains.ts'
import type { Deps } from '../../adapters/deps.ts'
import { idempotentAnswer, serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { drawSeeds } from '../../adapters/random/draw-seeds.ts'
import { Unavailable } from '../../shared/domain-error.ts'
import { KeyedSemaphore, MicroBatcher } from '../../shared/turns.ts'
import { chainOfToday, type ToldPlace } from '../fairness/chain-tables.ts'
import { lockUser } from '../ledger/ledger-tables.ts'
import { OddsCache } from './odds-cache.ts'
import {
  type AskedOpening,
  type Attempt,
  type Opened,
  type ReadOpening,
  readOpenings,
  tryGroup,
} from './open-group.ts'
import type { OpenPacksOrder } from './opening-tables.ts'
import { lockLimitedPrizes } from './pack-tables.ts'

export function registerOpening({ app, deps, guards }: FeatureContext, odds: OddsCache): void {
  const opening = new Opening(deps, odds)
  serve(app, guards, packsContract.open, async ({ actor, body, idempotencyKey }) => {
    const order = { ...body, idempotencyKey }
    return idempotentAnswer(packsContract.open, await opening.open(actor.userId, order))
  })
}

type OpenedAnswer = IdempotentAnswer<Opened>

const attemptsMax = 8
/** Users whose last opening is remembered. */
const toldMax = 50_000

/** A thousand openings of one person, with the one that runs. */
const oneAtATime = { maxConcurrency: 1, maxQueue: 999 }
/** More in one statement make it longer, and hardly cheaper for each. */
const openingsMax = 64
const packsMax = 200
/** A second group at a time would find the limited prizes of the first one locked. */
const groupsAtOnceMax = 1
/** At a thousand openings a second, what a person waits for patiently. */
const maxQueue = 4_000
const groupLimits = {
  maxBatchSize: openingsMax,
  weightMax: packsMax,
  maxConcurrency: groupsAtOnceMax,
  maxQueue,
}
/** One read at a time, so that whoever waits behind another has seen no older stock. */
const readLimits = {
  maxBatchSize: openingsMax,
  weightMax: openingsMax,
  maxConcurrency: 1,
  maxQueue,
}

/** What one process opens packs with. */
export class Opening {
  private readonly mutex = new KeyedSemaphore(oneAtATime)
  private readonly deps: Deps
  private readonly odds: OddsCache
  // While one group is written, what the next ones depend on is read.
  private readonly reads = new MicroBatcher<AskedOpening, ReadOpening>(readLimits, async (asked) =>
    (await this.read(this.deps.db, asked)).map((value) => ({ status: 'fulfilled', value })),
  )
  private readonly skipLocked = new MicroBatcher<ReadOpening, Attempt>(groupLimits, (read) =>
    tryGroup(this.deps, this.deps.db, this.odds, read, 'leave_out'),
  )
  // What met a locked row waits apart, so that nobody else waits with it.
  private readonly blocking = new MicroBatcher<AskedOpening, Attempt>(groupLimits, async (asked) =>
    tryGroup(this.deps, this.deps.db, this.odds, await this.read(this.deps.db, asked), 'wait'),
  )
  private readonly told = new LRUCache<number, ToldPlace>({
    maxSize: toldMax,
    sizeCalculation: () => 1,
  })
  private takeovers: number

  /** `odds` may be shared with those who show them. */
  constructor(deps: Deps, odds = new OddsCache(deps.db)) {
    this.deps = deps
    this.odds = odds
    this.takeovers = deps.db.pool?.().takeovers ?? 0
  }

  /**
   * Opens packs for a user. Openings of one user in this process take turns, since each needs the
   * seed after the one before; those of different users are read and written together.
   * @throws DomainError insufficient_packs, not_found, odds_changed, commitment_moved,
   * idempotency_mismatch, or invalid_input when the most that could be won has no room
   * @throws Unavailable when other processes moved the ground under every attempt, too many wait,
   * or the seed cannot be opened
   */
  open(userId: number, order: OpenPacksOrder): Promise<OpenedAnswer> {
    let { entropy: kept } = order
    const entropy = () => (kept ??= hexOf(this.deps.random.bytes(32)))
    return this.mutex.take(userId, () =>
      this.openExclusively({ userId, order, entropy, told: this.told.get(userId) }),
    )
  }

  private async openExclusively(asked: AskedOpening): Promise<OpenedAnswer> {
    let moves = 0
    for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
      const result = await this.attemptAfter(moves, asked)
      if (result === 'chain_not_ready') {
        await this.prepareChain(asked)
      } else if (result === 'moved') {
        moves += 1
      } else {
        if (result.tells !== undefined) this.told.set(asked.userId, result.tells)
        if (!result.replayed) this.announce(asked.userId)
        return result
      }
    }
    throw new Unavailable('The packs are being opened elsewhere at the same time, please try again')
  }

  /** The more often the ground has moved, the fewer openings share a try, and the more it locks. */
  private async attemptAfter(moves: number, asked: AskedOpening): Promise<Attempt> {
    const { quantity } = asked.order
    if (moves === 0) return this.skipLocked.enqueue(await this.reads.enqueue(asked), quantity)
    if (moves === 1) return this.blocking.enqueue(asked, quantity)
    if (moves === 2) return this.tryAlone(this.deps.db, asked)
    return this.deps.db.transaction((tx) => this.tryInLine(tx, asked))
  }

  private async tryAlone(db: Queryable, asked: AskedOpening): Promise<Attempt> {
    const read = await this.read(db, [asked])
    const [result] = await tryGroup(this.deps, db, this.odds, read, 'wait')
    if (result?.status === 'fulfilled') return result.value
    throw result?.reason
  }

  /**
   * Two processes that open for one user could overtake each other for ever, and a crowd whoever
   * draws the last units of a prize; holding the rows of both from the read on makes the next
   * attempt the only one.
   */
  private async tryInLine(tx: Queryable, asked: AskedOpening): Promise<Attempt> {
    await lockUser(tx, asked.userId)
    await lockLimitedPrizes(tx, asked.order.packTypeId)
    return this.tryAlone(tx, asked)
  }

  /**
   * A server that has taken over may have lost openings whose seeds were told by any process: the
   * chains that it brings are ended, and what was read of them is read again.
   */
  private async read(db: Queryable, asked: readonly AskedOpening[]): Promise<ReadOpening[]> {
    const read = await readOpenings(db, asked)
    const takeovers = this.deps.db.pool?.().takeovers ?? 0
    if (takeovers === this.takeovers) return read
    await this.deps.db.transaction(retireChains)
    this.takeovers = takeovers
    return readOpenings(db, asked)
  }

  /** Begins the chain of today for somebody who has none. */
  private async prepareChain({ userId, told }: AskedOpening): Promise<void> {
    const { clock, db, encryption, random } = this.deps
    const seeds = drawSeeds(random, encryption)
    await db.transaction((tx) => chainOfToday(tx, seeds, userId, clock.now(), told))
  }

  private announce(userId: number): void {
    const { events } = this.deps
    events.publish({ type: 'user_changed', userId })
    events.publish({ type: 'holdings_changed', userId })
    events.publish({ type: 'leaderboard_changed' })
  }
}
