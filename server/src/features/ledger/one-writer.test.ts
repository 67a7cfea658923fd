// The ledger's promises: a change and its history or neither, never below 0, each source once.

import { describe, expect, it } from 'vitest'
import { useTestDeps } from '../../../test/deps.ts'
import { sqlState } from '../../adapters/db/retry.ts'
import {
  changeBalance,
  changeBalances,
  changeHolding,
  changeHoldings,
  type ManyReason,
  setStock,
  takeAllBalances,
  takeAllHoldings,
  takeListingStock,
} from './ledger-tables.ts'

const t = useTestDeps()
const redCoinMax = 9_007_199_254_740_991

const reason = (sourceId: string) => ({
  type: 'admin_grant' as const,
  description: 'A gift',
  sourceType: 'grant',
  sourceId,
  now: t.clock.now(),
})
const manyReason = (sourceId: string): ManyReason => ({
  gain: 'admin_grant',
  loss: 'admin_removal',
  description: 'A gift',
  sourceType: 'grant',
  sourceId,
  now: t.clock.now(),
})
const balances = () =>
  t.rows(`SELECT red_coin_balance AS balance,
      (SELECT coalesce(sum(amount), 0)::bigint FROM red_coin_transactions WHERE user_id = u.id)
        AS booked,
      (SELECT balance_after FROM red_coin_transactions WHERE user_id = u.id
        ORDER BY id DESC LIMIT 1) AS after
    FROM users u ORDER BY id`)
const holdings = () =>
  t.rows(`SELECT quantity,
      (SELECT sum(delta)::int FROM pack_transactions x
        WHERE x.user_id = h.user_id AND x.pack_type_id = h.pack_type_id) AS booked,
      (SELECT quantity_after FROM pack_transactions x
        WHERE x.user_id = h.user_id AND x.pack_type_id = h.pack_type_id
        ORDER BY id DESC LIMIT 1) AS after
    FROM user_packs h ORDER BY user_id`)
const even = (value: number) => ({ balance: value, booked: value, after: value })
const held = (quantity: number) => ({ quantity, booked: quantity, after: quantity })
const twice = { code: '23505' }
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => ({ code: undefined }),
    (error: unknown) => ({ code: sqlState(error) }),
  )

describe('RedCoin', () => {
  it('of one moves with its history and answers the new balance', async () => {
    const { id: userId } = await t.person('ana', { coins: 10 })
    expect(await changeBalance(t.db, { ...reason('a'), userId, amount: -4 })).toBe(6)
    expect(await balances()).toEqual([even(6)])
  })

  it.each([-11, redCoinMax])('of one stays when %i would leave the range', async (amount) => {
    const { id: userId } = await t.person('ana', { coins: 10 })
    expect(await changeBalance(t.db, { ...reason('a'), userId, amount })).toBeUndefined()
    expect(await balances()).toEqual([even(10)])
  })

  it('moves once per source', async () => {
    const { id: userId } = await t.person('ana', { coins: 10 })
    await changeBalance(t.db, { ...reason('a'), userId, amount: 1 })
    const one = { ...reason('a'), userId, amount: 1 }
    const many = { ...manyReason('a'), userIds: [userId], amounts: [1] }
    expect(await codeOf(changeBalance(t.db, one))).toEqual(twice)
    expect(await codeOf(changeBalances(t.db, many))).toEqual(twice)
    expect(await balances()).toEqual([even(11)])
  })

  it('of many is taken at most to 0; who has none gets no row', async () => {
    const ids = []
    for (const [name, coins] of Object.entries({ ana: 10, ben: 3, cleo: 0 })) {
      ids.push((await t.person(name, { coins })).id)
    }
    const changes = { ...manyReason('a'), userIds: ids, amounts: [5, -5, -5] }
    expect(await changeBalances(t.db, changes)).toEqual([
      { userId: ids[0], delta: 5, after: 15 },
      { userId: ids[1], delta: -3, after: 0 },
      { userId: ids[2], delta: 0, after: 0 },
    ])
    expect(await balances()).toEqual([even(15), even(0), { balance: 0, booked: 0, after: null }])
    expect(await t.column('SELECT type FROM red_coin_transactions ORDER BY id OFFSET 2')).toEqual([
      'admin_grant',
      'admin_removal',
    ])
    expect(await takeAllBalances(t.db, manyReason('b'))).toEqual([
      { userId: ids[0], delta: -15, after: 0 },
    ])
    expect(await balances()).toEqual([even(0), even(0), { balance: 0, booked: 0, after: null }])
  })
})

describe('packs', () => {
  it('of one move with their history, and once per source', async () => {
    const gold = await t.packType('Gold')
    const { id: userId } = await t.person('ana', { packs: { [gold]: 2 } })
    const change = (sourceId: string, delta: number) =>
      changeHolding(t.db, { ...reason(sourceId), userId, packTypeId: gold, delta })
    expect(await change('a', 3)).toBe(5)
    expect(await codeOf(change('a', 3))).toEqual(twice)
    expect(await holdings()).toEqual([held(5)])
  })

  it('of many are taken at most to 0, and new holdings are made', async () => {
    const gold = await t.packType('Gold')
    const ana = (await t.person('ana', { packs: { [gold]: 2 } })).id
    const ben = (await t.person('ben')).id
    const change = (sourceId: string, amounts: number[]) =>
      changeHoldings(t.db, gold, { ...manyReason(sourceId), userIds: [ana, ben], amounts })
    expect(await change('a', [-5, 4])).toEqual([
      { userId: ana, delta: -2, after: 0 },
      { userId: ben, delta: 4, after: 4 },
    ])
    expect(await codeOf(change('a', [1, 1]))).toEqual(twice)
    expect(await holdings()).toEqual([held(0), held(4)])
    expect(await takeAllHoldings(t.db, manyReason('b'))).toEqual([
      { userId: ben, delta: -4, after: 0 },
    ])
    expect(await holdings()).toEqual([held(0), held(0)])
  })
})

describe('stock', () => {
  const history = () =>
    t.rows(`SELECT kind, delta, quantity_after AS after, source_type AS source
      FROM stock_events ORDER BY id`)

  it('of a prize becomes what is asked for, and its history adds up to it', async () => {
    const id = await t.prize('Mug', { packTypeIds: [], stock: 5 })
    const put = (quantity: number | null, sourceId: string) => {
      const source = { type: 'staff_change', id: sourceId } as const
      return setStock(t.db, { kind: 'prize', id, quantity, source, now: t.clock.now() })
    }
    await put(3, 'a')
    await put(3, 'b')
    await put(null, 'c')
    expect(await t.column('SELECT inventory_quantity AS units FROM prizes')).toEqual([null])
    expect(await history()).toEqual([
      { kind: 'prize', delta: 5, after: 5, source: 'created' },
      { kind: 'prize', delta: -2, after: 3, source: 'staff_change' },
      { kind: 'prize', delta: -3, after: null, source: 'staff_change' },
    ])
    expect(await codeOf(put(4, 'a'))).toEqual(twice)
  })

  it('of a listing is sold while there is enough and it is on sale', async () => {
    const gold = await t.packType('Gold')
    const listingId = await t.listing(gold, { stock: 0 })
    const source = { type: 'created', id: 'a' } as const
    const now = t.clock.now()
    await setStock(t.db, { kind: 'listing', id: listingId, quantity: 4, source, now })
    const sell = (quantity: number, purchaseId: number) =>
      takeListingStock(t.db, { listingId, quantity, purchaseId, now })
    expect(await sell(3, 1)).toBe(true)
    expect(await sell(2, 2)).toBe(false)
    await t.rows('UPDATE store_pack_listings SET is_unlimited = true')
    expect(await sell(1, 3)).toBe(false)
    expect(await t.column('SELECT quantity_available AS units FROM store_pack_listings')).toEqual([
      1,
    ])
    expect(await history()).toEqual([
      { kind: 'listing', delta: 4, after: 4, source: 'created' },
      { kind: 'listing', delta: -3, after: 1, source: 'purchase' },
    ])
  })
})
