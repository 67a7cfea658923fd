// What holds for sending a prize, from its form to the parcel: a win keeps it as it was.

import { beforeEach, describe, expect, it } from 'vitest'
import { type Person, told, useTestDeps } from '../../../test/deps.ts'
import { noticesOf } from '../people/own-views.ts'
import { moveDueShipments } from './change-shipments.ts'
import { saveDelivery } from './deliveries.ts'

const t = useTestDeps()
const daySeconds = 86_400
const home = { name: 'Ana', addressLines: ['Rua 1'], city: 'Porto', country: 'Portugal' }
const size = { kind: 'choice', label: 'Size', choices: ['S', 'M'] }
const terms = {
  deadlineDays: 14,
  countries: ['PT', 'DE'],
  estimatedValue: { amount: 45.5, currency: 'eur' },
  questions: [size, { kind: 'text', label: 'Name on it' }],
}
const kept = { countries: ['DE', 'PT'], estimatedValue: { amount: 45.5, currency: 'EUR' } }
let boss: Person
let ana: Person
let caps: number
let prize: number

beforeEach(async () => {
  caps = await t.packType('Caps')
  prize = await t.prize('Cap', { packTypeIds: [caps], totalPacks: 1 })
  boss = await t.person('boss', { role: 'admin' })
  ana = await t.person('ana', { packs: { [caps]: 5 } })
})

const edit = (change: object) => boss.send('PUT', `/api/admin/prizes/${prize}`, change)
const open = async () => (await ana.open(caps)).json().results[0]
const own = async () => (await ana.read('/api/user/prize-claims/paginated')).claims
const save = (claimId: string, change: object = {}) =>
  ana.send('PUT', `/api/user/prize-claims/${claimId}/delivery`, {
    ...{ ...home, answers: ['M', 'Ana'] },
    ...change,
  })
/** Past HTTP: sessions do not last as long as deadlines. */
const notices = async () => {
  const { notices } = await noticesOf(t.db, ana.id, t.clock.now())
  return notices.filter(({ kind }) => kind === 'deadline_near')
}

describe('what staff say of a prize', () => {
  it('is kept as far as it is given, and shown as it was understood', async () => {
    const saved = await edit({ ...terms, handlerId: boss.id })
    expect(saved.json()).toMatchObject({ ...terms, ...kept, handlerId: boss.id })
    expect((await edit({ deadlineDays: 7 })).json()).toMatchObject({
      ...{ ...terms, ...kept },
      deadlineDays: 7,
      handlerId: boss.id,
    })
    const bare = { countries: [], estimatedValue: null, questions: [], handlerId: null }
    expect((await edit(bare)).json()).toMatchObject(bare)
    const created = await boss.send('POST', '/api/admin/prizes', {
      ...{ name: 'Mug', packTypeIds: [caps] },
      ...terms,
    })
    expect(created.json()).toMatchObject({ ...terms, ...kept })
  })

  it('is refused with a sentence', async () => {
    for (const [change, sentence] of [
      [{ countries: ['DE', 'UK'] }, /^400 UK is no country/],
      [{ estimatedValue: { amount: 0, currency: 'EUR' } }, /^400 Value must be more than 0/],
      [{ estimatedValue: { amount: 5, currency: 'EURO' } }, /^400 Currency must be three letters/],
      [{ questions: [{ kind: 'choice', label: 'Size', choices: ['S'] }] }, /^400 A choice needs 2/],
      [{ questions: [size, size] }, /^400 Two questions are the same/],
      [{ deadlineDays: 0 }, /^400 Deadline must be 1 to 365/],
      [{ deadlineDays: 366 }, /^400 Deadline must be 1 to 365/],
    ] as const) {
      expect(await told(edit(change))).toMatch(sentence)
    }
    // A handler is a member of staff.
    expect((await edit({ handlerId: ana.id })).json()).toMatchObject({
      message: 'The handler must be a member of staff',
      errors: [{ path: 'handlerId' }],
    })
  })
})

describe('a win', () => {
  it('says what holds beside the odds and with the win, and keeps it when the prize changes', async () => {
    await edit(terms)
    const told = { ...kept, deadlineDays: 14, questions: ['Size', 'Name on it'] }
    expect((await ana.read(`/api/packs/types/${caps}/odds`)).entries[0].delivery).toEqual(told)
    expect((await open()).prize.delivery).toEqual(told)
    const deadline = new Date(t.clock.now().getTime() + 14 * daySeconds * 1000).toISOString()
    const changed = { countries: [], estimatedValue: null, questions: [], deadlineDays: 1 }
    await edit(changed)
    expect((await open()).prize.delivery).toEqual(changed)
    const [later, first] = await own()
    expect(first.shipment).toMatchObject({ ...kept, deadline })
    expect(later.shipment).toMatchObject({ countries: [], estimatedValue: null })
    expect((await save(first.claimId, { country: 'Spain' })).statusCode).toBe(422)
    expect((await save(later.claimId, { country: 'Spain', answers: [] })).statusCode).toBe(200)
  })

  it('has nothing to send where RedCoin or packs are won', async () => {
    await edit({ ...terms, redCoinAmount: 5 })
    const odds = await ana.read(`/api/packs/types/${caps}/odds`)
    expect([odds.entries[0].delivery, (await open()).prize.delivery]).toEqual([null, null])
  })
})

describe('an address', () => {
  let claimId: string
  beforeEach(async () => {
    await edit(terms)
    claimId = (await open()).claimId
  })

  it('is taken in a country that is served, by its name or its letters, and no other', async () => {
    const refused = await save(claimId, { country: 'Sweden' })
    expect([refused.statusCode, refused.json()]).toEqual([
      422,
      expect.objectContaining({
        code: 'country_not_served',
        message: 'This prize is only sent to Germany, Portugal',
      }),
    ])
    expect((await save(claimId, { country: 'Nowhere' })).statusCode).toBe(422)
    expect((await save(claimId, { country: 'de' })).json()).toMatchObject({
      countries: ['DE', 'PT'],
      delivery: { country: 'Germany' },
    })
  })

  it('comes with an answer to each question, which those who send it read', async () => {
    const refused = await save(claimId, { answers: ['XL'] })
    expect([refused.statusCode, refused.json()]).toEqual([
      400,
      expect.objectContaining({
        message: 'Size must be one of S, M',
        errors: [
          { path: 'answers.0', message: 'Size must be one of S, M' },
          { path: 'answers.1', message: 'Name on it is required' },
        ],
      }),
    ])
    const answers = [
      { question: 'Size', answer: 'M' },
      { question: 'Name on it', answer: 'Ana' },
    ]
    const { delivery, questions } = (await save(claimId)).json()
    expect([delivery.answers, questions]).toEqual([answers, terms.questions])
    const read = (await boss.send('POST', `/api/admin/prize-claims/${claimId}/reading`)).json()
    expect(read).toMatchObject({ contactInfo: { answers }, imageData: null })
    const file = (await boss.get('/api/admin/shipments.csv')).body.split('\r\n')
    expect(file[0]).toContain(',note,answers,courier')
    expect(file[1]).toContain('Size: M; Name on it: Ana')
  })
})

describe('a deadline that is near', () => {
  let claimId: string
  beforeEach(async () => {
    await edit({ deadlineDays: 14 })
    claimId = (await open()).claimId
  })
  const after = async (days: number) => {
    t.clock.advance(days * daySeconds)
    await moveDueShipments(t.deps)
    await moveDueShipments(t.deps)
    return (await notices()).length
  }

  it('is said 7 days and 1 day before, once each, until the address is there', async () => {
    expect(await after(6.9)).toBe(0)
    expect(await after(0.2)).toBe(1)
    expect(await after(5.8)).toBe(1)
    expect(await after(0.2)).toBe(2)
    const body = { ...home, postalCode: null, phone: null, note: null, answers: [] }
    await saveDelivery(t.deps, ana.id, claimId, body)
    expect(await notices()).toEqual([])
  })

  it('is not said of one that was near from the win on', async () => {
    await edit({ deadlineDays: 7 })
    await open()
    expect(await after(5.9)).toBe(0)
    expect(await after(0.2)).toBe(1)
  })
})

it('shows the handler what is theirs to ship, until somebody else packs it', async () => {
  const helper = await t.person('helper', { role: 'admin' })
  await open()
  await edit({ handlerId: helper.id })
  const mine = async (who: Person) => await who.read('/api/admin/shipments?handler=me')
  expect(await mine(boss)).toMatchObject({ shipments: [], total: 0, counts: { mine: 0 } })
  expect(await mine(helper)).toMatchObject({
    shipments: [{ handler: { id: helper.id, displayName: 'helper' } }],
    total: 1,
    counts: { mine: 1 },
  })
  const [{ claimId }] = await own()
  await save(claimId, { answers: [] })
  await boss.send('PATCH', '/api/admin/shipments', { claimIds: [claimId], state: 'packed' })
  expect(await mine(helper)).toMatchObject({ total: 0, counts: { mine: 0 } })
  expect(await mine(boss)).toMatchObject({ shipments: [{ handler: { id: boss.id } }], total: 1 })
})

it('is not packed where nobody says where to, whatever it was before', async () => {
  const { claimId } = await open()
  const to = async (state: string) => {
    const body = { claimIds: [claimId], state }
    return (await boss.send('PATCH', '/api/admin/shipments', body)).json().verdicts[0]
  }
  const refused = {
    claimId,
    changed: false,
    reason: expect.stringMatching(/^Nobody has said where/),
  }
  expect(await to('sent')).toEqual(refused)
  await ana.send('PUT', `/api/user/prize-claims/${claimId}/delivery`, home)
  for (const state of ['sent', 'returned']) expect((await to(state)).changed).toBe(true)
  expect((await ana.send('DELETE', '/api/user', { confirm: 'ana' })).statusCode).toBe(200)
  for (const state of ['packed', 'ready']) expect(await to(state)).toEqual(refused)
  expect((await to('sent')).reason).toBe('This prize came back')
})

it('goes out when its address was erased after it was packed', async () => {
  const { claimId } = await open()
  await ana.send('PUT', `/api/user/prize-claims/${claimId}/delivery`, home)
  const to = async (state: string) => {
    const body = { claimIds: [claimId], state }
    return (await boss.send('PATCH', '/api/admin/shipments', body)).json().verdicts[0].changed
  }
  expect(await to('packed')).toBe(true)
  await boss.send('PATCH', `/api/admin/prize-claims/${claimId}`, { contactInfo: null })
  expect([await to('ready'), await to('sent')]).toEqual([false, true])
})
