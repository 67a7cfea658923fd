// Races on real PostgreSQL, where connections truly contend: no pack, coin or unit is spent twice.

import { createHmac } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { statement } from '../src/adapters/db/database.ts'
import { isDatabaseUnavailable, sqlState } from '../src/adapters/db/retry.ts'
import { endPastChains, showChain } from '../src/features/fairness/chains.ts'
import { packsAnswer } from '../src/features/grants/distribute.ts'
import type { Opening } from '../src/features/packs/open-packs.ts'
import { DomainError } from '../src/shared/domain-error.ts'
import { distribute, purchasePacks, takeFromAll } from './commands.ts'
import { nextDay, type Person, usePostgresDeps } from './deps.ts'
import { everyday } from './everyday.ts'
import { inLanes } from './lanes.ts'
import { openingProcess } from './opening.ts'
import { hasPostgres } from './test-database.ts'

const attempts = everyday(2_500, 10_000)
const orders = everyday(150, 500)
const rounds = everyday(100, 200)
const mixedCalls = everyday(1_200, 3_000)

/**
 * Does `work` for 0 to `count` - 1 with `width` in flight at a time and answers how each one ended.
 */
async function flood<Result>(
  count: number,
  width: number,
  work: (index: number) => Promise<Result>,
): Promise<{ done: Result[]; refused: Map<string, number> }> {
  const done: Result[] = []
  const refused = new Map<string, number>()
  await inLanes(count, width, async (index) => {
    try {
      done.push(await work(index))
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      refused.set(error.code, (refused.get(error.code) ?? 0) + 1)
    }
  })
  return { done, refused }
}

interface DrawnRow {
  readonly position: number
  readonly prize_id: number | null
  readonly server_seed: string
  readonly entropy: string
  readonly table_hash: string
}

/** Whether the seeds of the row roll below one half, without the product's own code. */
function isWin({ server_seed, entropy, position, table_hash }: DrawnRow): boolean {
  const digest = createHmac('sha256', Buffer.from(server_seed, 'hex'))
    .update(`${entropy}:${position}:${table_hash}`)
    .digest()
  return digest[0]! < 128
}

/** Whether nothing was done because others were in the way for too long. */
const isBusy = (error: unknown) =>
  isDatabaseUnavailable(error) ||
  sqlState(error) === '55P03' ||
  (error instanceof DomainError && error.code === 'idempotency_in_flight')

describe.skipIf(!hasPostgres)('on PostgreSQL', () => {
  // Two processes of the product share nothing but the database: no odds, no turns.
  let processes: Opening[]

  const t = usePostgresDeps(32)
  beforeEach(async () => {
    processes = Array.from({ length: 2 }, () => openingProcess(t.deps))
  })
  const open = (index: number, userId: number, packTypeId: number, quantity = 1, key?: string) =>
    processes[index % 2]!.open(userId, { packTypeId, quantity, idempotencyKey: key })

  it('opens exactly 50 of 50 packs in thousands of attempts from two processes', async () => {
    const gold = await t.packType('Gold')
    const ana = await t.person('ana', { packs: { [gold]: 50 } })
    const { done, refused } = await flood(attempts, 32, (index) => open(index, ana.id, gold))
    expect(done).toHaveLength(50)
    expect(refused).toEqual(new Map([['insufficient_packs', attempts - 50]]))
    expect(await t.rows('SELECT quantity FROM user_packs')).toEqual([{ quantity: 0 }])
    await t.expectTrueBooks()
  }, 120_000)

  it('never sells more of a listing than there was, in a thousand purchases', async () => {
    const gold = await t.packType('Gold')
    const people: Person[] = []
    for (let index = 0; index < 20; index += 1) {
      people.push(await t.person(`buyer${index}`, { coins: 100_000 }))
    }
    const listingId = await t.listing(gold, { price: 7, stock: 100 })
    const { refused } = await flood(attempts / 2, 32, (index) =>
      purchasePacks(t.deps, people[index % 20]!.id, {
        listingId,
        quantity: 1 + (index % 3),
        idempotencyKey: undefined,
      }),
    )
    expect([...refused.keys()]).toEqual(['not_enough_stock'])
    const [sold] = await t.rows<{ sold: number; rest: number }>(
      `SELECT sum(quantity)::int AS sold, (SELECT quantity_available FROM store_pack_listings) AS
         rest
       FROM store_purchases`,
    )
    expect(sold).toEqual({ sold: 100, rest: 0 })
    await t.expectTrueBooks()
  }, 120_000)

  it('sends every purchase twice at once, again while others hold it up, and books it once', async () => {
    const gold = await t.packType('Gold')
    const ana = await t.person('ana', { coins: orders })
    const order = { listingId: await t.listing(gold, { price: 1 }), quantity: 1 }
    let repeated = 0
    // What the product was too busy for is sent again with its key, as its 503 and 409 ask.
    const buy = async (idempotencyKey: string): ReturnType<typeof purchasePacks> => {
      try {
        return await purchasePacks(t.deps, ana.id, { ...order, idempotencyKey })
      } catch (error) {
        if (!isBusy(error)) throw error
        repeated += 1
        return buy(idempotencyKey)
      }
    }
    // Longer than anybody waits for a lock or a connection: the first to come find it busy.
    let hold: () => void = () => undefined
    const isHeld = new Promise<void>((resolve) => {
      hold = resolve
    })
    const held = t.db.transaction(async (tx) => {
      await tx.run(statement('test_hold_buyer', 'SELECT FROM users WHERE id = $1 FOR UPDATE'), [
        ana.id,
      ])
      hold()
      await tx.run(statement('test_hold_on', 'SELECT pg_sleep(4)'), [])
    })
    await isHeld
    const { done, refused } = await flood(orders, 16, (index) =>
      Promise.all([buy(`key-${index}`), buy(`key-${index}`)]),
    )
    await held
    expect(repeated).toBeGreaterThan(0)
    expect(refused).toEqual(new Map())
    expect(done).toHaveLength(orders)
    expect(done.every(([one, two]) => one.body === two.body)).toBe(true)
    expect(done.every((answers) => answers.some(({ replayed }) => replayed))).toBe(true)
    expect(await t.rows('SELECT red_coin_balance AS balance FROM users')).toEqual([{ balance: 0 }])
    const [bought] = await t.rows('SELECT count(*)::int AS purchases FROM store_purchases')
    expect(bought).toEqual({ purchases: orders })
    await t.expectTrueBooks()
  }, 120_000)

  it('uses each seed for one request, in many rounds from several tabs at midnight', async () => {
    const gold = await t.packType('Gold')
    await t.prize('Half', { packTypeIds: [gold], totalPacks: 2, redCoinAmount: 1 })
    const people: Person[] = []
    for (let index = 0; index < 8; index += 1) {
      people.push(await t.person(`s${index}`, { packs: { [gold]: 500 } }))
    }
    await flood(rounds, 4, (round) => {
      const { id } = people[round % 8]!
      if (round % 50 === 49) nextDay(t.clock)
      const tabs = [showChain(t.deps, id), open(round, id, gold, 3), open(round + 1, id, gold, 2)]
      return Promise.all([...tabs, endPastChains(t.deps)])
    })
    const rows = await t.rows<DrawnRow>(
      `SELECT o.position, o.prize_id, r.server_seed, r.entropy, t.table_hash
       FROM pack_openings o JOIN opening_requests r ON r.id = o.request_id
       JOIN odds_tables t ON t.id = r.odds_table_id`,
    )
    expect(rows).toHaveLength(rounds * 5)
    expect(rows.filter((row) => isWin(row) !== (row.prize_id !== null))).toEqual([])
    const [seeds] = await t.rows(
      'SELECT count(DISTINCT server_seed)::int AS seeds FROM opening_requests',
    )
    expect(seeds).toEqual({ seeds: rounds * 2 })
    await t.expectTrueBooks()
  }, 180_000)

  it('keeps the books true under mixed traffic with removals from everyone', async () => {
    const gold = await t.packType('Gold')
    const iron = await t.packType('Iron')
    for (let index = 0; index < 6; index += 1) {
      await t.prize(`Limited ${index}`, { packTypeIds: [gold, iron], totalPacks: 12, stock: 200 })
    }
    await t.prize('Coins', { packTypeIds: [gold], totalPacks: 4, redCoinAmount: 30 })
    await t.prize('More iron', {
      packTypeIds: [gold],
      totalPacks: 8,
      rewardPackTypeId: iron,
      rewardPackQuantity: 2,
    })
    const admin = await t.person('boss', { role: 'admin' })
    const people: Person[] = []
    for (let index = 0; index < 40; index += 1) {
      people.push(
        await t.person(`m${index}`, { coins: 1_000, packs: { [gold]: 200, [iron]: 200 } }),
      )
    }
    const listingId = await t.listing(iron, { price: 3 })
    const staff = { actorId: admin.id, requestId: 'r', route: 'test', idempotencyKey: undefined }
    const grant = (userId: number, amount: number, packTypeId?: number) =>
      distribute(
        t.deps,
        staff,
        { packTypeId, target: { kind: 'user', userId }, amount, description: 'load' },
        packsAnswer,
      )
    let sumsRead = 0
    let isRunning = true
    const reader = (async () => {
      while (isRunning) {
        const [sums] = await t.rows<{ balances: number; ledger: number }>(
          `SELECT (SELECT coalesce(sum(red_coin_balance), 0)::bigint FROM users) AS balances,
             (SELECT coalesce(sum(amount), 0)::bigint FROM red_coin_transactions) AS ledger`,
        )
        expect(sums?.balances).toBe(sums?.ledger)
        sumsRead += 1
      }
    })()
    const traffic = flood(mixedCalls, 32, async (index): Promise<unknown> => {
      const person = people[(index * 7) % 40]!
      if (index % 500 === 499)
        return takeFromAll(t.deps, staff, index % 1000 === 999 ? 'packs' : 'redcoin')
      if (index % 7 === 1) return grant(person.id, index % 2 === 0 ? 25 : -40)
      if (index % 7 === 2) return grant(person.id, index % 2 === 0 ? 3 : -5, iron)
      if (index % 7 === 3)
        return purchasePacks(t.deps, person.id, {
          listingId,
          quantity: 1,
          idempotencyKey: undefined,
        })
      return open(index, person.id, index % 2 === 0 ? gold : iron, 1 + (index % 20))
    })
    await traffic.finally(() => {
      isRunning = false
    })
    await reader
    expect(sumsRead).toBeGreaterThan(20)
    await t.expectTrueBooks()
  }, 180_000)
})
