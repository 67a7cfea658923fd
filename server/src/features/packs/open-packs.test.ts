// Opening packs through the use-case: what is taken, what is given, and what is written down.

import type { DrawProof } from '@redpack/contract'
import { describe, expect, it } from 'vitest'
import { askedDatabase } from '../../../test/asked-database.ts'
import { useTestDeps } from '../../../test/deps.ts'
import { openingProcess } from '../../../test/opening.ts'

const t = useTestDeps()
const open = async (userId: number, packTypeId: number, quantity: number): Promise<Opened> => {
  const order = { packTypeId, quantity, idempotencyKey: undefined }
  return JSON.parse((await openingProcess(t.deps).open(userId, order)).body)
}

interface Opened {
  readonly proof: DrawProof
  readonly results: readonly {
    readonly won: boolean
    readonly prizeId: number | null
    readonly claimId: string | null
    readonly redCoinEarned: number
  }[]
  readonly updatedBalance: number
}

/** A prize that every draw wins. */
const always = { winFrequency: 1, totalPacks: 1 }

describe('opening packs', () => {
  it('pays a RedCoin prize at once, with a completed claim and one ledger row a win', async () => {
    const gold = await t.packType('Gold')
    const coins = await t.prize('Coins', { packTypeIds: [gold], ...always, redCoinAmount: 40 })
    const ana = await t.person('ana', { packs: { [gold]: 2 } })
    const { results, updatedBalance } = await open(ana.id, gold, 2)
    expect(results).toMatchObject([
      { won: true, prizeId: coins, redCoinEarned: 40 },
      { won: true, prizeId: coins, redCoinEarned: 40 },
    ])
    expect(updatedBalance).toBe(80)
    expect(
      await t.rows(
        'SELECT amount, type, prize_id, balance_after FROM red_coin_transactions ORDER BY id',
      ),
    ).toEqual([
      { amount: 40, type: 'prize_win', prize_id: coins, balance_after: 40 },
      { amount: 40, type: 'prize_win', prize_id: coins, balance_after: 80 },
    ])
    expect(await t.rows('SELECT DISTINCT status FROM prize_claims')).toEqual([
      { status: 'completed' },
    ])
    expect(await t.rows('SELECT red_coin_balance, total_red_coin_won FROM users')).toEqual([
      { red_coin_balance: 80, total_red_coin_won: 80 },
    ])
  })

  it('gives the packs a prize brings, also of the type that is being opened', async () => {
    const gold = await t.packType('Gold')
    const iron = await t.packType('Iron')
    await t.prize('Two iron', {
      packTypeIds: [gold],
      winFrequency: 1,
      totalPacks: 2,
      rewardPackTypeId: iron,
      rewardPackQuantity: 2,
    })
    await t.prize('One gold', {
      packTypeIds: [gold],
      winFrequency: 1,
      totalPacks: 2,
      rewardPackTypeId: gold,
      rewardPackQuantity: 1,
    })
    const ana = await t.person('ana', { packs: { [gold]: 10 } })
    const { results } = await open(ana.id, gold, 10)
    const irons = results.filter(({ prizeId }) => prizeId !== null).length
    expect(irons).toBe(10)
    const [counts] = await t.rows<{ gold: number; iron: number; wins: number }>(
      `SELECT (SELECT quantity FROM user_packs WHERE pack_type_id = $1) AS gold,
         (SELECT quantity FROM user_packs WHERE pack_type_id = $2) AS iron,
         (SELECT count(*)::int FROM pack_openings o JOIN prizes p ON p.id = o.prize_id
          WHERE p.pack_type_id = $1) AS wins`,
      [gold, iron],
    )
    expect(counts?.gold).toBe(counts?.wins)
    expect(counts?.iron ?? 0).toBe(2 * (10 - (counts?.wins ?? 0)))
    await t.expectTrueBooks()
  })

  it('goes on with an odds table whose first opening was rolled back', async () => {
    const gold = await t.packType('Gold')
    await t.prize('Coins', { packTypeIds: [gold], ...always, redCoinAmount: 1 })
    const ana = await t.person('ana', { packs: { [gold]: 2 } })
    let [stored, commits] = [0, 0]
    const db = askedDatabase(t.db, async ({ name }) => {
      if (name === 'add_odds_table') stored += 1
      if (!name.startsWith('commit_openings')) return
      commits += 1
      // The fourth attempt that draws is one transaction, and meets new odds.
      if (commits === 3) await t.rows('UPDATE prizes SET red_coin_amount = 2')
      if (commits === 4) throw new Error('away')
      if (commits < 4) throw Object.assign(new Error('overtaken'), { code: '23505' })
    })
    const order = { packTypeId: gold, quantity: 1, idempotencyKey: undefined }
    const opening = openingProcess({ ...t.deps, db })
    await expect(opening.open(ana.id, order)).rejects.toThrow('away')
    expect(JSON.parse((await opening.open(ana.id, order)).body).updatedBalance).toBe(2)
    // By the first attempt, the fourth and the one that stands.
    expect({ stored, commits }).toEqual({ stored: 3, commits: 5 })
  })

  it('is given up when every attempt was overtaken', async () => {
    const gold = await t.packType('Gold')
    const ana = await t.person('ana', { packs: { [gold]: 1 } })
    let tries = 0
    const db = askedDatabase(t.db, ({ name }) => {
      if (!name.startsWith('commit_openings')) return
      tries += 1
      throw Object.assign(new Error('overtaken'), { code: '23505' })
    })
    const order = { packTypeId: gold, quantity: 1, idempotencyKey: undefined }
    const opened = openingProcess({ ...t.deps, db }).open(ana.id, order)
    await expect(opened).rejects.toThrow('The packs are being opened elsewhere at the same time')
    // The first attempt of eight began her chain.
    expect(tries).toBe(7)
  })
})
