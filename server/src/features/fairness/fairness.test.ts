// Fairness over HTTP: chains, odds, and every draw made again without the product's code.

import { createHash, createHmac } from 'node:crypto'
import { ChainResponse, FairOpeningsResponse, OddsResponse, OpeningProof } from '@redpack/contract'
import { describe, expect, it } from 'vitest'
import { nextDay, type Person, useTestDeps } from '../../../test/deps.ts'
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

/**
 * The prize that the published rule gives, or null: written from the rule alone, comparing
 * fractions by cross multiplication and never as thresholds.
 */
function drawnBy(proof: OpeningProof): number | null {
  const { serverSeed, entropy, position } = proof.opening
  const digest = createHmac('sha256', Buffer.from(serverSeed, 'hex'))
    .update(`${entropy}:${position}:${proof.opening.tableHash}`, 'utf8')
    .digest('hex')
  const roll = BigInt(`0x${digest.slice(0, 13)}`)
  const shares = proof.table.entries.map(({ winFrequency, totalPacks }) =>
    winFrequency > totalPacks ? [1n, 1n] : [BigInt(winFrequency), BigInt(totalPacks)],
  ) as [bigint, bigint][]
  const common = shares.reduce((product, [, packs]) => product * packs, 1n)
  const parts = shares.map(([wins, packs]) => (wins * common) / packs)
  const sum = parts.reduce((total, part) => total + part, 0n)
  let whole = common
  if (sum > common) whole = sum
  let upTo = 0n
  for (const [index, part] of parts.entries()) {
    upTo += part
    if (roll < (2n ** 52n * upTo) / whole) return proof.table.entries[index]!.prizeId
  }
  return null
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
    expect((await t.app.inject('/api/fairness')).statusCode).toBe(401)
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
    expect(await t.column('SELECT index FROM draw_chains WHERE ended_at IS NOT NULL')).toEqual([
      1, 0,
    ])
    await t.expectTrueBooks()
  })

  it('whose key was given up ends without its seed, and the log says so', async () => {
    const gold = await t.packType('Gold')
    const ana = await t.person('ana', { packs: { [gold]: 5 } })
    await open(ana, gold, 1)
    await t.rows(
      `UPDATE draw_chains SET sealed_seed = sealed_seed || '{"keyId": "0123456789abcdef"}'`,
    )
    expect((await ana.get('/api/fairness')).statusCode).toBe(503)
    await t.rows(`INSERT INTO encryption_keys (key_id) VALUES ('0123456789abcdef')`)
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

async function openTwoHundred() {
  const plain = await t.packType('Plain')
  const full = await t.packType('Full')
  const scarce = await t.packType('Scarce')
  const thirds = { winFrequency: 1, totalPacks: 3 }
  await t.prize('Seventh "ü" <b>', { packTypeIds: [plain], totalPacks: 7 })
  const coins = await t.prize('Coins', { packTypeIds: [plain, full], ...thirds, redCoinAmount: 8 })
  await t.prize('Half', { packTypeIds: [full], totalPacks: 2 })
  await t.prize('Most', { packTypeIds: [full], winFrequency: 9, totalPacks: 10 })
  await t.prize('Few', { packTypeIds: [scarce], winFrequency: 4, totalPacks: 5, stock: 3 })
  const ana = await t.person('ana', { packs: { [plain]: 100, [full]: 60, [scarce]: 40 } })
  const results: { prizeId: number | null; redCoinEarned: number }[] = []
  results.push(...(await open(ana, plain, 50)), ...(await open(ana, full, 20)))
  nextDay(t.clock)
  results.push(...(await open(ana, full, 40)), ...(await open(ana, scarce, 20)))
  await t.rows('UPDATE prizes SET win_frequency = 2, name = $2 WHERE id = $1', [coins, 'More'])
  await t.rows('UPDATE pack_types SET odds_revision = odds_revision + 1')
  results.push(...(await open(ana, plain, 50)), ...(await open(ana, scarce, 20)))
  return { ana, plain, full, scarce, coins, results }
}

describe('every opening', () => {
  it('can be drawn again from its proof alone, 200 of 200', async () => {
    const { ana, results } = await openTwoHundred()
    const openings = [
      ...(await openingsOf(ana, '?page=2&limit=100')).openings,
      ...(await openingsOf(ana, '?page=1&limit=100')).openings,
    ].sort((left, right) => left.id - right.id)
    expect(openings).toHaveLength(200)
    const seen = { won: 0, lost: 0, soldOut: 0 }
    const positions = new Map<string, number[]>()
    for (const [index, opening] of openings.entries()) {
      const proof = await proofOf(ana, opening.id)
      expect(proof).toMatchObject({ version: 1, opening, table: expect.anything() })
      const { serverSeed, tableHash, commitment } = opening
      expect(ofBytes(serverSeed)).toBe(commitment)
      const canonical = JSON.stringify(proof.table)
      expect(createHash('sha256').update(canonical).digest('hex')).toBe(tableHash)
      const drawn = drawnBy(proof)
      if (opening.soldOut) expect([opening.prizeId, drawn]).toEqual([null, expect.any(Number)])
      else expect(opening.prizeId).toBe(drawn)
      const { prizeId, redCoinEarned } = results[index]!
      expect(opening).toMatchObject({ prizeId, redCoinEarned })
      seen[opening.soldOut ? 'soldOut' : drawn === null ? 'lost' : 'won'] += 1
      const request = `${opening.chainId > openings[0]!.chainId ? 1 : 0}:${opening.index}`
      positions.set(request, [...(positions.get(request) ?? []), opening.position])
    }
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(10)
    // Each chain counts its requests, and each request its packs, from 0.
    expect([...positions]).toEqual(
      Object.entries({ '0:0': 50, '0:1': 20, '1:0': 40, '1:1': 20, '1:2': 50, '1:3': 20 }).map(
        ([request, packs]) => [request, Array.from({ length: packs }, (_, at) => at)],
      ),
    )
    expect(new Set(openings.map(({ tableHash }) => tableHash)).size).toBe(4)
    await t.expectTrueBooks()
  }, 60_000)

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
    for (const { id, prizeId } of openings) {
      const proof = await proofOf(ana, id)
      expect(drawnBy(proof)).toBe(prizeId)
    }
    await t.expectTrueBooks()
  })

  it('stands in pages, newest first, whatever is asked for', async () => {
    const gold = await t.packType('Gold')
    const ana = await t.person('ana', { packs: { [gold]: 30 } })
    await open(ana, gold, 30)
    const first = await openingsOf(ana)
    expect(first.pagination).toEqual({
      totalItems: 30,
      totalPages: 2,
      hasPreviousPage: false,
      hasNextPage: true,
      page: 1,
      limit: 25,
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
    const id = await t.prize('Pin "ü" \u2028 <x>', { packTypeIds: [gold], redCoinAmount: 3 })
    const ana = await t.person('ana', { packs: { [gold]: 1 } })
    await open(ana, gold, 1)
    const { tableHash } = (await openingsOf(ana)).openings[0]!
    const answer = await t.app.inject(`/api/fairness/tables/${tableHash}`)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    })
    expect(answer.headers['set-cookie']).toBeUndefined()
    expect(answer.body).toBe(
      `{"packTypeId":${gold},"consolationRedCoin":5,"entries":[{"prizeId":${id},"name":"Pin \\"ü\\" \u2028 <x>","winFrequency":1,"totalPacks":100,"redCoinAmount":3,"rewardPackTypeId":null,"rewardPackQuantity":0,"limited":false}]}`,
    )
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
