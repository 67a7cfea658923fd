// Codes as prizes: added by staff, given to wins, and seen by nobody but the winner.

import { beforeEach, describe, expect, it } from 'vitest'
import { csvForm } from '../../../test/csv-form.ts'
import { type Person, told, useTestDeps } from '../../../test/deps.ts'

const t = useTestDeps()
let boss: Person
let ana: Person
let keys: number
let prize: number

beforeEach(async () => {
  keys = await t.packType('Keys')
  boss = await t.person('boss', { role: 'admin' })
  ana = await t.person('ana', { packs: { [keys]: 9 } })
  prize = (await make()).json().id
})

const make = (more = {}) =>
  boss.send('POST', '/api/admin/prizes', {
    ...{ name: 'Game key', packTypeIds: [keys], winFrequency: 1, totalPacks: 1 },
    ...{ deliversCodes: true, ...more },
  })

const path = () => `/api/admin/prizes/${prize}`
const add = (codes: readonly string[]) => boss.send('POST', `${path()}/codes`, { codes })
const open = async (quantity: number) => (await ana.open(keys, quantity)).json().results
const own = async () => (await ana.read('/api/user/prize-claims/paginated')).claims
const show = (claimId: string, who = ana) => who.get(`/api/user/prize-claims/${claimId}/code`)
const noted = () =>
  t.column("SELECT after FROM audit_log WHERE action = 'prize.add_codes' ORDER BY id")
const stock = async () => (await boss.read('/api/admin/prizes'))[0].inventoryQuantity

describe('codes that are added', () => {
  it('have a verdict for each line, are the stock, and are kept sealed', async () => {
    expect(await stock()).toBe(0)
    const answer = await add([' AAA-1 ', '', 'BBB-2', 'AAA-1', 'x'.repeat(201)])
    expect(answer.json()).toEqual({
      added: 2,
      verdicts: [
        { line: 1, verdict: 'added' },
        { line: 2, verdict: 'empty' },
        { line: 3, verdict: 'added' },
        { line: 4, verdict: 'twice' },
        { line: 5, verdict: 'too_long' },
      ],
    })
    const file = csvForm('BBB-2\r\nCCC-3\r\n', { fileName: 'keys.txt' })
    const uploaded = await t.app.inject({
      ...{ method: 'POST', url: `${path()}/codes`, payload: file.payload },
      headers: { ...file.headers, cookie: boss.cookie },
    })
    expect(uploaded.json().verdicts).toEqual([
      { line: 1, verdict: 'known' },
      { line: 2, verdict: 'added' },
    ])
    expect(await stock()).toBe(3)
    expect(await noted()).toEqual([
      { added: 2, lines: 5 },
      { added: 1, lines: 2 },
    ])
    const everything = JSON.stringify([
      await t.rows('SELECT * FROM prize_codes'),
      await t.rows('SELECT * FROM audit_log'),
      await t.rows('SELECT * FROM idempotency_keys'),
    ])
    expect(everything).not.toMatch(/AAA|BBB|CCC/)
    await t.expectTrueBooks()
  })

  it('are refused as a whole in a file that is no text, or may be another', async () => {
    const file = csvForm(Buffer.from('CAFÉ-1\r\n', 'latin1'), { fileName: 'keys.txt' })
    expect(
      await told(
        t.app.inject({
          ...{ method: 'POST', url: `${path()}/codes`, payload: file.payload },
          headers: { ...file.headers, cookie: boss.cookie },
        }),
      ),
    ).toBe('400 The file of codes is not UTF-8 text')
    expect(await told(add([]))).toBe('400 There is no code in it')
    expect(await stock()).toBe(0)
  })

  it('are the only way to change the stock, and stand beside no other pay', async () => {
    const byHand = await boss.send('POST', `${path()}/set-inventory`, { quantity: 5 })
    const more = await boss.send('POST', `${path()}/add-inventory`, { quantity: 5 })
    const edited = await boss.send('PUT', path(), { inventoryQuantity: 5 })
    const made = await make({ inventoryQuantity: 5 })
    for (const refused of [byHand, more, edited, made]) {
      expect([refused.statusCode, refused.json().message]).toEqual([
        409,
        'The stock of this prize is the number of its unused codes: add codes instead',
      ])
    }
    const message = 'A prize that delivers a code pays neither RedCoin nor packs'
    for (const pay of [{ redCoinAmount: 5 }, { packTypeId: keys, packQuantity: 1 }]) {
      const refused = await boss.send('PUT', path(), pay)
      expect([refused.statusCode, refused.json().errors]).toEqual([
        400,
        [{ path: 'deliversCodes', message }],
      ])
    }
    const noPacks = { packTypeId: keys, packQuantity: 0 }
    expect((await boss.send('PUT', path(), noPacks)).statusCode).toBe(200)
    await add(['AAA-1'])
    expect((await boss.send('PUT', path(), { deliversCodes: false })).json().message).toBe(
      'This prize has codes that nobody has won yet',
    )
    expect((await boss.send('PUT', path(), { name: 'Key' })).json().inventoryQuantity).toBe(1)
    await open(1)
    const freed = (await boss.send('PUT', path(), { deliversCodes: false })).json()
    expect([freed.deliversCodes, freed.inventoryQuantity]).toEqual([false, 0])
  })

  it('may have been left unused by a deleted prize, which then has none of them', async () => {
    await add(['AAA-1', 'BBB-2', 'CCC-3'])
    await open(1)
    await boss.send('DELETE', path())
    const restore = `${path()}/restore`
    const deleted = prize
    prize = (await make()).json().id
    const { added, verdicts } = (await add(['AAA-1', 'BBB-2'])).json()
    expect([added, verdicts]).toEqual([
      1,
      [
        { line: 1, verdict: 'known' },
        { line: 2, verdict: 'added' },
      ],
    ])
    expect((await noted()).at(-1)).toEqual({ added: 1, lines: 2, takenFrom: [deleted] })
    expect(await open(2)).toMatchObject([{ won: true }, { won: false }])
    expect((await boss.send('POST', restore)).json().inventoryQuantity).toBe(1)
    await t.expectTrueBooks()
  })

  it('are refused by a prize that delivers none', async () => {
    prize = await t.prize('Cap', { packTypeIds: [keys] })
    expect((await add(['AAA-1'])).json().message).toBe('This prize delivers no codes')
    const turned = (await boss.send('PUT', path(), { deliversCodes: true })).json()
    expect([turned.deliversCodes, turned.inventoryQuantity]).toEqual([true, 0])
  })

  it('are refused by a prize of which a parcel may still come back into stock', async () => {
    const caps = await t.packType('Caps')
    prize = await t.prize('Cap', { packTypeIds: [caps], winFrequency: 1, totalPacks: 1, stock: 2 })
    const ben = await t.person('ben', { packs: { [caps]: 2 } })
    const [won] = (await ben.open(caps, 2)).json().results
    const turn = () => boss.send('PUT', path(), { deliversCodes: true })
    expect((await turn()).json().message).toBe(
      'Some wins of this prize are still to be delivered: make a new prize for the codes',
    )
    await ben.send('POST', `/api/user/prize-claims/${won.claimId}/decline`)
    await t.rows("UPDATE shipments SET state = 'delivered' WHERE state = 'address_wanted'")
    expect((await turn()).statusCode).toBe(200)
  })
})

describe('a win', () => {
  it('is given a code that its winner alone uncovers, noted in its timeline', async () => {
    await add(['AAA-1', 'BBB-2'])
    const results = await open(3)
    expect(results.map(({ won }: { won: boolean }) => won)).toEqual([true, true, false])
    expect(results[0].prize.delivery).toBeNull()
    expect(await stock()).toBe(0)
    await t.expectTrueBooks()
    const claims = await own()
    for (const claim of claims) {
      expect([claim.status, claim.shipment]).toEqual([
        'completed',
        expect.objectContaining({ state: 'delivered', hasCode: true, canDecline: false }),
      ])
    }
    const shown = await show(claims[0].claimId)
    expect([shown.json(), shown.headers['cache-control']]).toEqual([{ code: 'BBB-2' }, 'no-store'])
    expect((await show(claims[1].claimId)).json()).toEqual({ code: 'AAA-1' })
    await show(claims[0].claimId)
    const { timeline } = (await own())[0]
    expect(timeline.map(({ kind }: { kind: string }) => kind)).toEqual(['created', 'code_shown'])
    t.clock.advance(61)
    await show(claims[0].claimId)
    expect((await own())[0].timeline).toHaveLength(3)
    const ben = await t.person('ben')
    for (const stranger of [ben, boss]) {
      expect((await show(claims[0].claimId, stranger)).statusCode).toBe(404)
    }
    const reading = `/api/admin/prize-claims/${claims[0].claimId}/reading`
    const read = await boss.send('POST', reading)
    expect(read.json()).toMatchObject({ hasCode: true, contactInfo: null })
    expect(read.body).not.toContain('BBB-2')
    expect((await boss.read('/api/admin/shipments?state=all')).shipments).toEqual([])
  })

  it('wants no address, and writes nothing where codes and stock do not agree', async () => {
    await add(['AAA-1'])
    const [{ claimId }] = await open(1)
    const saved = await ana.send('PUT', `/api/user/prize-claims/${claimId}/delivery`, {
      ...{ name: 'Ana', addressLines: ['Rua 1'], city: 'Porto', country: 'PT' },
    })
    expect(saved.json().code).toBe('already_completed')
    await add(['BBB-2'])
    await t.rows('DELETE FROM prize_codes WHERE prize_claim_id IS NULL')
    const packs = async () => await ana.read('/api/user/stats')
    const before = await packs()
    expect((await ana.open(keys)).statusCode).toBeGreaterThanOrEqual(500)
    expect([await packs(), (await own()).length]).toEqual([before, 1])
  })
})
