// A prize that pays packs is delivered when it is won; one with which something is sent waits.

import { beforeEach, describe, expect, it } from 'vitest'
import { type Person, useTestDeps } from '../../../test/deps.ts'

const t = useTestDeps({ SEED_DEMO: 'off' })
const own = '/api/user/prize-claims/paginated?filter=physical'
const staff = '/api/admin/prize-claims'
let boss: Person
let ana: Person
let gold: number
let prize: number

beforeEach(async () => {
  boss = await t.person('boss', { role: 'admin' })
  gold = await t.packType('Gold')
  prize = await t.prize('Two more', {
    packTypeIds: [gold],
    totalPacks: 1,
    rewardPackTypeId: gold,
    rewardPackQuantity: 2,
  })
  ana = await t.person('ana', { packs: { [gold]: 3 } })
})

const json = async (who: Person, url: string) => await who.read(url)
const open = () => ana.open(gold)
const send = (isAlsoSent: boolean) => boss.send('PUT', `/api/admin/prizes/${prize}`, { isAlsoSent })
const deliveryOf = async () => {
  const [claim] = (await json(ana, own)).claims
  return `/api/user/prize-claims/${claim.claimId}/delivery`
}

describe('a prize that pays packs', () => {
  it('is completed when it is won, counts as physical, and waits for nobody', async () => {
    await open()
    const { claims } = await json(ana, own)
    expect(claims).toMatchObject([{ status: 'completed', prize: { name: 'Two more' } }])
    expect(await json(boss, staff)).toMatchObject([{ status: 'completed', isAutoCompleted: true }])
    expect(await json(ana, await deliveryOf())).toMatchObject({ canChange: false })
    expect((await json(ana, '/api/user/notices')).notices).toEqual([])
    expect((await json(boss, `${staff}?status=pending`)).total).toBe(0)
    await t.expectTrueBooks()
  })

  it('waits for staff while something is also sent, from the next opening on', async () => {
    await open()
    expect((await send(true)).json()).toMatchObject({ isAlsoSent: true })
    await open()
    const { claims } = await json(ana, own)
    expect(claims.map(({ status }: { status: string }) => status)).toEqual(['pending', 'completed'])
    expect(await json(ana, await deliveryOf())).toMatchObject({ canChange: true })
    expect((await json(ana, '/api/user/notices')).notices).toMatchObject([
      { kind: 'delivery_wanted' },
    ])
    await send(false)
    await open()
    expect((await json(ana, own)).claims[0]).toMatchObject({ status: 'completed' })
  })

  it('is not called completed by itself when staff have sent something', async () => {
    await send(true)
    await open()
    const [claim] = await json(boss, staff)
    expect(claim).toMatchObject({ status: 'pending', isAutoCompleted: false })
    const done = await boss.send('PATCH', `${staff}/${claim.claimId}`, { status: 'completed' })
    expect(done.json()).toMatchObject({ status: 'completed', isAutoCompleted: false })
    await send(false)
    expect(await json(boss, staff)).toMatchObject([{ isAutoCompleted: false }])
    await expect(t.rows('UPDATE prize_claims SET is_also_sent = false')).rejects.toMatchObject({
      code: '23001',
    })
  })
})
