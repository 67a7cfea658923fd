// Draws against people who try to bend them: the operator with database and key, the player with
// two tabs, the script that learns from refusals. What no opening refuses stands in the log.

import { createHash } from 'node:crypto'
import { ChainResponse } from '@redpack/contract'
import { rollsOf } from '@redpack/fair/draw'
import { Replay } from '@redpack/fair/replay'
import { beforeEach, describe, expect, it } from 'vitest'
import { coded, type Person, told, useTestDeps } from '../../../test/deps.ts'
import type { Deps } from '../../adapters/deps.ts'
import { nodeHashing } from '../../adapters/random/hashing.ts'
import { seedContext } from '../../shared/sealed-text.ts'
import { keepLog } from '../fairness/public-log.ts'
import { Opening } from './open-packs.ts'

const t = useTestDeps({ SEED_DEMO: 'off' })
const always = { winFrequency: 1, totalPacks: 1 }
const half = { winFrequency: 1, totalPacks: 2 }

const entropy = 'e7'.repeat(32)
let gold: number
let ana: Person

beforeEach(async () => {
  gold = await t.packType('Gold')
  ana = await t.person('ana', { packs: { [gold]: 40 } })
})

const chainOf = async (person: Person) => ChainResponse.parse(await person.read('/api/fairness'))
/** Opens one gold pack where nothing else is said. */
const open = (person: Person, body: object = {}, headers = {}) =>
  person.send('POST', '/api/packs/open', { packTypeId: gold, quantity: 1, ...body }, headers)
const oddsHashOf = async (person: Person, packTypeId: number): Promise<string> =>
  (await person.read(`/api/packs/types/${packTypeId}/odds`)).tableHash
/** A server seed whose first roll under the entropy and the table falls as asked. */
function seedThatRolls(isWanted: (roll: number) => boolean, tableHash: string) {
  for (let number = 1; ; number += 1) {
    const seed = createHash('sha256').update(`seed ${number}`).digest()
    const [roll = 0] = rollsOf({ seed, entropy, tableHash }, 1, nodeHashing)
    if (isWanted(roll)) return seed
  }
}

/** Everything an operator's dump holds of chains that have not ended. */
const dumpOfChains = () =>
  t.rows<{ dump: string }>(
    'SELECT row_to_json(c)::text AS dump FROM draw_chains c WHERE ended_at IS NULL',
  )

describe('the seeds of draws to come', () => {
  it('cannot be read from a dump, before and after openings', async () => {
    const seeds = [1, 2, 3].map((byte) => Buffer.alloc(32, byte))
    t.dice.load(seeds)
    const first = (await open(ana, { quantity: 2 })).json().proof
    expect(first).toMatchObject({ index: 0, serverSeed: '01'.repeat(32) })
    const [row] = await dumpOfChains()
    expect(row!.dump).toContain(first.nextCommitment)
    for (const seed of seeds.slice(1)) {
      expect(row!.dump).not.toContain(seed.toString('hex'))
      expect(row!.dump).not.toContain(seed.toString('base64').slice(0, 40))
    }
    const second = (await open(ana, { quantity: 2 })).json().proof
    expect(second).toMatchObject({ index: 1, serverSeed: '02'.repeat(32) })
    expect(second.commitment).toBe(first.nextCommitment)
  })

  it('cannot be moved to another chain or place: nothing is drawn then, and the books say so', async () => {
    const ben = await t.person('ben', { packs: { [gold]: 9 } })
    for (const person of [ana, ben]) await open(person)
    await t.rows(
      `UPDATE draw_chains SET sealed_seed = (SELECT sealed_seed FROM draw_chains WHERE user_id = $1)
       WHERE user_id = $2`,
      [ben.id, ana.id],
    )
    expect(await coded(open(ana))).toBe('503 service_unavailable')
    expect((await ana.get('/api/fairness')).statusCode).toBe(503)
    expect((await open(ben)).statusCode).toBe(200)
    expect(await t.brokenBooks()).toEqual(['I25'])
  })

  it('cannot be exchanged with their commitment: who was shown it is told', async () => {
    await open(ana)
    const { chainId, index, commitment } = await chainOf(ana)
    const other = t.seeds.make(chainId, index)
    await t.rows('UPDATE draw_chains SET commitment = $1, sealed_seed = $2', [
      other.commitment,
      JSON.stringify(other.sealed),
    ])
    const refused = await open(ana, { entropy, commitment })
    expect([refused.statusCode, refused.json()]).toEqual([
      409,
      expect.objectContaining({ code: 'commitment_moved', commitment: other.commitment }),
    ])
    expect(await t.rows('SELECT id FROM pack_openings')).toHaveLength(1)
    expect(await t.brokenBooks()).toEqual(['I19'])
    await open(ana)
    expect(await t.brokenBooks()).toEqual(['I19'])
  })
})

describe('the entropy', () => {
  it('is that of the player, or of the server for who sends none, and the answer says whose', async () => {
    const own = (await open(ana, { entropy })).json().proof
    expect(own).toMatchObject({ entropy, entropyFrom: 'player' })
    const made = (await open(ana)).json().proof
    expect(made).toMatchObject({ entropyFrom: 'server' })
    expect(made.entropy).toMatch(/^[0-9a-f]{64}$/)
  })

  it.each(['entropy', 'oddsHash', 'commitment'])(
    'or the %s that is none is refused',
    async (name) => {
      const texts = ['', 'e7', entropy.slice(1), entropy.toUpperCase(), `${entropy}00`]
      for (const wrong of [...texts, 'g'.repeat(64), 7, null, [entropy]]) {
        const answer = await open(ana, { [name]: wrong })
        expect([wrong, answer.statusCode, answer.json().errors[0].path]).toEqual([wrong, 400, name])
      }
    },
  )

  it('belongs to its key: the same opens nothing twice, another is refused', async () => {
    const ben = await t.person('ben', { packs: { [gold]: 9 } })
    const key = { 'idempotency-key': 'one' }
    const { commitment } = await chainOf(ana)
    const order = { entropy, commitment }
    const first = await open(ana, order, key)
    const again = await open(ana, order, key)
    expect([again.body, again.headers['idempotency-replayed']]).toEqual([first.body, 'true'])
    const others = [{ entropy: 'aa'.repeat(32) }, { packTypeId: gold + 1 }, { quantity: 2 }]
    for (const other of others) {
      const refused = open(ana, { ...order, ...other }, key)
      expect([other, await coded(refused)]).toEqual([other, '422 idempotency_mismatch'])
    }
    expect(await told(open(ben, order, key))).toBe(
      '409 Packs were opened elsewhere meanwhile. Nothing was opened.',
    )
    expect(await t.rows('SELECT user_id FROM pack_openings')).toEqual([{ user_id: ana.id }])
  })

  it('of ten tabs that open at once draws once: the others are told what has moved', async () => {
    const { commitment } = await chainOf(ana)
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, tab) =>
        open(ana, { quantity: 2, commitment, entropy: `${tab}f`.repeat(32) }),
      ),
    )
    const opened = answers.filter(({ statusCode }) => statusCode === 200)
    expect(opened).toHaveLength(1)
    const { nextCommitment } = opened[0]!.json().proof
    for (const answer of answers.filter(({ statusCode }) => statusCode !== 200)) {
      expect(answer.json()).toMatchObject({ code: 'commitment_moved', commitment: nextCommitment })
    }
    await t.expectTrueBooks()
  })
})

describe('odds that were seen', () => {
  it('are the odds that are drawn: with others by then nothing is spent', async () => {
    const prize = await t.prize('Hoodie', { packTypeIds: [gold], ...half })
    const [holding] = await ana.read('/api/user/packs')
    const [type] = await ana.read('/api/packs/types')
    const seen = await oddsHashOf(ana, gold)
    expect([holding.oddsHash, type.oddsHash]).toEqual([seen, seen])
    const order = { quantity: 2, oddsHash: seen }
    expect((await open(ana, order)).statusCode).toBe(200)
    await t.rows('UPDATE prizes SET win_frequency = 1, total_packs = 1000 WHERE id = $1', [prize])
    const key = { 'idempotency-key': 'one' }
    expect(await told(open(ana, order, key))).toBe(
      '409 The odds of this pack have changed. Nothing was opened.',
    )
    expect(await t.rows('SELECT quantity FROM user_packs')).toEqual([{ quantity: 38 }])
    const now = (await ana.read('/api/user/packs'))[0].oddsHash
    expect(now).toBe(await oddsHashOf(ana, gold))
    const opened = await open(ana, { ...order, oddsHash: now }, key)
    expect(opened.statusCode).toBe(200)
    // A repeated call gets its answer whatever the odds are by now.
    await t.rows('UPDATE prizes SET total_packs = 10')
    const again = await open(ana, { ...order, oddsHash: now }, key)
    expect([again.body, again.headers['idempotency-replayed']]).toEqual([opened.body, 'true'])
    expect((await open(ana)).statusCode).toBe(200)
    await t.expectTrueBooks()
  })

  it('change with everything that is paid, the consolation included, and not with stock', async () => {
    const prize = await t.prize('Coins', {
      packTypeIds: [gold],
      ...half,
      redCoinAmount: 5,
      stock: 9,
    })
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
      seen.add((await ana.read('/api/user/packs'))[0].oddsHash)
    }
    await boss.send('PUT', '/api/admin/settings/economy', { consolationRedCoin: 0 })
    seen.add((await ana.read('/api/user/packs'))[0].oddsHash)
    expect(seen.size).toBe(6)
    await t.rows('UPDATE prizes SET inventory_quantity = 7')
    const limited = await oddsHashOf(ana, gold)
    await t.rows('UPDATE prizes SET inventory_quantity = 3')
    expect(await oddsHashOf(ana, gold)).toBe(limited)
  })
})

describe('a refusal for want of room', () => {
  it.each([
    ['wins', (roll: number) => roll < 2 ** 51],
    ['loses', (roll: number) => roll >= 2 ** 51],
  ])('is the same for a roll that %s, of RedCoin and of packs', async (_what, isWanted) => {
    const full = await t.packType('Full')
    await t.prize('Coins', { packTypeIds: [gold], ...half, redCoinAmount: 100 })
    const rich = await t.person('rich', {
      coins: Number.MAX_SAFE_INTEGER - 99,
      packs: { [gold]: 5, [full]: 2_147_483_647 },
    })
    t.dice.load([seedThatRolls(isWanted, await oddsHashOf(rich, gold))])
    expect(await told(open(rich, { entropy }))).toBe(
      '400 Your RedCoin balance is too high for this opening',
    )
    await t.db.script(
      `UPDATE prizes SET red_coin_amount = 0, pack_type_id = ${full}, pack_quantity = 1`,
    )
    expect(await told(open(rich))).toBe('400 You hold too many packs for this opening')
    expect((await chainOf(rich)).index).toBe(0)
  })

  it('allows what has room for the best case to the last coin', async () => {
    await t.prize('Coins', { packTypeIds: [gold], ...always, redCoinAmount: 100 })
    const rich = await t.person('rich', {
      coins: Number.MAX_SAFE_INTEGER - 200,
      packs: { [gold]: 5 },
    })
    const answer = await open(rich, { quantity: 2 })
    expect(answer.json().updatedBalance).toBe(Number.MAX_SAFE_INTEGER)
  })
})

describe('a stranger who replays the log finds', () => {
  const anotherSeed = /another seed than the one committed to/
  beforeEach(async () => {
    await t.prize('Cap', { packTypeIds: [gold], ...half, stock: 9 })
    await t.prize('Coins', { packTypeIds: [gold], totalPacks: 4, redCoinAmount: 9 })
  })
  const expectFound = async (words: RegExp) => {
    await keepLog(t.deps)
    const replay = new Replay(nodeHashing)
    const texts = await t.column<string>('SELECT body FROM log_entries ORDER BY index')
    for (const text of texts) replay.take(text)
    expect(replay.faults.filter(({ text }) => words.test(text))).not.toEqual([])
  }
  const exchange = (commitment: string, sealed: object) =>
    t.rows('UPDATE draw_chains SET commitment = $1, sealed_seed = $2', [
      commitment,
      JSON.stringify(sealed),
    ])

  it.each([
    [
      'a table of the same odds that was ground until it loses',
      `INSERT INTO odds_tables (id, pack_type_id, table_hash, body)
         SELECT 77, pack_type_id, encode(sha256(convert_to(replace(body, 'Coins', 'Coin'), 'UTF8')),
           'hex'), replace(body, 'Coins', 'Coin') FROM odds_tables;
       INSERT INTO log_queue (id, kind, ref) VALUES (0, 'table', '77');
       UPDATE opening_requests SET odds_table_id = 77`,
      /not what its seed/,
    ],
    [
      'a request whose entry is left out',
      `DELETE FROM log_queue WHERE kind = 'opening' AND id < (SELECT max(id) FROM log_queue)`,
      /is not open|comes next/,
    ],
  ])('%s', async (_what, sql, words) => {
    for (let count = 0; count < 2; count += 1) await open(ana, { quantity: 12 })
    await t.plant(sql)
    await expectFound(words)
  })

  it('a seed that is used a second time, by who has the key', async () => {
    const { chainId, serverSeed, commitment } = (await open(ana)).json().proof
    await exchange(commitment, t.deps.encryption.seal(serverSeed, seedContext(chainId, 1)))
    expect((await open(ana)).json().proof.serverSeed).toBe(serverSeed)
    await expectFound(anotherSeed)
  })

  it('a commitment that was exchanged between two openings, by who has the key', async () => {
    const other = t.seeds.make((await open(ana)).json().proof.chainId, 1)
    await exchange(other.commitment, other.sealed)
    expect((await open(ana)).statusCode).toBe(200)
    await expectFound(anotherSeed)
  })
})

describe('a prize that becomes limited', () => {
  it('after its stock was read is not won without taking a unit', async () => {
    const mug = await t.prize('Mug', { packTypeIds: [gold], ...always })
    let reads = 0
    const run: Deps['db']['run'] = async (statement, values) => {
      const rows = await t.db.run(statement, values)
      if (statement.name === 'read_opening_states') reads += 1
      // The attempt that has a chain goes on with what it has read of an unlimited prize.
      if (statement.name === 'read_opening_states' && reads === 2) {
        await t.db.script(`UPDATE prizes SET inventory_quantity = 2;
          INSERT INTO stock_events (kind, ref_id, delta, quantity_after, source_type, source_id)
            VALUES ('prize', ${mug}, 2, 2, 'staff_change', 'limit')`)
      }
      return rows as never
    }
    const deps = { ...t.deps, db: { ...t.db, run } }
    const order = { packTypeId: gold, quantity: 3, idempotencyKey: undefined }
    await new Opening(deps).open(ana.id, order)
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
    await t.expectTrueBooks()
  })
})
