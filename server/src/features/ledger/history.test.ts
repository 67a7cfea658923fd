import type { RedCoinEntry } from '@redpack/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Person, useTestDeps } from '../../../test/deps.ts'
import { redCoinFile } from './views.ts'

const t = useTestDeps()
const path = '/api/redcoin/history'
let ana: Person
let ben: Person
let prize: number

/** Everything a ledger row can come from that this file needs: a start, a win, and consolations. */
beforeEach(async () => {
  const gold = await t.packType('Gold')
  const plain = await t.packType('Plain')
  prize = await t.prize('=Coins, "gold"', { packTypeIds: [gold], totalPacks: 1, redCoinAmount: 40 })
  ana = await t.person('ana', { coins: 100, packs: { [gold]: 1, [plain]: 2 } })
  ben = await t.person('ben', { coins: 7 })
  await ana.open(gold)
  await ana.open(plain, 2)
})

const entriesOf = async (person: Person, query = ''): Promise<RedCoinEntry[]> =>
  (await person.read(`${path}${query}`)).entries

describe('GET /api/redcoin/history', () => {
  it('answers every row of the own ledger, newest first, with the balance it left', async () => {
    const answer = await ana.get(path)
    expect(answer.statusCode).toBe(200)
    const { entries, pagination } = answer.json()
    const [opening] = await t.rows<{ id: number }>(
      'SELECT id FROM pack_openings WHERE prize_id = $1',
      [prize],
    )
    const described = entries.map(({ id, createdAt, ...rest }: RedCoinEntry) => {
      expect(Number.isInteger(id)).toBe(true)
      expect(new Date(createdAt).toISOString()).toBe(createdAt)
      return rest
    })
    const none = { prizeName: null, openingId: null }
    expect(described).toEqual([
      {
        amount: 10,
        type: 'pack_consolation',
        description: '2 packs without a prize',
        balanceAfter: 150,
        ...none,
      },
      {
        amount: 40,
        type: 'prize_win',
        description: 'Won =Coins, "gold"',
        balanceAfter: 140,
        prizeName: '=Coins, "gold"',
        openingId: opening!.id,
      },
      { amount: 100, type: 'opening_balance', description: '', balanceAfter: 100, ...none },
    ])
    expect(pagination).toEqual({
      totalItems: 3,
      totalPages: 1,
      hasPreviousPage: false,
      hasNextPage: false,
      page: 1,
      limit: 25,
    })
    await t.expectTrueBooks()
  })

  it('answers one page of one type, and an empty one past the end', async () => {
    await t.rows(
      `INSERT INTO red_coin_transactions (user_id, amount, type, balance_after, source_type,
         source_id) SELECT $1, 1, 'watch_reward', 150 + n, 'test', n::text
       FROM generate_series(1, 5) n`,
      [ana.id],
    )
    const second = await ana.read(`${path}?type=watch_reward&page=2&limit=2`)
    expect(second.entries.map((entry: RedCoinEntry) => entry.balanceAfter)).toEqual([153, 152])
    expect(second.pagination).toEqual({
      totalItems: 5,
      totalPages: 3,
      hasPreviousPage: true,
      hasNextPage: true,
      page: 2,
      limit: 2,
    })
    const past = await ana.read(`${path}?type=watch_reward&page=9&limit=2`)
    expect([past.entries, past.pagination.totalItems]).toEqual([[], 5])
  })

  it('takes a filter it does not know for none, and a bad limit for 25', async () => {
    for (const query of ['?type=bribe', '?type[]=prize_win', '?limit=101', '?limit=0']) {
      const { entries, pagination } = await ana.read(`${path}${query}`)
      expect([entries.length, pagination.limit]).toEqual([3, 25])
    }
  })

  it('shows nothing of others, whatever is asked for', async () => {
    const entries = await entriesOf(ben, `?userId=${ana.id}`)
    expect(entries.map(({ amount, type }) => [amount, type])).toEqual([[7, 'opening_balance']])
  })
})

describe('GET /api/redcoin/history.csv', () => {
  it('is a file of the same rows in which nothing can be run', async () => {
    const answer = await ana.get(`${path}.csv`)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8; header=present')
    expect(answer.headers['content-disposition']).toBe('attachment; filename="redcoin-history.csv"')
    const [consolation, win, start] = await entriesOf(ana)
    expect(answer.body.split('\r\n')).toEqual([
      '\uFEFFid,createdAt,amount,type,description,balanceAfter,prizeName,openingId',
      `${consolation!.id},${consolation!.createdAt},10,pack_consolation,2 packs without a prize,150,,`,
      `${win!.id},${win!.createdAt},40,prize_win,"Won =Coins, ""gold""",140,"'=Coins, ""gold""",${win!.openingId}`,
      `${start!.id},${start!.createdAt},100,opening_balance,,100,,`,
      '',
    ])
  })

  it('reads in batches, each row once, and stops at the most it may hold', async () => {
    await t.rows(
      `INSERT INTO red_coin_transactions (user_id, amount, type, balance_after, source_type,
         source_id) SELECT $1, 1, 'watch_reward', n, 'test', n::text
       FROM generate_series(1, 2500) n`,
      [ana.id],
    )
    const all = (await ana.get(`${path}.csv?type=watch_reward`)).body.trim().split('\r\n').slice(1)
    expect(all.map((line) => Number(line.split(',')[5]))).toEqual(
      Array.from({ length: 2500 }, (_, index) => 2500 - index),
    )
    const pieces: string[] = []
    for await (const piece of redCoinFile(t.db, ana.id, 'watch_reward', 1700)) pieces.push(piece)
    expect(pieces.map((piece) => piece.split('\r\n').length - 1)).toEqual([1001, 700])
  })
})
