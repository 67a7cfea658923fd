// What is sent for claims: from the win to the hand of the winner, or back into stock.

import { beforeEach, describe, expect, it } from 'vitest'
import { csvForm } from '../../../test/csv-form.ts'
import { type Person, told, useTestDeps } from '../../../test/deps.ts'
import { moveDueShipments } from './change-shipments.ts'
import { showClaims } from './tables.ts'

const t = useTestDeps()
const daySeconds = 86_400
const home = { name: 'Ana', addressLines: ['=1 Street', 'Yard'], city: 'Malmö', country: 'Sweden' }
let ana: Person
let boss: Person
let caps: number
let prize: number
let claims: string[]

/** Ana has won three caps of ten, with 14 days to say where to. */
beforeEach(async () => {
  caps = await t.packType('Caps')
  prize = await t.prize('Cap', { packTypeIds: [caps], totalPacks: 1, stock: 10 })
  boss = await t.person('boss', { role: 'admin' })
  await boss.send('PUT', `/api/admin/prizes/${prize}`, { deadlineDays: 14 })
  ana = await t.person('ana', { packs: { [caps]: 5 } })
  expect((await ana.open(caps, 3)).statusCode).toBe(200)
  const rows = await t.rows<{ claim_id: string }>('SELECT claim_id FROM prize_claims ORDER BY id')
  claims = rows.map(({ claim_id }) => claim_id)
})

const own = async (index = 0) =>
  (await ana.read('/api/user/prize-claims/paginated')).claims.find(
    ({ claimId }: { claimId: string }) => claimId === claims[index],
  )
/** From the rows: sessions do not last as long as deadlines. */
const status = async (index = 0) => {
  const sql = `SELECT c.status || ' ' || s.state AS text FROM prize_claims c
    JOIN shipments s ON s.id = c.id WHERE c.claim_id = $1`
  return await t.value<string>(sql, [claims[index]])
}
const saveAddress = (index = 0) =>
  ana.send('PUT', `/api/user/prize-claims/${claims[index]}/delivery`, home)
const say = (what: 'received' | 'decline', index = 0, who = ana) =>
  who.send('POST', `/api/user/prize-claims/${claims[index]}/${what}`)
const patch = async (body: object) =>
  (await boss.send('PATCH', '/api/admin/shipments', body)).json()
const to = (state: string, more: object = {}, ids = [claims[0]]) =>
  patch({ claimIds: ids, state, ...more })
const page = async (query: string) => await boss.read(`/api/admin/shipments?${query}`)
const stock = () => t.value<number>('SELECT inventory_quantity AS units FROM prizes')

describe('a shipment', () => {
  it('goes from the win to the winner, and the status of the claim with it', async () => {
    const deadline = new Date(t.clock.now().getTime() + 14 * daySeconds * 1000).toISOString()
    expect((await own()).shipment).toEqual({
      state: 'address_wanted',
      deadline,
      courier: null,
      trackingNumber: null,
      trackingUrl: null,
      sentAt: null,
      canDecline: true,
      hasCode: false,
      countries: [],
      estimatedValue: null,
    })
    expect(await to('packed')).toEqual({
      verdicts: [{ claimId: claims[0], changed: false, reason: expect.stringMatching(/where to/) }],
    })
    expect((await saveAddress()).statusCode).toBe(200)
    expect(await status()).toBe('pending ready')
    expect(await to('packed')).toEqual({ verdicts: [{ claimId: claims[0], changed: true }] })
    expect(await status()).toBe('processing packed')
    await boss.send('POST', '/api/admin/couriers', {
      name: 'Post',
      trackingUrlTemplate: 'https://post.example/t/{number}?x=1',
    })
    await to('sent', { courier: 'post' })
    expect((await own()).shipment).toMatchObject({ courier: 'Post', trackingUrl: null })
    await to('sent', { courier: 'post', trackingNumber: 'RB 12 34' })
    expect(await own()).toMatchObject({
      status: 'processing',
      shipment: {
        state: 'sent',
        courier: 'Post',
        trackingNumber: 'RB1234',
        trackingUrl: 'https://post.example/t/RB1234?x=1',
        sentAt: t.clock.now().toISOString(),
        canDecline: false,
      },
    })
    const came = await say('received')
    expect([came.statusCode, came.json().state]).toEqual([200, 'delivered'])
    expect(await status()).toBe('completed delivered')
    expect(await told(say('received'))).toMatch(/^409 .*delivered/)
    await t.expectTrueBooks()
  })

  it('is delivered at once by an approval, and follows a status that staff set', async () => {
    const set = (word: string) =>
      boss.send('PATCH', `/api/admin/prize-claims/${claims[0]}`, { status: word })
    await set('processing')
    expect(await status()).toBe('processing packed')
    await set('pending')
    expect(await status()).toBe('pending address_wanted')
    await set('completed')
    expect(await status()).toBe('completed delivered')
    const ids = (await t.rows<{ id: number }>('SELECT id FROM prize_claims ORDER BY id')).slice(1)
    const many = { act: 'approve', ids: ids.map(({ id }) => id) }
    await boss.send('POST', '/api/admin/prize-claims/many', many)
    expect((await page('state=delivered')).total).toBe(3)
    await t.expectTrueBooks()
  })

  it('is as it was when its claim is deleted and restored, and nobody ships it meanwhile', async () => {
    await saveAddress()
    const [{ id }] = (await t.rows('SELECT min(id) AS id FROM prize_claims')) as [{ id: number }]
    await boss.send('DELETE', `/api/admin/prize-claims/${claims[0]}`)
    expect((await page('state=ready')).shipments).toEqual([])
    expect((await page('')).counts).toMatchObject({ ready: 0, address_wanted: 2 })
    expect((await to('packed')).verdicts).toMatchObject([{ changed: false }])
    await boss.send('POST', '/api/admin/prize-claims/restore', { ids: [id] })
    expect(await status()).toBe('pending ready')
    await t.expectTrueBooks()
  })

  it('is there for a prize that is sent along with packs, and for no other that is paid', async () => {
    const [both, coins] = [await t.packType('Both'), await t.packType('Coins')]
    const always = { winFrequency: 1, totalPacks: 1 }
    const reward = { rewardPackTypeId: both, rewardPackQuantity: 1 }
    await t.prize('Set', { packTypeIds: [both], ...always, ...reward, isAlsoSent: true })
    await t.prize('Coins', { packTypeIds: [coins], ...always, redCoinAmount: 5 })
    const ben = await t.person('ben', { packs: { [both]: 1, [coins]: 1 } })
    for (const packTypeId of [both, coins]) {
      await ben.open(packTypeId)
    }
    const shown = (filter: string) => ben.get(`/api/user/prize-claims/paginated?filter=${filter}`)
    expect((await shown('physical')).json().claims).toMatchObject([
      { shipment: { state: 'address_wanted', deadline: null } },
    ])
    expect((await shown('redcoin')).json().claims).toMatchObject([{ shipment: null }])
    await t.expectTrueBooks()
  })

  it('counts as delivered 30 days after it was sent', async () => {
    await saveAddress()
    await to('sent')
    t.clock.advance(30 * daySeconds - 1)
    await moveDueShipments(t.deps)
    expect(await status()).toBe('processing sent')
    t.clock.advance(1)
    await moveDueShipments(t.deps)
    expect(await status()).toBe('completed delivered')
  })

  it('comes back, asks for another address and goes out again', async () => {
    await saveAddress()
    await to('sent', { trackingNumber: 'A1' })
    await to('returned')
    expect(await status()).toBe('processing returned')
    await to('address_wanted')
    expect(await status()).toBe('pending address_wanted')
    await saveAddress()
    await to('sent', { trackingNumber: 'A2' })
    expect((await own()).shipment).toMatchObject({ state: 'sent', trackingNumber: 'A2' })
    await t.expectTrueBooks()
  })

  it('is asked for again without a deadline that leaves no more than a week', async () => {
    await boss.send('PUT', `/api/admin/prizes/${prize}`, { deadlineDays: 7 })
    const before = claims
    ana = await t.person('ben', { packs: { [caps]: 3 } })
    const won = (await ana.open(caps, 3)).json().results
    claims = won.map(({ claimId }: { claimId: string }) => claimId)
    const all = [...claims, before[0]]
    await Promise.all([saveAddress(0), saveAddress(1)])
    const path = (index: number) => `/api/admin/prize-claims/${claims[index]}`
    await boss.send('PATCH', path(1), { contactInfo: null })
    for (const step of ['processing', 'pending']) {
      await boss.send('PATCH', path(2), { status: step })
    }
    await boss.send('PATCH', `/api/admin/prize-claims/${before[0]}`, { contactInfo: 'On stage' })
    for (const step of ['sent', 'returned', 'address_wanted']) {
      await to(step, {}, [claims[0], before[0]])
    }
    const sql = `SELECT state, deadline IS NULL AS ended FROM shipments
      JOIN prize_claims c USING (id) WHERE c.claim_id = ANY($1) ORDER BY deadline NULLS FIRST`
    const ended = [true, true, true, false].map((is) => ({ state: 'address_wanted', ended: is }))
    expect(await t.rows(sql, [all])).toEqual(ended)
    await t.expectTrueBooks()
  })
})

describe('what nobody wants', () => {
  it('goes back into stock once when the winner declines it, which ends with its packing', async () => {
    expect(await stock()).toBe(7)
    const ben = await t.person('ben')
    expect((await say('decline', 0, ben)).statusCode).toBe(404)
    const heard: unknown[] = []
    t.deps.events.subscribe((event) => heard.push(event))
    const url = `/api/user/prize-claims/${claims[0]}/decline`
    for (let time = 0; time < 2; time += 1) {
      const answer = await ana.send('POST', url, undefined, { 'idempotency-key': 'one' })
      expect([answer.statusCode, answer.json().state]).toEqual([200, 'declined'])
    }
    expect((await say('decline')).statusCode).toBe(409)
    expect(await stock()).toBe(8)
    expect(await status()).toBe('completed declined')
    const events = `SELECT delta, quantity_after FROM stock_events WHERE source_type = 'shipment'`
    expect(await t.rows(events)).toEqual([{ delta: 1, quantity_after: 8 }])
    const queued = `SELECT count(*)::int AS count FROM log_queue
      WHERE kind = 'shipment' AND body LIKE '%"declined"%'`
    expect(await t.rows(queued)).toEqual([{ count: 1 }])
    await saveAddress(1)
    await to('packed', {}, [claims[1]])
    expect((await say('decline', 1)).json().code).toBe('shipment_state')
    const ofAna = { type: 'user_changed', userId: ana.id }
    expect(heard).toMatchObject([ofAna, { what: 'prizes' }, { what: 'pack_types' }, ofAna])
    expect(await stock()).toBe(8)
    await t.expectTrueBooks()
  })

  it('lapses at its deadline, goes back into stock, and leaves what has an address alone', async () => {
    await saveAddress(1)
    const later = new Date(t.clock.now().getTime() + 20 * daySeconds * 1000).toISOString()
    expect(await patch({ claimIds: [claims[2]], deadline: later })).toEqual({
      verdicts: [{ claimId: claims[2], changed: true }],
    })
    await boss.send('PUT', `/api/admin/prizes/${prize}`, { deadlineDays: 1 })
    t.clock.advance(14 * daySeconds - 1)
    await moveDueShipments(t.deps)
    expect(await status(0)).toBe('pending address_wanted')
    t.clock.advance(1)
    await moveDueShipments(t.deps)
    await moveDueShipments(t.deps)
    expect([await status(0), await status(1), await status(2)]).toEqual([
      'completed lapsed',
      'pending ready',
      'pending address_wanted',
    ])
    expect(await stock()).toBe(8)
    await t.expectTrueBooks()
  })

  it('does not lapse at once when its claim is restored after its deadline', async () => {
    const [{ id }] = (await t.rows('SELECT min(id) AS id FROM prize_claims')) as [{ id: number }]
    await boss.send('DELETE', `/api/admin/prize-claims/${claims[0]}`)
    t.clock.advance(15 * daySeconds)
    await t.db.transaction((tx) => showClaims(tx, { ids: [id] }, t.clock.now()))
    await moveDueShipments(t.deps)
    expect([await status(0), await status(1)]).toEqual([
      'pending address_wanted',
      'completed lapsed',
    ])
    expect(await t.value('SELECT deadline FROM shipments ORDER BY id LIMIT 1')).toBeNull()
    await t.expectTrueBooks()
  })

  it('leaves time to whoever could see nothing of it, and undoes a deletion as it was', async () => {
    const deadline = () => t.value('SELECT deadline FROM shipments ORDER BY id LIMIT 1')
    const told = new Date(t.clock.now().getTime() + 2 * daySeconds * 1000)
    await t.rows('UPDATE shipments SET deadline = $1', [told])
    const [{ id }] = (await t.rows('SELECT min(id) AS id FROM prize_claims')) as [{ id: number }]
    const hide = () => boss.send('DELETE', `/api/admin/prize-claims/${claims[0]}`)
    const show = () => t.db.transaction((tx) => showClaims(tx, { ids: [id] }, t.clock.now()))
    await hide()
    t.clock.advance(60)
    await show()
    expect(await deadline()).toEqual(told)
    await hide()
    t.clock.advance(1.9 * daySeconds)
    await show()
    t.clock.advance(daySeconds)
    await moveDueShipments(t.deps)
    expect(await status(0)).toBe('pending address_wanted')
    expect(await deadline()).toBeNull()
    await t.expectTrueBooks()
  })

  it('keeps a deadline that somebody would shorten or set into the past, and begins none', async () => {
    const at = (days: number) =>
      new Date(t.clock.now().getTime() + days * daySeconds * 1000).toISOString()
    expect((await patch({ claimIds: claims, deadline: at(13) })).verdicts).toMatchObject(
      claims.map(() => ({ changed: false })),
    )
    expect((await patch({ claimIds: claims, deadline: at(-1) })).code).toBe('invalid_input')
    expect((await patch({ claimIds: claims, deadline: null })).verdicts[0].changed).toBe(true)
    expect((await own()).shipment.deadline).toBeNull()
    // Taken off and set anew it would be shorter after all.
    const reasonOf = async (days: number) =>
      (await patch({ claimIds: [claims[0]], deadline: at(days) })).verdicts[0].reason
    expect(await reasonOf(1)).toBe('A deadline can be extended, not shortened')
    await t.rows("UPDATE shipments SET won_deadline = won_deadline - interval '10 days'")
    expect(await reasonOf(6)).toBe('A new deadline leaves at least 7 days')
    expect(await reasonOf(8)).toBeUndefined()
    expect((await patch({ claimIds: claims, deadline: '9999-12-31T23:59:59-10:00' })).code).toBe(
      'invalid_input',
    )
    await t.rows('UPDATE shipments SET deadline = NULL, won_deadline = NULL')
    expect(await reasonOf(90)).toBe('This prize was won without a deadline')
    expect((await own()).shipment.deadline).toBeNull()
    await saveAddress()
    await to('sent')
    expect(await reasonOf(90)).toBe('This prize has no deadline any more')
  })
})

describe('the table of shipments', () => {
  it('finds by state, by who packed, by prize, by word and by what is overdue', async () => {
    await saveAddress(0)
    await saveAddress(1)
    await to('packed')
    const names = async (query: string) => {
      const { shipments, total } = await page(query)
      expect(total).toBe(shipments.length)
      return shipments.map(({ claimId }: { claimId: string }) => claims.indexOf(claimId)).join()
    }
    expect(await names('state=address_wanted')).toBe('2')
    expect(await names('state=packed')).toBe('0')
    expect(await names('handler=me')).toBe('0')
    expect(await names(`prizeId=${prize}`)).toBe('2,1,0')
    expect(await names(`prizeId=${prize + 1}`)).toBe('')
    expect(await names(`search=${claims[1]}`)).toBe('1')
    expect(await names('search=ANA')).toBe('2,1,0')
    expect(await names('overdue=true')).toBe('')
    t.clock.advance(15 * daySeconds)
    const boss2 = await t.person('boss2', { role: 'admin' })
    const { shipments, counts } = await boss2.read('/api/admin/shipments?overdue&page=1')
    expect(shipments).toHaveLength(3)
    expect(counts).toEqual({
      address_wanted: 1,
      ready: 1,
      packed: 1,
      ...{ sent: 0, delivered: 0, returned: 0, declined: 0, lapsed: 0 },
      overdue: 3,
      mine: 0,
    })
    expect(shipments[0]).toMatchObject({
      claimId: claims[0],
      user: { username: 'ana' },
      prize: { id: prize, name: 'Cap' },
      state: 'packed',
      isOverdue: true,
      handler: { displayName: 'boss' },
    })
  })

  it('takes a number for one claim only, puts it right later, and says why nothing changed', async () => {
    await Promise.all([saveAddress(0), saveAddress(1)])
    const refused = [
      { claimIds: claims, state: 'sent', trackingNumber: 'A1' },
      { claimIds: [claims[0]], state: 'packed', courier: 'Post' },
      { claimIds: [claims[0]] },
      { claimIds: [claims[0]], state: 'sent', deadline: null },
      { claimIds: [claims[0]], state: 'sent', trackingNumber: '<b>' },
      { claimIds: [], state: 'packed' },
    ]
    for (const body of refused) expect((await patch(body)).code).toBe('invalid_input')
    const many = await to('sent', { courier: 'Bike' }, [...claims, 'PR-NOBODY'])
    expect(many.verdicts).toMatchObject([
      { changed: true },
      { changed: true },
      { changed: false, reason: 'Nobody has said where to send this prize yet' },
      { changed: false, reason: 'Prize claim not found' },
    ])
    expect((await to('sent', { courier: 'Bike', trackingNumber: 'B 7' })).verdicts).toEqual([
      { claimId: claims[0], changed: true },
    ])
    expect((await to('sent', { courier: 'Bike', trackingNumber: 'B7' })).verdicts).toMatchObject([
      { changed: false },
    ])
    const noted = `SELECT count(*)::int AS count FROM audit_log WHERE action = 'shipment.update'`
    expect(await t.rows(noted)).toEqual([{ count: 3 }])
  })

  it('loses no number to a colleague who marks the same prizes as sent', async () => {
    await Promise.all([saveAddress(0), saveAddress(1)])
    await to('sent', { courier: 'Bike', trackingNumber: 'B7' })
    // Chosen before: many without numbers, and the same parcel scanned on two screens.
    await to('sent', { courier: null }, [claims[0], claims[1]])
    await to('sent', { courier: null })
    await to('sent', { courier: 'Bike', trackingNumber: 'B8' })
    await to('sent', { courier: 'Bike', trackingNumber: 'B8', replacesNumber: 'B6' })
    expect((await own()).shipment).toMatchObject({ courier: 'Bike', trackingNumber: 'B7' })
    const putRight = { courier: 'Bike', trackingNumber: 'B9', replacesNumber: 'B7' }
    expect((await to('sent', putRight)).verdicts).toMatchObject([{ changed: true }])
    expect((await own()).shipment).toMatchObject({ trackingNumber: 'B9' })
    const last = `SELECT before, after FROM audit_log ORDER BY id DESC LIMIT 1`
    expect(await t.rows(last)).toEqual([
      {
        before: { state: 'sent', courier: 'Bike', hasNumber: true },
        after: { state: 'sent', courier: 'Bike', hasNumber: true },
      },
    ])
  })

  it('is a file for the tool of a courier, noted in the log of staff actions', async () => {
    await saveAddress()
    const file = await boss.get('/api/admin/shipments.csv?state=ready')
    expect(file.body.split('\r\n')).toEqual([
      '\uFEFFclaimId,prize,name,address1,address2,address3,address4,city,postalCode,country,phone,note,answers,courier,trackingNumber',
      `${claims[0]},Cap,Ana,'=1 Street,Yard,,,Malmö,,Sweden,,,,,`,
      '',
    ])
    const noted = `SELECT after FROM audit_log WHERE action = 'claim.read_file'`
    expect(await t.rows(noted)).toEqual([{ after: { shipments: 'ready', claimIds: [claims[0]] } }])
    const chosen = await boss.get('/api/admin/shipments.csv?columns=country,secret,address,name')
    expect(chosen.body.split('\r\n')).toEqual([
      '\uFEFFclaimId,name,address1,address2,address3,address4,country',
      `${claims[0]},Ana,'=1 Street,Yard,,,Sweden`,
      '',
    ])
  })
})

describe("a courier's file", () => {
  const url = '/api/admin/shipments/courier-file'
  const preview = async (text: string, fileName?: string) => {
    const { payload, headers } = csvForm(text, { fileName })
    return (await boss.send('POST', `${url}/preview`, payload, headers)).json()
  }
  const apply = async (text: string, token: string) => {
    const { payload, headers } = csvForm(text, { fields: { token } })
    return (await boss.send('POST', url, payload, headers)).json()
  }

  it('is looked at, marks as sent, and changes nothing when it comes again', async () => {
    await Promise.all([saveAddress(0), saveAddress(1)])
    const text = [
      'trackingNumber;courier;claimId',
      `RB 1;Bike;${claims[0]}`,
      `RB 1;Bike;${claims[0]}`,
      `a/b;Bike;${claims[1]}`,
      `RB 3;Bike;${claims[2]}`,
      'RB 4;Bike;PR-NOBODY1',
    ].join('\n')
    const looked = await preview(text)
    const first = { row: 2, claimId: claims[0], courier: 'Bike', trackingNumber: 'RB 1' }
    expect(looked.rows[0]).toEqual(first)
    expect(looked.verdicts).toEqual([
      { claimId: claims[0], changed: true },
      { claimId: claims[0], changed: false, reason: 'This claim is in the file twice' },
      { claimId: claims[1], changed: false, reason: 'This is not a tracking number' },
      { claimId: claims[2], changed: false, reason: 'This prize needs an address' },
      { claimId: 'PR-NOBODY1', changed: false, reason: 'Prize claim not found' },
    ])
    expect(await status()).toBe('pending ready')
    expect((await apply(text, 'x')).code).toBe('changed_meanwhile')
    const leftOut = [3, 4, 5, 6].map((row) => ({ row, reason: looked.verdicts[row - 2].reason }))
    expect(await apply(text, looked.token)).toMatchObject({ sent: 1, skipped: 4, leftOut })
    expect((await own()).shipment).toMatchObject({ state: 'sent', trackingNumber: 'RB1' })
    const again = await apply(text, looked.token)
    expect(again).toMatchObject({ sent: 0, skipped: 5 })
    expect(again.leftOut[0].reason).toBe('Already sent with this number')
    // Nor does another one that has a number for the same parcel, unless that had none.
    const head = 'claimId,courier,trackingNumber\n'
    const bare = `${head}${claims[1]},Bike,`
    expect(await apply(bare, (await preview(bare)).token)).toMatchObject({ sent: 1 })
    const other = `${head}${claims[0]},Van,X1\n${claims[1]},Van,X2`
    expect(await apply(other, (await preview(other)).token)).toMatchObject({
      sent: 1,
      leftOut: [{ row: 2, claimId: claims[0], reason: 'Already sent with another number' }],
    })
    expect((await own()).shipment).toMatchObject({ courier: 'Bike', trackingNumber: 'RB1' })
    expect((await own(1)).shipment).toMatchObject({ courier: 'Van', trackingNumber: 'X2' })
    // It does when staff took a mistake back: the parcel has no number then.
    await to('ready')
    expect(await apply(text, looked.token)).toMatchObject({ sent: 1, skipped: 4 })
    // Nor when what it named came back meanwhile and waits for a new parcel.
    await to('returned')
    await to('ready')
    expect(await apply(text, looked.token)).toMatchObject({ sent: 0, skipped: 5 })
    expect(await status()).toBe('pending ready')
    await t.expectTrueBooks()
  })

  it('must have its columns, parted as a spreadsheet does, and at most 10,000 rows', async () => {
    expect((await preview('', 'a.png')).message).toBe('Only CSV files are allowed')
    expect((await preview('claimId\tcourier\ttrackingNumber\na\tb\tc')).verdicts).toHaveLength(1)
    for (const text of ['claimId|courier|trackingNumber\na|b|c', 'a,b\n1,2', '']) {
      expect((await preview(text)).code).toBe('invalid_input')
    }
    const head = 'claimId,courier,trackingNumber\n'
    expect((await preview(head + 'PR-X,DHL,1\n'.repeat(10_001))).code).toBe('invalid_input')
    expect((await preview(head + 'PR-X,DHL,1\n'.repeat(10_000))).verdicts).toHaveLength(10_000)
  })

  it('sends 250 claims at once, and judges as many that staff have ticked', async () => {
    const many = await t.person('many', { packs: { [caps]: 250 } })
    await t.rows('UPDATE prizes SET inventory_quantity = NULL')
    for (let at = 0; at < 250; at += 50) await many.open(caps, 50)
    await t.rows(`UPDATE shipments SET state = 'ready'`)
    const sql = 'SELECT claim_id FROM prize_claims WHERE user_id = $1'
    const all = (await t.rows<{ claim_id: string }>(sql, [many.id])).map((row) => row.claim_id)
    const lines = all.map((claimId, index) => `${claimId},DHL,N${index}`)
    const text = `claimId,courier,trackingNumber\n${lines.join('\n')}`
    const { token } = await preview(text)
    expect(await apply(text, token)).toMatchObject({ sent: 250, skipped: 0 })
    expect((await to('packed', {}, all)).verdicts).toHaveLength(250)
  })
})
