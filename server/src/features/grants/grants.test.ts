// Giving and taking packs and RedCoin over HTTP: whom it reaches, what is refused and written down.

import {
  DistributePacksResponse,
  DistributeRedCoinResponse,
  RemoveAllResponse,
} from '@redpack/contract'
import { afterEach, describe, expect, it } from 'vitest'
import { type Person, useTestDeps } from '../../../test/deps.ts'

const t = useTestDeps({ SEED_DEMO: 'off' })
const givePacks = '/api/admin/distribute-packs'
const giveCoins = '/api/admin/distribute-redcoin'
const takePacks = '/api/admin/remove-user-packs'
const takeCoins = '/api/admin/remove-user-redcoin'

async function scene() {
  const gold = await t.packType('Gold')
  const iron = await t.packType('Iron')
  return {
    gold,
    iron,
    boss: await t.person('boss', { role: 'admin' }),
    ana: await t.person('ana', { coins: 100, packs: { [gold]: 5 } }),
    ben: await t.person('ben'),
  }
}

const balanceOf = async (person: Person) => (await person.read('/api/auth/me')).redCoinBalance
const packsOf = async (person: Person) =>
  (await person.read('/api/user/packs')).map(({ packTypeId, quantity }: Record<string, number>) => [
    packTypeId,
    quantity,
  ])
const lastAudit = async () =>
  (
    await t.rows(
      `SELECT actor_id, action, target_type, target_id, before, after, reason, batch_id, request_id
       FROM audit_log ORDER BY id DESC LIMIT 1`,
    )
  )[0]

afterEach(() => t.expectTrueBooks())

describe('POST /api/admin/distribute-redcoin', () => {
  it('gives RedCoin to a user, who has it with the next request', async () => {
    const { boss, ana } = await scene()
    expect(await balanceOf(ana)).toBe(100)
    const order = { userId: ana.id, amount: 1_250, description: 'Quiz night' }
    const answer = await boss.send('POST', giveCoins, order)
    expect(DistributeRedCoinResponse.parse(answer.json())).toEqual({
      success: true,
      message: 'Distributed 1,250 RedCoin to ana',
      processedCount: 1,
      username: 'ana',
      newBalance: 1_350,
      removedAmount: 0,
      errors: [],
    })
    expect(await balanceOf(ana)).toBe(1_350)
    expect(
      await t.rows(
        `SELECT amount, type, description, balance_after FROM red_coin_transactions
         WHERE source_type = 'grant'`,
      ),
    ).toEqual([
      { amount: 1_250, type: 'admin_grant', description: 'Quiz night', balance_after: 1_350 },
    ])
  })

  it('reaches named users, from a list or a text, reports the others, and describes itself', async () => {
    const { boss, ana, ben } = await scene()
    const list = await boss.send('POST', giveCoins, {
      usernames: ['ana', ' ben ', 'ana', 'zoe'],
      amount: 5,
    })
    expect(DistributeRedCoinResponse.parse(list.json())).toEqual({
      success: true,
      message: 'Distributed 5 RedCoin to 2 users',
      processedCount: 2,
      username: null,
      newBalance: null,
      removedAmount: 0,
      errors: [{ username: 'zoe', reason: 'Unknown user' }],
    })
    const text = await boss.send('POST', giveCoins, {
      ...{ usernames: 'ana, zoe\r\nben\n', amount: 1 },
      description: ' \n',
    })
    expect(text.json()).toMatchObject({ processedCount: 2, errors: [{ username: 'zoe' }] })
    const single = await boss.send('POST', giveCoins, {
      ...{ username: 'ben', amount: 2 },
      description: null,
    })
    expect(single.json()).toMatchObject({ processedCount: 1, username: 'ben', newBalance: 8 })
    expect([await balanceOf(ana), await balanceOf(ben)]).toEqual([106, 8])
    const reasons = `SELECT DISTINCT description FROM red_coin_transactions
      WHERE source_type = 'grant'`
    expect(await t.column(reasons)).toEqual(['Admin distribution'])
  })

  it('matches names exactly and refuses a name that several users carry', async () => {
    const { boss } = await scene()
    await t.rows(
      `INSERT INTO users (twitch_id, username, display_name) VALUES ('1', 'twin', 'A'), ('2', 'twin', 'B')`,
    )
    const answer = await boss.send('POST', giveCoins, { usernames: ['twin', 'Ana'], amount: 5 })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({
      message: 'None of the usernames is known',
      errors: [
        { path: 'usernames', message: 'twin: Several users' },
        { path: 'usernames', message: 'Ana: Unknown user' },
      ],
    })
  })
})

describe('POST /api/admin/distribute-packs', () => {
  it('gives packs to a user, who can open them with the next request', async () => {
    const { boss, ben, gold } = await scene()
    expect(await packsOf(ben)).toEqual([])
    const order = { userId: ben.id, packTypeId: gold, quantity: 3 }
    const answer = await boss.send('POST', givePacks, order)
    expect(DistributePacksResponse.parse(answer.json())).toEqual({
      success: true,
      message: 'Distributed 3 × Gold to ben',
      processedCount: 1,
      username: 'ben',
      newQuantity: 3,
      removedQuantity: 0,
      errors: [],
    })
    expect(await packsOf(ben)).toEqual([[gold, 3]])
    expect((await ben.open(gold, 3)).statusCode).toBe(200)
  })
})

describe('what both refuse', () => {
  it('is told with the sentence of the rule, and changes nothing', async () => {
    const { boss, ana, gold, iron } = await scene()
    await t.rows('UPDATE pack_types SET archived_at = now() WHERE id = $1', [iron])
    const noNames = 'Usernames are required'
    const noType = 'Please select a pack type'
    const fewCoins = 'Amount must be at least 1'
    const manyCoins = 'Amount is too large'
    const fewPacks = 'Quantity must be at least 1'
    const manyPacks = 'Quantity is too large'
    const nobody = { userId: 2_000_000_000 }
    const one = { userId: ana.id, packTypeId: gold }
    const ofNoType = { ...one, packTypeId: 2_000_000_000, quantity: 1 }
    const ofNobody = { ...one, ...nobody, quantity: 1 }
    const domainErrors: [string, unknown, number, string][] = [
      [giveCoins, { amount: 0 }, 400, noNames],
      [giveCoins, { usernames: ' ,\n', amount: 5 }, 400, noNames],
      [giveCoins, { allUsers: false, amount: 5 }, 400, noNames],
      [giveCoins, { userId: ana.id, amount: 0 }, 400, fewCoins],
      [giveCoins, { usernames: 'ana', amount: -5 }, 400, fewCoins],
      [giveCoins, { allUsers: true, amount: -5 }, 400, fewCoins],
      [giveCoins, { userId: ana.id, amount: 1.5 }, 400, fewCoins],
      [giveCoins, { userId: ana.id, amount: 2 ** 53 }, 400, manyCoins],
      [giveCoins, { userId: ana.id, amount: 2 ** 53 - 1 }, 400, manyCoins],
      [giveCoins, { ...nobody, amount: 5 }, 404, 'User not found'],
      [giveCoins, { usernames: 'zoe', amount: 5 }, 400, 'None of the usernames is known'],
      [givePacks, {}, 400, noType],
      [givePacks, { userId: ana.id, packTypeId: 0, quantity: 1 }, 400, noType],
      [givePacks, { packTypeId: gold, usernames: ' , ', quantity: 0 }, 400, noNames],
      [givePacks, { ...one, quantity: 0 }, 400, fewPacks],
      [givePacks, { usernames: 'ana', packTypeId: gold, quantity: -1 }, 400, fewPacks],
      [givePacks, { userId: null, username: 'ana', packTypeId: gold, quantity: -1 }, 400, fewPacks],
      [givePacks, { ...one, quantity: 2 ** 31 }, 400, manyPacks],
      [givePacks, { ...one, quantity: 2 ** 31 - 1 }, 400, manyPacks],
      [givePacks, ofNoType, 404, 'Pack type not found'],
      [givePacks, { ...one, packTypeId: iron, quantity: 1 }, 404, 'Pack type not found'],
      [givePacks, ofNobody, 404, 'User not found'],
      [takePacks, { ...one, quantity: 0 }, 400, fewPacks],
      [takePacks, ofNobody, 404, 'User not found'],
      [takePacks, ofNoType, 404, 'Pack type not found'],
      [takeCoins, { userId: ana.id, amount: 0 }, 400, fewCoins],
      [takeCoins, { amount: 1 }, 400, 'Please select a user'],
      [takeCoins, { ...nobody, amount: 1 }, 404, 'User not found'],
    ]
    const got = []
    for (const [url, body] of domainErrors) {
      const answer = await boss.send('POST', url, body)
      got.push([url, body, answer.statusCode, answer.json().message])
    }
    expect(got).toEqual(domainErrors)
    expect([await balanceOf(ana), await packsOf(ana)]).toEqual([100, [[gold, 5]]])
    expect(await t.rows('SELECT id FROM audit_log')).toEqual([])
  })
})

describe('taking from one user', () => {
  const coins = {
    ...{ what: 'RedCoin', field: 'amount', has: 100 },
    ...{ removed: 'removedAmount', left: 'newBalance' },
    history: `SELECT amount, balance_after AS after, type FROM red_coin_transactions
      WHERE source_type = 'grant' ORDER BY id`,
  }
  const packs = {
    ...{ what: '× Gold', field: 'quantity', has: 5 },
    ...{ removed: 'removedQuantity', left: 'newQuantity' },
    history: `SELECT delta AS amount, quantity_after AS after, type FROM pack_transactions
      WHERE source_type = 'grant' ORDER BY id`,
  }
  it.each([
    { ...coins, how: 'by a negative amount', url: giveCoins, sign: -1 },
    { ...coins, how: 'by the call for RedCoin', url: takeCoins, sign: 1 },
    { ...packs, how: 'by a negative quantity', url: givePacks, sign: -1 },
    { ...packs, how: 'by the call for packs', url: takePacks, sign: 1 },
  ])('takes at most what is there and tells the real number: $how', async (by) => {
    const { boss, ana, ben, gold } = await scene()
    const take = async (person: Person, count: number) => {
      const order = {
        userId: String(person.id),
        packTypeId: gold,
        [by.field]: `${by.sign * count}`,
      }
      return (await boss.send('POST', by.url, order)).json()
    }
    expect(await take(ana, 2)).toEqual({
      ...{ success: true, processedCount: 1, errors: [] },
      message: `Removed 2 ${by.what} from ana`,
      username: 'ana',
      ...{ [by.removed]: 2, [by.left]: by.has - 2 },
    })
    expect(await take(ana, 500)).toMatchObject({ [by.removed]: by.has - 2, [by.left]: 0 })
    expect(await take(ben, 500)).toMatchObject({ [by.removed]: 0, [by.left]: 0, username: 'ben' })
    expect(await t.rows(by.history)).toEqual([
      { amount: -2, after: by.has - 2, type: 'admin_removal' },
      { amount: 2 - by.has, after: 0, type: 'admin_removal' },
    ])
  })
})

describe('removing from everyone', () => {
  it('takes all RedCoin with one ledger row a user', async () => {
    const { boss, ana } = await scene()
    await t.person('rich', { coins: 1_000_000 })
    const answer = await boss.send('POST', '/api/admin/remove-all-redcoin')
    expect(RemoveAllResponse.parse(answer.json())).toEqual({
      success: true,
      message: 'Removed 1,000,100 RedCoin from 2 users',
      totalRemoved: 1_000_100,
      usersAffected: 2,
    })
    expect(await balanceOf(ana)).toBe(0)
    expect(
      await t.rows(
        `SELECT amount, balance_after, description FROM red_coin_transactions
         WHERE type = 'admin_removal' ORDER BY amount DESC`,
      ),
    ).toEqual(
      [-100, -1_000_000].map((amount) => {
        return { amount, balance_after: 0, description: 'Removed from all users' }
      }),
    )
    const again = await boss.send('POST', '/api/admin/remove-all-redcoin')
    expect(again.json().message).toBe('There was nothing to remove: nobody has any RedCoin')
  })
})

describe('the search for whom to give to', () => {
  it('finds display name, username and email in any case', async () => {
    const { boss, ben } = await scene()
    await t.rows(
      `UPDATE users SET display_name = 'The Brave', email = 'B@Mail.example' WHERE id = $1`,
      [ben.id],
    )
    for (const search of ['the brave', 'BEN', 'b@MAIL']) {
      const query = `search=${encodeURIComponent(search)}&sort=username&page=1&limit=5`
      const { users } = await boss.read(`/api/admin/users-with-packs?${query}`)
      expect([search, users.map(({ id }: { id: number }) => id)]).toEqual([search, [ben.id]])
    }
  })
})

describe('GET /api/admin/grants/reach', () => {
  it('counts what the acts on everyone then do', async () => {
    const { boss, ana, ben, gold, iron } = await scene()
    const packsOfKeeper = { [gold]: 2, [iron]: 30 }
    const keeper = await t.person('keeper', { role: 'super_user', coins: 5, packs: packsOfKeeper })
    await t.rows('UPDATE users SET is_protected = true WHERE id = $1', [keeper.id])
    await t.rows(`INSERT INTO users (twitch_id, username, display_name, deleted_at)
      VALUES ('gone', 'gone', 'Gone', now())`)
    const reach = await boss.read('/api/admin/grants/reach')
    expect(reach).toEqual({
      recipients: 3,
      redCoin: { total: 105, users: 2 },
      packs: { total: 37, users: 2 },
    })
    const taken = (await boss.send('POST', '/api/admin/remove-all-redcoin')).json()
    expect([taken.totalRemoved, taken.usersAffected]).toEqual([105, 2])
    const packs = (await boss.send('POST', '/api/admin/remove-all-packs')).json()
    expect(packs).toMatchObject({
      message: 'Removed 37 packs from 2 users',
      ...{ totalRemoved: 37, usersAffected: 2 },
    })
    expect(await t.rows('SELECT id FROM user_packs WHERE quantity <> 0')).toEqual([])
    const given = await boss.send('POST', giveCoins, { allUsers: true, amount: 7 })
    expect(given.json()).toMatchObject({
      message: 'Distributed 7 RedCoin to 3 users',
      ...{ processedCount: reach.recipients, username: null, newBalance: null },
    })
    const order = { allUsers: 'true', packTypeId: gold, quantity: 2 }
    const packed = await boss.send('POST', givePacks, order)
    expect(packed.json()).toMatchObject({ processedCount: reach.recipients, newQuantity: null })
    // The protected account loses what it has, and is given nothing.
    for (const [person, coins, quantity] of [
      [ana, 7, 2],
      [ben, 7, 2],
      [keeper, 0, 0],
    ] as const) {
      expect([await balanceOf(person), (await packsOf(person))[0]]).toEqual([
        coins,
        [gold, quantity],
      ])
    }
  })
})

it('a grant to a great many is told as one change of everybody, who has it at once', async () => {
  const { boss, ana } = await scene()
  await t.rows(
    `INSERT INTO users (twitch_id, username, display_name)
     SELECT 'many' || n, 'many' || n, 'Many ' || n FROM generate_series(1, 300) n`,
  )
  expect(await balanceOf(ana)).toBe(100)
  const heard: unknown[] = []
  const stop = t.deps.events.subscribe((event) => heard.push(event))
  const answer = await boss.send('POST', giveCoins, { allUsers: true, amount: 5 })
  stop()
  expect(answer.json().processedCount).toBeGreaterThan(300)
  expect(heard).toEqual([{ type: 'everybody_changed' }, { type: 'leaderboard_changed' }])
  expect(await balanceOf(ana)).toBe(105)
})

describe('the audit log', () => {
  it('has one row for each action, with the numbers before and after it', async () => {
    const { boss, ana, gold } = await scene()
    await boss.send('POST', giveCoins, { userId: ana.id, amount: 50, description: 'Thanks' })
    expect(await lastAudit()).toEqual({
      actor_id: boss.id,
      action: 'redcoin.distribute',
      target_type: 'user',
      target_id: String(ana.id),
      before: { total: 100 },
      after: { total: 150, packTypeId: null, amount: 50, users: 1, changed: 50 },
      reason: 'Thanks',
      batch_id: expect.any(String),
      request_id: expect.any(String),
    })
    await boss.send('POST', takePacks, { userId: ana.id, packTypeId: gold, quantity: 9 })
    expect(await lastAudit()).toMatchObject({
      action: 'packs.distribute',
      before: { total: 5 },
      after: { total: 0, packTypeId: gold, amount: -9, users: 1, changed: -5 },
    })
    await boss.send('POST', giveCoins, { allUsers: true, amount: 1 })
    expect(await lastAudit()).toMatchObject({
      target_type: 'users',
      target_id: null,
      before: { total: 150 },
      after: { total: 153, users: 3 },
    })
    const answer = await boss.send('POST', '/api/admin/remove-all-redcoin')
    const row = await lastAudit()
    expect(row).toMatchObject({
      action: 'redcoin.take_all',
      before: { total: answer.json().totalRemoved },
      after: { total: 0, totalRemoved: 153, usersAffected: 3 },
    })
    // The rows of history that belong to an action carry its batch.
    expect(
      await t.column(
        `SELECT count(*)::int AS rows FROM red_coin_transactions WHERE source_id = $1`,
        [(row as { batch_id: string }).batch_id],
      ),
    ).toEqual([3])
    expect(await t.rows('SELECT count(*)::int AS rows FROM audit_log')).toEqual([{ rows: 4 }])
  })
})
