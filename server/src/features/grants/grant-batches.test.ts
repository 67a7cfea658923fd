// Grants to named users and to everyone as batches: listed, with a receipt, reversed as one.

import type { Batch, BatchRow } from '@redpack/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { csvForm } from '../../../test/csv-form.ts'
import { coded, type Person, useTestDeps } from '../../../test/deps.ts'

const t = useTestDeps({ SEED_DEMO: 'off' })
const path = '/api/admin/batches'
const packs = '/api/admin/distribute-packs'
const coins = '/api/admin/distribute-redcoin'
let gold: number
let boss: Person
let ana: Person
let ben: Person

beforeEach(async () => {
  gold = await t.packType('Gold')
  boss = await t.person('boss', { role: 'admin' })
  ana = await t.person('ana', { coins: 100, packs: { [gold]: 1 } })
  ben = await t.person('ben')
})

const batches = async (): Promise<Batch[]> => (await boss.read(path)).batches
const rowsOf = async (id: string): Promise<BatchRow[]> => (await boss.read(`${path}/${id}`)).rows
const reverse = (id: string, headers = {}) => {
  t.clock.advance(1)
  return boss.send('POST', `${path}/${id}/reverse`, undefined, headers)
}
const balances = () =>
  t.rows(`SELECT username, red_coin_balance AS has FROM users
    WHERE username IN ('ana', 'ben', 'boss') ORDER BY username`)

describe('a grant to named users', () => {
  it('is a batch: each name has its row, in the order of the list', async () => {
    const usernames = ['ben', 'nobody', 'ana']
    const order = { usernames, amount: 20, description: 'Winners of the raffle' }
    expect((await boss.send('POST', coins, order)).json()).toEqual({
      success: true,
      message: 'Distributed 20 RedCoin to 2 users',
      processedCount: 2,
      username: null,
      newBalance: null,
      removedAmount: 0,
      errors: [{ username: 'nobody', reason: 'Unknown user' }],
    })
    const [batch] = await batches()
    expect(batch).toEqual({
      id: expect.any(String),
      kind: 'redcoin',
      packType: null,
      createdAt: expect.any(String),
      actor: { id: boss.id, username: 'boss', displayName: 'boss' },
      recipients: 'named',
      description: 'Winners of the raffle',
      fileName: null,
      fileHash: null,
      processedCount: 2,
      failedCount: 1,
      total: 40,
      reverses: null,
      reversedBy: null,
    })
    const none = { userId: null, displayName: null, applied: 0, after: null, amount: 20 }
    expect(await rowsOf(batch!.id)).toEqual([
      rowOf(1, ben, 20, 20),
      { ...none, row: 2, username: 'nobody', verdict: 'unknown', reason: 'Unknown user' },
      rowOf(3, ana, 20, 120),
    ])
    const receipt = await boss.get(`${path}/${batch!.id}/receipt.csv`)
    expect(receipt.body).toContain('3,ana,ana,ok,,20,20,120')
    const [entry] = await t.rows('SELECT batch_id FROM audit_log')
    expect(entry).toEqual({ batch_id: batch!.id })
    await t.expectTrueBooks()
  })
})

describe('a grant to everyone', () => {
  it('is a batch of everybody, and is reversed as one under one key', async () => {
    const before = await balances()
    const order = { allUsers: true, amount: 7, description: 'Anniversary' }
    const key = { 'idempotency-key': 'all' }
    const given = await boss.send('POST', coins, order, key)
    expect((await boss.send('POST', coins, order, key)).body).toBe(given.body)
    const [batch, ...others] = await batches()
    expect(others).toEqual([])
    expect(batch).toMatchObject({ recipients: 'everyone', description: 'Anniversary' })
    const rows = await rowsOf(batch!.id)
    expect(rows.map(({ row }) => row)).toEqual(rows.map((_, index) => index + 1))
    expect(rows).toHaveLength(given.json().processedCount)
    expect(rows).toContainEqual({ ...rowOf(0, ana, 7, 107), row: expect.any(Number) })
    const undone = await reverse(batch!.id, key)
    expect((await reverse(batch!.id, key)).body).toBe(undone.body)
    expect(undone.json()).toMatchObject({ shortfall: 0, spentCount: 0, spent: [] })
    expect(await balances()).toEqual(before)
    const [reversal] = await batches()
    expect(reversal).toMatchObject({ recipients: 'everyone', reverses: batch!.id })
    const told = `SELECT DISTINCT description FROM red_coin_transactions WHERE type = 'admin_removal'`
    expect(await t.column(told)).toEqual(['Admin distribution taken back'])
    await t.expectTrueBooks()
  })
})

describe('the list of batches', () => {
  it('has no grant to one user by id, no removal and no refusal, and can be narrowed', async () => {
    await boss.send('POST', coins, { userId: ana.id, amount: 5, description: 'x' })
    await boss.send('POST', coins, { userId: ana.id, amount: -5, description: 'x' })
    await boss.send('POST', packs, { packTypeId: gold, usernames: ['nobody'], quantity: 1 })
    expect(await batches()).toEqual([])
    const usernames = ['ana', 'ben']
    await boss.send('POST', coins, { usernames, amount: 1, description: 'x' })
    await boss.send('POST', packs, { packTypeId: gold, usernames, quantity: 1 })
    const ofPacks = { description: null, packType: { id: gold, name: 'Gold' } }
    expect(await batches()).toContainEqual(expect.objectContaining(ofPacks))
    t.clock.advance(1)
    await boss.send('POST', coins, { allUsers: true, amount: 1, description: 'x' })
    for (const [query, shown] of [
      ['', ['redcoin everyone', 'packs named', 'redcoin named']],
      ['?kind=redcoin', ['redcoin everyone', 'redcoin named']],
      ['?recipients=named', ['packs named', 'redcoin named']],
      ['?kind=packs&recipients=everyone', []],
      ['?kind=other&recipients=other&limit=1', ['redcoin everyone']],
    ] as const) {
      const answer = await boss.read(`${path}${query}`)
      const found = answer.batches.map((one: Batch) => `${one.kind} ${one.recipients}`)
      expect([query, found.toSorted()]).toEqual([query, shown.toSorted()])
      if (!query.includes('limit')) expect([query, answer.total]).toEqual([query, shown.length])
    }
  })
})

function rowOf(row: number, { id, name }: Person, applied: number, after: number): BatchRow {
  const ok = { verdict: 'ok', reason: null, amount: applied, applied, after } as const
  return { row, username: name, userId: id, displayName: name, ...ok }
}

describe('a file whose name belongs to somebody else since it was checked', () => {
  it('is refused with the users of the first look, and applied with those of a second', async () => {
    const send = (url: string, fields: Record<string, string>) => {
      const { payload, headers } = csvForm('username,amount\nben,5', { fields })
      return boss.send('POST', url, payload, headers)
    }
    const look = async () => (await send(`${path}/preview`, { kind: 'redcoin' })).json().usersHash
    const apply = (usersHash: string) => send('/api/admin/bulk-distribute-redcoin', { usersHash })
    const usersHash = await look()
    await t.rows(`UPDATE users SET username = CASE username WHEN 'ben' THEN 'old_ben' ELSE 'ben' END
      WHERE username IN ('ana', 'ben')`)
    expect(await coded(apply(usersHash))).toBe('409 changed_meanwhile')
    expect(await batches()).toEqual([])
    expect((await apply(await look())).json()).toMatchObject({ processedCount: 1 })
    expect((await ana.read('/api/auth/me')).redCoinBalance).toBe(105)
  })
})
