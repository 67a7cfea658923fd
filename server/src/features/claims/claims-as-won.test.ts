// What was won stays won: whatever staff do to a prize later, its winners, staff and every total
// see the claim as it was made.

import sharp from 'sharp'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Person, useTestDeps } from '../../../test/deps.ts'
import { removeDeleted } from '../catalogue/remove-deleted.ts'

const t = useTestDeps({ SEED_DEMO: 'off' })
const own = '/api/user/prize-claims/paginated'
const staff = '/api/admin/prize-claims'
let boss: Person
let ana: Person
let gold: number
let coins: number
let hoodie: number
let blue: string
/** The prizes as the opened packs showed them. */
let shown: unknown[]

const picture = async (background: string) => {
  const shape = { width: 8, height: 8, channels: 3, background } as const
  return (await sharp({ create: shape }).png().toBuffer()).toString('base64')
}
const edit = (prizeId: number, change: object) =>
  boss.send('PUT', `/api/admin/prizes/${prizeId}`, change)

/** Ana has won RedCoin and a hoodie, both with a red picture, and has one more gold pack. */
beforeEach(async () => {
  boss = await t.person('boss', { role: 'admin' })
  gold = await t.packType('Gold')
  const silver = await t.packType('Silver')
  const always = { winFrequency: 1, totalPacks: 1 }
  coins = await t.prize('Coins', { packTypeIds: [gold], ...always, redCoinAmount: 250 })
  hoodie = await t.prize('Hoodie', { packTypeIds: [silver], ...always })
  const [red, other] = await Promise.all([picture('#ff0000'), picture('#0000ff')])
  blue = other
  for (const prize of [coins, hoodie]) await edit(prize, { imageData: red, imageType: 'image/png' })
  ana = await t.person('ana', { packs: { [gold]: 2, [silver]: 1 } })
  shown = []
  for (const packTypeId of [gold, silver]) {
    const opened = await ana.open(packTypeId)
    const [result] = opened.json().results
    expect(result).toMatchObject({ won: true })
    shown.push(result.prize)
  }
})

const json = async (who: Person, url: string) => await who.read(url)
const exported = async () => {
  const { prizeClaims, redCoinTransactions } = (await json(ana, '/api/user/export')).tables
  return { prizeClaims, redCoinTransactions }
}

/** Everything that speaks of what Ana has won, as the winner and staff are told. */
async function told() {
  const stats = await json(boss, '/api/admin/stats')
  const searches = ['Coins', 'Hoodie', 'Other'].map((word) => `search=${word}`)
  const statuses = ['all', 'pending', 'processing', 'completed'].map((word) => `status=${word}`)
  return {
    physical: await json(ana, `${own}?filter=physical`),
    redCoin: await json(ana, `${own}?filter=redcoin`),
    notices: await json(ana, '/api/user/notices'),
    openings: await json(ana, '/api/user/openings'),
    history: await json(ana, '/api/redcoin/history'),
    historyFile: (await ana.get('/api/redcoin/history.csv')).body,
    export: await exported(),
    leaderboard: await json(ana, '/api/redcoin/leaderboard'),
    claims: await json(boss, staff),
    pages: await Promise.all([...searches, ...statuses].map((q) => json(boss, `${staff}?${q}`))),
    file: (await boss.get(`${staff}.csv?contact=with`)).body,
    prizesOfUser: await json(boss, `/api/admin/users/${ana.id}/prizes`),
    person: (await json(boss, `/api/admin/users/${ana.id}`)).claims,
    today: [stats.prizesClaimedToday, stats.packsOpenedToday, stats.totalRedCoins],
    recent: stats.recentOpenings,
  }
}

/** What staff do to both prizes, one after the other; no step hides what an earlier one did. */
const edits: readonly [string, () => Promise<{ statusCode: number }>[]][] = [
  [
    'changes every field',
    () => {
      const other = { name: 'Other', description: 'Other', imageData: blue, imageType: 'image/png' }
      return [
        edit(coins, { ...other, redCoinAmount: 9_000 }),
        edit(hoodie, { ...other, redCoinAmount: 70 }),
      ]
    },
  ],
  [
    'takes RedCoin and pictures out, and puts packs in',
    () => [
      edit(coins, { redCoinAmount: 0, imageData: null }),
      edit(hoodie, { packTypeId: gold, packQuantity: 2, imageData: null }),
    ],
  ],
  [
    'deletes the prizes',
    () => [coins, hoodie].map((prize) => boss.send('DELETE', `/api/admin/prizes/${prize}`)),
  ],
]

describe('a claim keeps what was won', () => {
  it('which is the prize as it was when the pack was opened', async () => {
    const { physical, redCoin, claims } = await told()
    const [{ prize }] = physical.claims
    expect(prize).toMatchObject({ id: hoodie, name: 'Hoodie', redCoinAmount: 0 })
    expect(prize.imageData).toMatch(/^UklGR/)
    expect(redCoin.claims[0].prize).toMatchObject({ id: coins, name: 'Coins', redCoinAmount: 250 })
    expect(shown).toMatchObject([redCoin.claims[0].prize, prize])
    expect(claims).toMatchObject([
      { prizeName: 'Hoodie', redCoinAmount: 0, status: 'pending' },
      { prizeName: 'Coins', redCoinAmount: 250, status: 'completed' },
    ])
  })

  it('when somebody changes, empties and deletes the prizes', async () => {
    const before = await told()
    for (const [what, changes] of edits) {
      for (const { statusCode } of await Promise.all(changes())) {
        expect([200, 204]).toContain(statusCode)
      }
      const after = await told()
      for (const [place, said] of Object.entries(before)) {
        expect([what, place, after[place as keyof typeof after]]).toEqual([what, place, said])
      }
    }
    await t.expectTrueBooks()
  })

  it('while what is won after the edit is the prize of then', async () => {
    await edit(coins, { redCoinAmount: 0, name: 'Mug', imageData: blue, imageType: 'image/png' })
    await ana.open(gold)
    const { claims } = await json(ana, `${own}?filter=physical`)
    expect(claims.map((one: { prize: { name: string } }) => one.prize.name)).toEqual([
      'Mug',
      'Hoodie',
    ])
    expect(claims[0].prize.imageData).not.toBe(claims[1].prize.imageData)
    expect((await json(ana, `${own}?filter=redcoin`)).pagination.totalItems).toBe(1)
  })

  it('and a name of any letters, word for word', async () => {
    const names = ['NULL', `a "quoted", {set} \\ of 'things'`, '', '  two  spaces ', 'Käppi 🧢']
    const more = await t.packType('More')
    const into = 'INSERT INTO prize_pack_types (prize_id, pack_type_id) VALUES ($1, $2)'
    await t.rows(into, [hoodie, more])
    const who = await t.person('winner', { packs: { [more]: 2 * names.length } })
    for (const name of names) {
      await t.rows('UPDATE prizes SET name = $2 WHERE id = $1', [hoodie, name])
      await who.open(more, 2)
    }
    const { claims } = await json(who, own)
    expect(claims.map((one: { prize: { name: string } }) => one.prize.name)).toEqual(
      names.toReversed().flatMap((name) => [name, name]),
    )
  })
})

describe('a claim whose prize has become another kind', () => {
  const delivery = { name: 'Ana', addressLines: ['Street 7'], city: 'Malmö', country: 'Sweden' }

  it('still asks for its delivery, takes it and waits for staff, or asks for none', async () => {
    await edit(hoodie, { redCoinAmount: 70, packTypeId: gold, packQuantity: 1 })
    const [{ claimId }] = (await json(ana, own)).claims
    const { notices } = await json(ana, '/api/user/notices')
    expect(notices).toMatchObject([{ kind: 'delivery_wanted', subject: 'Hoodie' }])
    const path = `/api/user/prize-claims/${claimId}/delivery`
    expect(await json(ana, path)).toMatchObject({ canChange: true })
    expect((await ana.send('PUT', path, delivery)).statusCode).toBe(200)
    for (const status of ['processing', 'completed']) {
      const answer = await boss.send('PATCH', `${staff}/${claimId}`, { status })
      expect([answer.statusCode, answer.json()]).toMatchObject([
        200,
        { status, redCoinAmount: 0, prizeName: 'Hoodie', prize: { redCoinAmount: 0 } },
      ])
    }
    await edit(coins, { redCoinAmount: 0 })
    const [paid] = (await json(ana, `${own}?filter=redcoin`)).claims
    const ofPaid = `/api/user/prize-claims/${paid.claimId}/delivery`
    expect(await json(ana, ofPaid)).toMatchObject({ canChange: false })
  })
})

describe('Claims Today', () => {
  it('leaves deleted claims out until they are restored', async () => {
    const today = async () => (await json(boss, '/api/admin/stats')).prizesClaimedToday
    const [claim] = await json(boss, staff)
    expect(await today()).toBe(2)
    await boss.send('DELETE', `${staff}/${claim.id}`)
    expect(await today()).toBe(1)
    await boss.send('POST', `${staff}/restore`, { ids: [claim.id] })
    expect(await today()).toBe(2)
  })
})

describe('the database', () => {
  it('refuses to change what a claim says was won', async () => {
    for (const change of [
      `prize_name = 'Other'`,
      'red_coin_amount = 0',
      'pack_quantity = 1',
      'image_hash = NULL',
    ]) {
      await expect(t.rows(`UPDATE prize_claims SET ${change}`), change).rejects.toMatchObject({
        code: '23001',
      })
    }
  })

  it('keeps each picture once, as long as a claim or a prize refers to it', async () => {
    const pictures = () => t.rows('SELECT hash FROM images')
    expect(await pictures()).toHaveLength(1)
    for (const imageData of [blue, null, blue]) await edit(hoodie, { imageData })
    expect(await pictures()).toHaveLength(2)
    await expect(t.rows('DELETE FROM images')).rejects.toMatchObject({ code: '23503' })
    for (const prize of [coins, hoodie]) await edit(prize, { imageData: null })
    for (let day = 0; day < 3; day += 1) {
      await removeDeleted(t.deps)
      t.clock.advance(3_601)
    }
    // Red was won, blue was not.
    expect(await pictures()).toHaveLength(1)
    expect((await told()).physical.claims[0].prize.imageData).toMatch(/^UklGR/)
  })
})
