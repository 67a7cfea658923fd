// Fairness over HTTP: chains, odds, and the proof of every draw.

import { createHash } from 'node:crypto'
import { ChainResponse, FairOpeningsResponse, OddsResponse, OpeningProof } from '@redpack/contract'
import { verifyProof } from '@redpack/fair/verify'
import { describe, expect, it } from 'vitest'
import { coded, nextDay, type Person, useTestDeps } from '../../../test/deps.ts'
import { drawSeeds } from '../../adapters/random/draw-seeds.ts'
import { endOpenChain } from './chain-tables.ts'
import { endPastChains } from './chains.ts'
import { appendLogEntries } from './public-log.ts'

const t = useTestDeps({ SEED_DEMO: 'off' })
const ofBytes = (hex: string) => createHash('sha256').update(Buffer.from(hex, 'hex')).digest('hex')

const chainOf = async (person: Person) => ChainResponse.parse(await person.read('/api/fairness'))
const month = 31 * 86_400
const open = async (person: Person, packTypeId: number, quantity: number) => {
  const answer = await person.open(packTypeId, quantity)
  expect(answer.statusCode).toBe(200)
  return answer.json().results as { prizeId: number | null; redCoinEarned: number }[]
}
const openingsOf = async (person: Person, query = '') =>
  FairOpeningsResponse.parse(await person.read(`/api/fairness/openings${query}`))
const proofOf = async (person: Person, id: number) =>
  OpeningProof.parse(await person.read(`/api/fairness/openings/${id}/proof`))

async function expectProven(proof: OpeningProof) {
  const { steps } = await verifyProof(proof, null)
  const verdicts = steps.map(({ name, verdict }) => [name, verdict])
  expect(Object.fromEntries(verdicts)).toMatchObject({
    ...{ table: 'passed', seed: 'passed', result: 'passed', pay: 'passed' },
  })
}

describe('a chain', () => {
  it('is begun by the first look, goes on with each opening, and is told to its owner alone', async () => {
    const gold = await t.packType('Gold')
    const ana = await t.person('ana', { packs: { [gold]: 5 } })
    expect((await ana.get('/api/fairness')).headers['cache-control']).toBe('no-store')
    const first = await chainOf(ana)
    expect(first.index).toBe(0)
    expect(await chainOf(ana)).toEqual(first)
    await open(ana, gold, 3)
    const [opening] = (await openingsOf(ana)).openings
    const { ended, ...told } = first
    expect(opening).toMatchObject(told)
    expect(ended).toEqual([])
    expect(ofBytes(opening!.serverSeed)).toBe(first.commitment)
    expect(await chainOf(ana)).toMatchObject({ chainId: first.chainId, index: 1, ended: [] })
    // There is nothing for a player to set or to turn.
    expect(await coded(ana.send('PUT', '/api/fairness/client-seed', {}))).toBe('404 not_found')
    expect(await coded(ana.send('POST', '/api/fairness/rotate', {}))).toBe('404 not_found')
  })

  it('serves one day: the next one reveals its unused seed, for thirty days', async () => {
    const gold = await t.packType('Gold')
    const ana = await t.person('ana', { packs: { [gold]: 5 } })
    await open(ana, gold, 1)
    const first = await chainOf(ana)
    nextDay(t.clock)
    const second = await chainOf(ana)
    expect(second.chainId).not.toBe(first.chainId)
    expect(second).toMatchObject({ index: 0, ended: [{ chainId: first.chainId, index: 1 }] })
    expect(ofBytes(second.ended[0]!.serverSeed!)).toBe(first.commitment)
    t.clock.advance(month)
    await endPastChains(t.deps)
    const bob = await t.person('bob')
    await bob.get('/api/fairness')
    const ended = await t.rows(
      'SELECT index, end_seed IS NULL AS given_up FROM draw_chains ORDER BY id',
    )
    // The second one was ended by the job and kept; nothing was drawn from it, so it goes in time.
    expect(ended.slice(0, 2)).toEqual([
      { index: 1, given_up: false },
      { index: 0, given_up: false },
    ])
    t.clock.advance(month)
    await endPastChains(t.deps)
    expect(
      await t.column('SELECT index FROM draw_chains WHERE ended_at IS NOT NULL ORDER BY id'),
    ).toEqual([1, 0])
    await t.expectTrueBooks()
  })

  it('of today is left open by what ends those of past days, and ended by a departure', async () => {
    const { random, encryption } = t.deps
    const seeds = drawSeeds(random, encryption)
    const ana = await t.person('ana')
    const none = await t.person('none')
    const chain = await chainOf(ana)
    for (const { id } of [ana, none]) {
      await endOpenChain(t.db, seeds, id, { now: t.clock.now(), which: 'past' })
    }
    expect(await chainOf(ana)).toEqual(chain)
    nextDay(t.clock)
    await endOpenChain(t.db, seeds, ana.id, { now: t.clock.now(), which: 'past' })
    const second = await chainOf(ana)
    expect(second.ended).toMatchObject([{ chainId: chain.chainId }])
    await endOpenChain(t.db, seeds, ana.id, { now: t.clock.now(), which: 'any' })
    expect((await chainOf(ana)).ended).toHaveLength(2)
  })

  it('whose key was given up ends without its seed, and the log says so', async () => {
    const gold = await t.packType('Gold')
    const ana = await t.person('ana', { packs: { [gold]: 5 } })
    await open(ana, gold, 1)
    await t.rows(
      `UPDATE draw_chains SET sealed_seed = sealed_seed || '{"keyId": "0123456789abcdef"}'`,
    )
    expect((await ana.get('/api/fairness')).statusCode).toBe(503)
    await t.rows(`INSERT INTO encryption_keys (key_id, is_lost) VALUES ('0123456789abcdef', true)`)
    const chain = await chainOf(ana)
    expect(chain.ended).toEqual([{ chainId: expect.any(Number), index: 1, serverSeed: null }])
    await open(ana, gold, 1)
    await appendLogEntries(t.deps)
    const [end] = await t.rows<{ body: string }>(
      `SELECT body FROM log_entries WHERE body LIKE '{"type":"end"%'`,
    )
    expect(JSON.parse(end!.body)).toMatchObject({ index: 1, serverSeed: null })
    await t.expectTrueBooks()
  })
})

describe('every opening', () => {
  it('is proven by its proof alone, and counted from 0 in its request and its chain', async () => {
    const gold = await t.packType('Gold')
    const coins = { packTypeIds: [gold], winFrequency: 1, totalPacks: 3, redCoinAmount: 8 }
    await t.prize('Coins', coins)
    await t.prize('Few', { packTypeIds: [gold], totalPacks: 2, stock: 3 })
    const ana = await t.person('ana', { packs: { [gold]: 60 } })
    const results = [...(await open(ana, gold, 20))]
    nextDay(t.clock)
    results.push(...(await open(ana, gold, 9)))
    await t.rows('UPDATE prizes SET win_frequency = 2')
    await t.rows('UPDATE pack_types SET odds_revision = odds_revision + 1')
    results.push(...(await open(ana, gold, 15)))
    const openings = (await openingsOf(ana, '?limit=100')).openings.toReversed()
    for (const [at, opening] of openings.entries()) {
      const proof = await proofOf(ana, opening.id)
      expect(proof).toMatchObject({ version: 1, opening })
      await expectProven(proof)
      const { prizeId, redCoinEarned } = results[at]!
      expect(opening).toMatchObject({ prizeId, redCoinEarned })
    }
    const first = openings[0]!.chainId
    const places = openings.map(({ chainId, index, position }) => [
      chainId - first,
      index,
      position,
    ])
    const packs = (chain: number, index: number, count: number) =>
      Array.from({ length: count }, (_, position) => [chain, index, position])
    expect(places).toEqual([...packs(0, 0, 20), ...packs(1, 0, 9), ...packs(1, 1, 15)])
    expect(openings.filter(({ soldOut }) => soldOut)).not.toEqual([])
    expect(new Set(openings.map(({ tableHash }) => tableHash)).size).toBe(2)
    await t.expectTrueBooks()
  })

  it('is shown to nobody else', async () => {
    const gold = await t.packType('Gold')
    const ana = await t.person('ana', { packs: { [gold]: 1 } })
    const ben = await t.person('ben', { role: 'admin' })
    await open(ana, gold, 1)
    const [opening] = (await openingsOf(ana)).openings
    const foreign = await ben.get(`/api/fairness/openings/${opening!.id}/proof`)
    const absent = await ben.get('/api/fairness/openings/9007199254740991/proof')
    const plain = ({ json }: typeof foreign) => ({ ...json(), requestId: '' })
    expect([foreign.statusCode, plain(foreign)]).toEqual([404, plain(absent)])
    expect((await openingsOf(ben)).openings).toEqual([])
  })

  it('stays provable after a statistics reset has moved it to the archive', async () => {
    const gold = await t.packType('Gold')
    const coins = { packTypeIds: [gold], winFrequency: 1, totalPacks: 2, redCoinAmount: 4 }
    await t.prize('Coins', coins)
    const ana = await t.person('ana', { packs: { [gold]: 20 } })
    await open(ana, gold, 20)
    const { openings } = await openingsOf(ana)
    await t.db.script(`BEGIN;
      INSERT INTO pack_openings_archive (id, request_id, user_id, pack_type_id, prize_id,
        sold_out_prize_id, red_coin_earned, position, stock_after, created_at)
        SELECT * FROM pack_openings;
      DELETE FROM pack_openings; COMMIT`)
    expect(await openingsOf(ana)).toMatchObject({ openings: [], pagination: { totalItems: 0 } })
    for (const { id } of openings) await expectProven(await proofOf(ana, id))
    await t.expectTrueBooks()
  })

  it('stands in pages, newest first, whatever is asked for', async () => {
    const gold = await t.packType('Gold')
    const ana = await t.person('ana', { packs: { [gold]: 30 } })
    await open(ana, gold, 30)
    const first = await openingsOf(ana)
    expect(first.pagination).toEqual({
      ...{ totalItems: 30, totalPages: 2, page: 1, limit: 25 },
      ...{ hasPreviousPage: false, hasNextPage: true },
    })
    const ids = first.openings.map(({ id }) => id)
    expect(ids).toEqual([...ids].sort((left, right) => right - left))
    for (const query of ['?page=0&limit=abc', '?page=-1&limit=1000', '?page=1.5&page=2']) {
      expect((await openingsOf(ana, query)).openings.map(({ id }) => id)).toEqual(ids)
    }
    const past = await openingsOf(ana, '?page=9&limit=10')
    expect(past.openings).toEqual([])
    expect(past.pagination).toMatchObject({ totalPages: 3, page: 9, hasNextPage: false })
  })
})

describe('odds', () => {
  it('are the real chances, with the share of a sold-out prize as no prize', async () => {
    const gold = await t.packType('Gold')
    await t.prize('Gone', { packTypeIds: [gold], totalPacks: 4, stock: 0 })
    await t.prize('Coins', { packTypeIds: [gold], totalPacks: 2, redCoinAmount: 6 })
    const inactive = await t.prize('Off', { packTypeIds: [gold] })
    await t.rows('UPDATE prizes SET is_active = false WHERE id = $1', [inactive])
    const ana = await t.person('ana', { packs: { [gold]: 1 } })
    const odds = OddsResponse.parse(await ana.read(`/api/packs/types/${gold}/odds`))
    expect(odds).toMatchObject({
      packTypeId: gold,
      scaled: false,
      noPrizeChance: 0.5,
      consolationRedCoin: 5,
      entries: [
        {
          name: 'Gone',
          winFrequency: 1,
          totalPacks: 4,
          chance: 0.25,
          soldOut: true,
          redCoinAmount: 0,
        },
        { name: 'Coins', chance: 0.5, soldOut: false, redCoinAmount: 6 },
      ],
    })
    await open(ana, gold, 1)
    expect((await openingsOf(ana)).openings[0]!.tableHash).toBe(odds.tableHash)
  })

  it('are scaled to 1 when they add up to more', async () => {
    const gold = await t.packType('Gold')
    for (const name of ['A', 'B', 'C', 'D']) {
      await t.prize(name, { packTypeIds: [gold], totalPacks: 2 })
    }
    const ana = await t.person('ana')
    const odds = OddsResponse.parse(await ana.read(`/api/packs/types/${gold}/odds`))
    expect(odds.scaled).toBe(true)
    expect(odds.entries.map(({ chance }) => chance)).toEqual([0.25, 0.25, 0.25, 0.25])
    expect(odds.noPrizeChance).toBe(0)
    expect((await ana.get('/api/packs/types/2000000000/odds')).statusCode).toBe(404)
  })
})

describe('an odds table', () => {
  it('is public under its hash, for ever, byte for byte', async () => {
    const gold = await t.packType('Gold')
    const gift = await t.packType('Gift')
    const name = 'A "quoted" \\ näme\twith \u2028, <x> and 💎'
    const prize = await t.prize(name, {
      ...{ packTypeIds: [gold], winFrequency: 1, totalPacks: 2, stock: 4 },
      ...{ rewardPackTypeId: gift, rewardPackQuantity: 2 },
    })
    const ana = await t.person('ana', { packs: { [gold]: 1 } })
    const odds = await ana.read(`/api/packs/types/${gold}/odds`)
    expect(odds.entries[0]).toMatchObject({
      ...{ rewardPackTypeId: gift, rewardPackQuantity: 2, limited: true, soldOut: false },
    })
    await open(ana, gold, 1)
    const [opening] = (await openingsOf(ana)).openings
    const { tableHash } = opening!
    expect(odds.tableHash).toBe(tableHash)
    const answer = await t.app.inject(`/api/fairness/tables/${tableHash}`)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    })
    expect(answer.headers['set-cookie']).toBeUndefined()
    const text =
      `{"packTypeId":${gold},"consolationRedCoin":5,"entries":[{"prizeId":${prize},` +
      `"name":${JSON.stringify(name)},"winFrequency":1,"totalPacks":2,"redCoinAmount":0,` +
      `"rewardPackTypeId":${gift},"rewardPackQuantity":2,"limited":true}]}`
    expect(answer.body).toBe(text)
    expect(JSON.stringify((await proofOf(ana, opening!.id)).table)).toBe(text)
    expect(createHash('sha256').update(answer.rawPayload).digest('hex')).toBe(tableHash)
  })

  it('is 404 under a hash that names none and 400 under what is no hash', async () => {
    const absent = await t.app.inject(`/api/fairness/tables/${'0'.repeat(64)}`)
    expect([absent.statusCode, absent.headers['cache-control']]).toEqual([404, 'no-store'])
    for (const hash of ['0'.repeat(63), 'G'.repeat(64), 'A'.repeat(64), '%00']) {
      expect((await t.app.inject(`/api/fairness/tables/${hash}`)).statusCode).toBe(400)
    }
  })
})
