// Draws against people who try to bend them: the operator with a dump, the player with two tabs,
// the script that learns from refusals. Every attack stood against the first scheme and succeeded.

import { createHash, createHmac } from 'node:crypto'
import { OpeningProof, SeedsResponse } from '@redpack/contract'
import { describe, expect, it } from 'vitest'
import { type Person, useTestDeps } from '../../../test/deps.ts'
import { openingProcess } from '../../../test/opening.ts'
import type { Deps } from '../../adapters/deps.ts'
import { brokenInvariants, runInvariants } from '../books/invariants.ts'
import { logCatchUp } from '../fairness/catch-up-log.ts'
import { Opening } from './open-packs.ts'

const t = useTestDeps({ SEED_DEMO: 'off' })
const always = { winFrequency: 1, totalPacks: 1 }
const half = { winFrequency: 1, totalPacks: 2 }

const seedsOf = async (person: Person) =>
  SeedsResponse.parse((await person.get('/api/fairness')).json())
const open = (person: Person, body: object, headers = {}) =>
  person.send('POST', '/api/packs/open', body, headers)
const oddsHashOf = async (person: Person, packTypeId: number): Promise<string> =>
  (await person.get(`/api/packs/types/${packTypeId}/odds`)).json().tableHash
const proofs = async (person: Person) => {
  const { openings } = (await person.get('/api/fairness/openings?limit=100')).json()
  const answers = openings.map(({ id }: { id: number }) =>
    person.get(`/api/fairness/openings/${id}/proof`),
  )
  return (await Promise.all(answers)).map((answer) => OpeningProof.parse(answer.json()))
}
const expectTrueBooks = async () =>
  expect(brokenInvariants(await runInvariants(t.db, t.seeds))).toEqual([])

/** The roll of scheme 2 from the page that defines it, with none of the product's code. */
function rollOf(serverSeed: string, clientSeed: string, nonce: number, table: string): number {
  const message = `${clientSeed}:${nonce}:${table}`
  const digest = createHmac('sha256', Buffer.from(serverSeed, 'hex')).update(message).digest('hex')
  return Number.parseInt(digest.slice(0, 13), 16)
}

/** A server seed whose first roll under the client seed and the table falls as asked. */
function seedThatRolls(isWanted: (roll: number) => boolean, clientSeed: string, table: string) {
  for (let number = 1; ; number += 1) {
    const seed = createHash('sha256').update(`seed ${number}`).digest()
    if (isWanted(rollOf(seed.toString('hex'), clientSeed, 0, table))) return seed
  }
}

/** Everything an operator's dump holds of the seeds that are not revealed. */
const dumpOfSeeds = () =>
  t.rows<{ dump: string }>(
    `SELECT row_to_json(s)::text AS dump FROM seed_pairs s WHERE status <> 'revealed'`,
  )

describe('the roll', () => {
  it('is bound to the odds table, so that none can be carried to another pack', async () => {
    const gold = await t.packType('Gold')
    const iron = await t.packType('Iron')
    for (const packTypeId of [gold, iron]) {
      await t.prize('Half', { packTypeIds: [packTypeId], ...half, redCoinAmount: 3 })
    }
    const ana = await t.person('ana', { packs: { [gold]: 30, [iron]: 30 } })
    const serverSeed = '4c'.repeat(32)
    t.dice.load([Buffer.from(serverSeed, 'hex')])
    await ana.send('PUT', '/api/fairness/client-seed', { clientSeed: 'mine' })
    const tables = { [gold]: await oddsHashOf(ana, gold), [iron]: await oddsHashOf(ana, iron) }
    expect(tables[gold]).not.toBe(tables[iron])
    for (const packTypeId of [gold, iron, gold]) await open(ana, { packTypeId, quantity: 8 })
    const drawn = (await proofs(ana)).toReversed()
    expect(drawn).toHaveLength(24)
    const expected = drawn.map(({ opening }) => {
      const roll = rollOf(serverSeed, 'mine', opening.nonce, tables[opening.packTypeId]!)
      return roll < 2 ** 51 ? opening.prizeId : null
    })
    expect(drawn.map(({ opening }) => opening.prizeId)).toEqual(expected)
    expect(drawn.every(({ opening }) => opening.scheme === 2)).toBe(true)
    const isSameRoll = (nonce: number) =>
      rollOf(serverSeed, 'mine', nonce, tables[gold]!) ===
      rollOf(serverSeed, 'mine', nonce, tables[iron]!)
    expect(drawn.some(({ opening }) => isSameRoll(opening.nonce))).toBe(false)
    await expectTrueBooks()
  })

  it('comes from a table that says all that is paid, named by the hash of its exact text', async () => {
    const gold = await t.packType('Gold')
    const gift = await t.packType('Gift')
    const name = 'A "quoted" \\ name\twith \u2028 and 💎'
    const prize = await t.prize(name, {
      packTypeIds: [gold],
      ...half,
      stock: 4,
      rewardPackTypeId: gift,
      rewardPackQuantity: 2,
    })
    const ana = await t.person('ana', { packs: { [gold]: 1 } })
    const text =
      `{"packTypeId":${gold},"consolationRedCoin":5,"entries":[{"prizeId":${prize},` +
      `"name":${JSON.stringify(name)},"winFrequency":1,"totalPacks":2,"redCoinAmount":0,` +
      `"rewardPackTypeId":${gift},"rewardPackQuantity":2,"limited":true}]}`
    const hash = createHash('sha256').update(text, 'utf8').digest('hex')
    const odds = (await ana.get(`/api/packs/types/${gold}/odds`)).json()
    expect(odds.tableHash).toBe(hash)
    expect(odds.entries[0]).toMatchObject({
      rewardPackTypeId: gift,
      rewardPackQuantity: 2,
      limited: true,
      soldOut: false,
    })
    await open(ana, { packTypeId: gold, quantity: 1 })
    expect((await ana.get(`/api/fairness/tables/${hash}`)).body).toBe(text)
    const [proof] = await proofs(ana)
    expect(JSON.stringify(proof!.table)).toBe(text)
  })
})

describe('the seeds of draws to come', () => {
  it('cannot be read from a dump, before and after openings and rotations', async () => {
    const gold = await t.packType('Gold')
    const ana = await t.person('ana', { packs: { [gold]: 9 } })
    const seeds = [1, 2, 3].map((byte) => Buffer.alloc(32, byte))
    t.dice.load(seeds)
    await open(ana, { packTypeId: gold, quantity: 2 })
    const expectSealed = async () => {
      const rows = await dumpOfSeeds()
      expect(rows).toHaveLength(2)
      for (const { dump } of rows) {
        for (const seed of seeds) {
          expect(dump).not.toContain(seed.toString('hex'))
          expect(dump).not.toContain(seed.toString('base64').slice(0, 40))
        }
      }
    }
    await expectSealed()
    await ana.send('POST', '/api/fairness/rotate', { clientSeed: 'again' })
    await open(ana, { packTypeId: gold, quantity: 2 })
    await expectSealed()
    expect(
      await t.rows(
        `SELECT server_seed, sealed_server_seed FROM seed_pairs WHERE status = 'revealed'`,
      ),
    ).toEqual([{ server_seed: '01'.repeat(32), sealed_server_seed: null }])
  })

  it('cannot be moved to another pair: nothing is drawn then, and the books say so', async () => {
    const gold = await t.packType('Gold')
    const ana = await t.person('ana', { packs: { [gold]: 9 } })
    const ben = await t.person('ben', { packs: { [gold]: 9 } })
    for (const person of [ana, ben]) await open(person, { packTypeId: gold, quantity: 1 })
    await t.rows(
      `UPDATE seed_pairs SET sealed_server_seed = (SELECT sealed_server_seed FROM seed_pairs
         WHERE user_id = $1 AND status = 'active') WHERE user_id = $2 AND status = 'active'`,
      [ben.id, ana.id],
    )
    const answer = await open(ana, { packTypeId: gold, quantity: 1 })
    expect([answer.statusCode, answer.json().code]).toEqual([503, 'service_unavailable'])
    expect((await ana.send('POST', '/api/fairness/rotate', {})).statusCode).toBe(503)
    expect((await open(ben, { packTypeId: gold, quantity: 1 })).statusCode).toBe(200)
    expect(brokenInvariants(await runInvariants(t.db, t.seeds))).toEqual(['I25', 'I26'])
  })

  it('decide nothing before their commitment stands in the public log', async () => {
    const gold = await t.packType('Gold')
    const ana = await t.person('ana', { packs: { [gold]: 9 } })
    const process = new Opening(t.deps, async () => undefined)
    const order = { packTypeId: gold, quantity: 1, idempotencyKey: undefined }
    await expect(process.open(ana.id, order)).rejects.toMatchObject({
      name: 'Unavailable',
    })
    expect(await t.rows('SELECT id FROM pack_openings')).toEqual([])
    await openingProcess(t.deps).open(ana.id, order)
    const [pair] = await t.rows<{ at: number; hash: string }>(
      `SELECT commitment_index AS at, server_seed_hash AS hash FROM seed_pairs
       WHERE status = 'active'`,
    )
    const [entry] = await t.rows<{ body: string }>(
      'SELECT body FROM log_entries WHERE index = $1',
      [pair!.at],
    )
    expect(JSON.parse(entry!.body)).toMatchObject({
      type: 'commitment',
      serverSeedHash: pair!.hash,
    })
  })
})

describe('the client seed', () => {
  it('says who chose it: the player, or the server for who never did', async () => {
    const ana = await t.person('ana')
    expect((await seedsOf(ana)).active.clientSeedFrom).toBe('server')
    await ana.send('PUT', '/api/fairness/client-seed', { clientSeed: 'mine' })
    expect((await seedsOf(ana)).active).toMatchObject({ clientSeedFrom: 'player', scheme: 2 })
    await ana.send('POST', '/api/fairness/rotate', { clientSeed: 'mine too' })
    expect((await seedsOf(ana)).active.clientSeedFrom).toBe('player')
    await ana.send('POST', '/api/fairness/rotate', {})
    expect((await seedsOf(ana)).active.clientSeedFrom).toBe('server')
  })

  it('that changes between the draw and its writing makes the draw start over', async () => {
    const gold = await t.packType('Gold')
    await t.prize('Half', { packTypeIds: [gold], ...half, redCoinAmount: 3 })
    const ana = await t.person('ana', { packs: { [gold]: 40 } })
    await seedsOf(ana)
    let commits = 0
    const run: Deps['db']['run'] = async (statement, values) => {
      if (statement.name.startsWith('commit_openings')) {
        commits += 1
        if (commits === 1) {
          await ana.send('PUT', '/api/fairness/client-seed', { clientSeed: 'changed meanwhile' })
        }
      }
      return t.db.run(statement, values)
    }
    const deps = { ...t.deps, db: { ...t.db, run } }
    const order = { packTypeId: gold, quantity: 40, idempotencyKey: undefined }
    await new Opening(deps, logCatchUp(t.deps)).open(ana.id, order)
    expect(commits).toBe(2)
    expect((await proofs(ana)).map(({ opening }) => opening.clientSeed)).toEqual(
      Array.from({ length: 40 }, () => 'changed meanwhile'),
    )
    await expectTrueBooks()
  })
})

describe('odds that were seen', () => {
  it('are the odds that are drawn: with others by then nothing is spent', async () => {
    const gold = await t.packType('Gold')
    const prize = await t.prize('Hoodie', { packTypeIds: [gold], ...half })
    const ana = await t.person('ana', { packs: { [gold]: 9 } })
    const [holding] = (await ana.get('/api/user/packs')).json()
    const [type] = (await ana.get('/api/packs/types')).json()
    const seen = await oddsHashOf(ana, gold)
    expect([holding.oddsHash, type.oddsHash]).toEqual([seen, seen])
    const order = { packTypeId: gold, quantity: 2, oddsHash: seen }
    expect((await open(ana, order)).statusCode).toBe(200)
    await t.rows('UPDATE prizes SET win_frequency = 1, total_packs = 1000 WHERE id = $1', [prize])
    const key = { 'idempotency-key': 'one' }
    const refused = await open(ana, order, key)
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'odds_changed'])
    expect(await t.rows('SELECT quantity FROM user_packs')).toEqual([{ quantity: 7 }])
    const now = (await ana.get('/api/user/packs')).json()[0].oddsHash
    expect(now).toBe(await oddsHashOf(ana, gold))
    const opened = await open(ana, { ...order, oddsHash: now }, key)
    expect(opened.statusCode).toBe(200)
    // A repeated call gets its answer whatever the odds are by now.
    await t.rows('UPDATE prizes SET total_packs = 10')
    const again = await open(ana, { ...order, oddsHash: now }, key)
    expect([again.body, again.headers['idempotency-replayed']]).toEqual([opened.body, 'true'])
    expect((await open(ana, { packTypeId: gold, quantity: 1 })).statusCode).toBe(200)
    await expectTrueBooks()
  })

  it('change with everything that is paid, the consolation included, and not with stock', async () => {
    const gold = await t.packType('Gold')
    const prize = await t.prize('Coins', {
      packTypeIds: [gold],
      ...half,
      redCoinAmount: 5,
      stock: 9,
    })
    const ana = await t.person('ana', { packs: { [gold]: 9 } })
    const boss = await t.person('boss', { role: 'admin' })
    const seen = new Set([await oddsHashOf(ana, gold)])
    const changes = [
      `UPDATE prizes SET red_coin_amount = 6 WHERE id = ${prize}`,
      `UPDATE prizes SET pack_type_id = ${gold}, pack_quantity = 1 WHERE id = ${prize}`,
      `UPDATE prizes SET inventory_quantity = NULL WHERE id = ${prize}`,
      `UPDATE prizes SET name = 'More coins' WHERE id = ${prize}`,
    ]
    for (const sql of changes) {
      await t.db.script(sql)
      seen.add((await ana.get('/api/user/packs')).json()[0].oddsHash)
    }
    await boss.send('PUT', '/api/admin/settings/economy', { consolationRedCoin: 0 })
    seen.add((await ana.get('/api/user/packs')).json()[0].oddsHash)
    expect(seen.size).toBe(6)
    await t.rows('UPDATE prizes SET inventory_quantity = 7')
    const limited = await oddsHashOf(ana, gold)
    await t.rows('UPDATE prizes SET inventory_quantity = 3')
    expect(await oddsHashOf(ana, gold)).toBe(limited)
  })

  it('refuse a hash that is none', async () => {
    const gold = await t.packType('Gold')
    const ana = await t.person('ana', { packs: { [gold]: 9 } })
    for (const oddsHash of ['', 'x', 'A'.repeat(64), 5, null, ['0'.repeat(64)]]) {
      const answer = await open(ana, { packTypeId: gold, quantity: 1, oddsHash })
      expect([oddsHash, answer.statusCode]).toEqual([oddsHash, 400])
    }
  })
})

describe('a refusal for want of room', () => {
  const rollings = {
    wins: (roll: number) => roll < 2 ** 51,
    loses: (roll: number) => roll >= 2 ** 51,
  }

  for (const [name, isWanted] of Object.entries(rollings)) {
    it(`is the same for a roll that ${name}, of RedCoin and of packs`, async () => {
      const gold = await t.packType('Gold')
      const full = await t.packType('Full')
      await t.prize('Coins', { packTypeIds: [gold], ...half, redCoinAmount: 100 })
      const ana = await t.person('ana', {
        coins: Number.MAX_SAFE_INTEGER - 99,
        packs: { [gold]: 5, [full]: 2_147_483_647 },
      })
      const table = await oddsHashOf(ana, gold)
      t.dice.load([seedThatRolls(isWanted, 'mine', table)])
      await ana.send('PUT', '/api/fairness/client-seed', { clientSeed: 'mine' })
      const refused = await open(ana, { packTypeId: gold, quantity: 1 })
      expect([refused.statusCode, refused.json().message]).toEqual([
        400,
        'Your RedCoin balance has no room for what could be won',
      ])
      await t.db.script(
        `UPDATE prizes SET red_coin_amount = 0, pack_type_id = ${full}, pack_quantity = 1`,
      )
      const packs = await open(ana, { packTypeId: gold, quantity: 1 })
      expect([packs.statusCode, packs.json().message]).toEqual([
        400,
        'You hold too many packs for what could be won',
      ])
      expect((await seedsOf(ana)).active.nonce).toBe(0)
    })
  }

  it('allows what has room for the best case to the last coin', async () => {
    const gold = await t.packType('Gold')
    await t.prize('Coins', { packTypeIds: [gold], ...always, redCoinAmount: 100 })
    const ana = await t.person('ana', {
      coins: Number.MAX_SAFE_INTEGER - 200,
      packs: { [gold]: 5 },
    })
    const answer = await open(ana, { packTypeId: gold, quantity: 2 })
    expect(answer.json().updatedBalance).toBe(Number.MAX_SAFE_INTEGER)
  })
})

describe('a sold-out draw', () => {
  it('names its prize and the stock under the lock; an unlimited prize has neither', async () => {
    const gold = await t.packType('Gold')
    const mug = await t.prize('Mug', { packTypeIds: [gold], ...half, stock: 3 })
    const pin = await t.prize('Pin', { packTypeIds: [gold], ...half })
    const ana = await t.person('ana', { packs: { [gold]: 40 } })
    t.dice.load([Buffer.alloc(32, 9)])
    for (const quantity of [1, 30]) await open(ana, { packTypeId: gold, quantity })
    const rows = await t.rows<{ prize_id: number; sold_out_prize_id: number; stock_after: number }>(
      'SELECT prize_id, sold_out_prize_id, stock_after FROM pack_openings ORDER BY id',
    )
    const mugs = rows.filter((row) => row.prize_id === mug || row.sold_out_prize_id === mug)
    expect(mugs.slice(0, 3).map(({ stock_after }) => stock_after)).toEqual([2, 1, 0])
    expect(mugs.length).toBeGreaterThan(5)
    for (const row of mugs.slice(3)) {
      expect(row).toEqual({ prize_id: null, sold_out_prize_id: mug, stock_after: 0 })
    }
    const pins = rows.filter(({ prize_id }) => prize_id === pin)
    expect(pins.length).toBeGreaterThan(5)
    expect(pins.every(({ stock_after }) => stock_after === null)).toBe(true)
    const shown = (await proofs(ana)).map(({ opening }) => opening)
    expect(shown.filter(({ soldOut }) => soldOut).every((o) => o.soldOutPrizeId === mug)).toBe(true)
    await expectTrueBooks()
  })
})

describe('a prize that becomes limited', () => {
  it('after its stock was read is not won without taking a unit', async () => {
    const gold = await t.packType('Gold')
    const mug = await t.prize('Mug', { packTypeIds: [gold], ...always })
    const ana = await t.person('ana', { packs: { [gold]: 3 } })
    let reads = 0
    const run: Deps['db']['run'] = async (statement, values) => {
      const rows = await t.db.run(statement, values)
      if (statement.name === 'read_opening_states') reads += 1
      // The attempt that has seeds goes on with what it has read of an unlimited prize.
      if (statement.name === 'read_opening_states' && reads === 2) {
        await t.db.script(`UPDATE prizes SET inventory_quantity = 2;
          INSERT INTO stock_events (kind, ref_id, delta, quantity_after, source_type, source_id)
            VALUES ('prize', ${mug}, 2, 2, 'staff_change', 'limit')`)
      }
      return rows as never
    }
    const deps = { ...t.deps, db: { ...t.db, run } }
    const order = { packTypeId: gold, quantity: 3, idempotencyKey: undefined }
    await new Opening(deps, logCatchUp(t.deps)).open(ana.id, order)
    expect(await t.rows('SELECT inventory_quantity AS stock FROM prizes')).toEqual([{ stock: 0 }])
    expect(
      await t.rows(
        'SELECT prize_id, sold_out_prize_id, stock_after FROM pack_openings ORDER BY id',
      ),
    ).toEqual([
      { prize_id: mug, sold_out_prize_id: null, stock_after: 1 },
      { prize_id: mug, sold_out_prize_id: null, stock_after: 0 },
      { prize_id: null, sold_out_prize_id: mug, stock_after: 0 },
    ])
    await expectTrueBooks()
  })
})

describe('a pair of the first scheme', () => {
  it('is revealed at the next opening, stays verifiable, and hands over to its successor', async () => {
    const gold = await t.packType('Gold')
    const ana = await t.person('ana', { packs: { [gold]: 5 } })
    const [first, second] = ['a1', 'b2'].map((byte) => byte.repeat(32))
    const hashOf = (seed: string) =>
      createHash('sha256').update(Buffer.from(seed, 'hex')).digest('hex')
    // As the first build left it: in plain text, with draws behind it.
    await t.rows(
      `INSERT INTO seed_pairs (user_id, server_seed, server_seed_hash, client_seed, nonce, status)
       VALUES ($1, $2, $3, 'old', 4, 'active'), ($1, $4, $5, NULL, 0, 'next')`,
      [ana.id, first, hashOf(first!), second, hashOf(second!)],
    )
    await t.rows(`UPDATE seed_pairs SET scheme = 2 WHERE status = 'next'`)
    expect((await seedsOf(ana)).active).toMatchObject({ scheme: 1, nonce: 4, clientSeedFrom: null })
    const late = await ana.send('PUT', '/api/fairness/client-seed', { clientSeed: 'late' })
    expect(late.statusCode).toBe(409)
    expect((await open(ana, { packTypeId: gold, quantity: 2 })).statusCode).toBe(200)
    const { active } = await seedsOf(ana)
    expect(active).toMatchObject({ scheme: 2, nonce: 2, serverSeedHash: hashOf(second!) })
    expect(
      await t.rows(`SELECT server_seed, scheme FROM seed_pairs WHERE status = 'revealed'`),
    ).toEqual([{ server_seed: first, scheme: 1 }])
  })
})

describe('a price that was seen', () => {
  it('is the price that is paid: with another by then nothing is bought', async () => {
    const gold = await t.packType('Gold')
    const ana = await t.person('ana', { coins: 100 })
    const [listing] = await t.rows<{ id: number }>(
      `INSERT INTO store_pack_listings (pack_type_id, red_coin_price, is_unlimited)
       VALUES ($1, 10, true) RETURNING id`,
      [gold],
    )
    const buy = (expectedPrice: unknown, key: string) =>
      ana.send(
        'POST',
        '/api/store/purchase',
        { storePackListingId: listing!.id, quantity: 2, expectedPrice },
        { 'idempotency-key': key },
      )
    await t.rows('UPDATE store_pack_listings SET red_coin_price = 11')
    const refused = await buy(10, 'one')
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'price_changed'])
    expect(refused.json().message).toBe('The price is 11 RedCoin now. Nothing was bought.')
    expect(await t.rows('SELECT id FROM store_purchases')).toEqual([])
    expect((await buy(11, 'one')).json().updatedBalance).toBe(78)
    expect((await buy(undefined, 'two')).json().updatedBalance).toBe(56)
    for (const price of [0, -1, 1.5, 'x', null]) {
      expect((await buy(price, 'three')).statusCode).toBe(400)
    }
  })
})
