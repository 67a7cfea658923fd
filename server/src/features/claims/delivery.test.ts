// Delivery details of physical prizes: saved by the winner, sealed in the database, erased in time.

import { beforeEach, describe, expect, it } from 'vitest'
import { coded, type Person, told, useTestDeps } from '../../../test/deps.ts'
import { statesForStatus } from '../../rules/shipment-moves.ts'
import { eraseOldDeliveries } from './deliveries.ts'
import { setClaimStatus } from './tables.ts'

const t = useTestDeps()
const daySeconds = 86_400
let ana: Person
let ben: Person
let claim: { id: number; claim_id: string }
let coinsClaim: string

const home = {
  name: 'Ana Lindqvist',
  addressLines: ['Secretstreet 7', 'c/o Ben'],
  city: 'Malmö',
  postalCode: '211 20',
  country: 'Sweden',
  phone: '+46 40 1234',
  note: 'Ring twice',
}

/** Ana has won a cap and some RedCoin. */
beforeEach(async () => {
  const [caps, coins] = [await t.packType('Caps'), await t.packType('Coins')]
  const always = { winFrequency: 1, totalPacks: 1 }
  await t.prize('Cap', { packTypeIds: [caps], ...always })
  await t.prize('Coins', { packTypeIds: [coins], ...always, redCoinAmount: 5 })
  ana = await t.person('ana', { packs: { [caps]: 1, [coins]: 1 } })
  ben = await t.person('ben')
  await ana.open(caps)
  await ana.open(coins)
  const rows = await t.rows<typeof claim>('SELECT id, claim_id FROM prize_claims ORDER BY id')
  claim = rows[0]!
  coinsClaim = rows[1]!.claim_id
})

const path = (claimId: string | number = claim.claim_id) =>
  `/api/user/prize-claims/${claimId}/delivery`
const save = (body: unknown = home, person = ana, claimId?: string | number) =>
  person.send('PUT', path(claimId), body)
const stored = async () =>
  await t.value<unknown>('SELECT contact_info FROM prize_claims ORDER BY id')
const move = (status: 'pending' | 'processing' | 'completed') =>
  t.deps.db.transaction((tx) =>
    setClaimStatus(tx, [claim.id], status, t.clock.now(), statesForStatus(status)),
  )

describe('saving where a prize goes', () => {
  it('keeps the details and shows them to the winner, under every name of the claim', async () => {
    const shown = {
      claimId: claim.claim_id,
      delivery: home,
      canChange: true,
      countries: [],
      questions: [],
    }
    const answer = await save()
    expect([answer.statusCode, answer.json()]).toEqual([200, shown])
    for (const name of [claim.claim_id, claim.id]) {
      expect(await ana.read(path(name))).toEqual(shown)
    }
    await t.rows('UPDATE prize_claims SET claim_id = NULL WHERE id = $1', [claim.id])
    const numbered = await ana.get(path(`PR-${claim.id}`))
    expect(numbered.json()).toEqual({ ...shown, claimId: `PR-${claim.id}` })
  })

  it('stores nothing that can be read, bound to its own row', async () => {
    await save()
    expect(Object.keys((await stored()) as object).toSorted()).toEqual([
      'keyId',
      'nonce',
      'sealed',
      'tag',
    ])
    const [dump] = await t.rows<{ text: string }>(
      'SELECT contact_info::text AS text FROM prize_claims WHERE id = $1',
      [claim.id],
    )
    for (const secret of ['Lindqvist', 'Secretstreet', 'Malm', '+46 40']) {
      expect(dump!.text).not.toContain(secret)
    }
    await t.rows(
      `INSERT INTO prize_claims (user_id, prize_id, claim_id, contact_info, prize_name,
         prize_description, red_coin_amount, pack_quantity)
       SELECT $1, prize_id, 'PR-STOLEN22', contact_info, prize_name, '', 0, 0
       FROM prize_claims WHERE id = $2`,
      [ben.id, claim.id],
    )
    // Moved to another row it cannot be opened, as if another key had sealed it.
    const stolen = await ben.get(path('PR-STOLEN22'))
    expect(stolen.json()).toMatchObject({ claimId: 'PR-STOLEN22', delivery: null })
    expect(stolen.body).not.toContain('Lindqvist')
  })

  it('answers null before anything is saved, and when the key is another one', async () => {
    expect(await ana.read(path())).toEqual({
      claimId: claim.claim_id,
      delivery: null,
      canChange: true,
      countries: [],
      questions: [],
    })
    await save()
    await t.rows(`UPDATE prize_claims SET contact_info = contact_info || '{"keyId": "0"}'`)
    expect((await ana.read(path())).delivery).toBeNull()
  })

  it('takes absent and blank optional fields for none', async () => {
    const { name, addressLines, city, country } = home
    const bare = { name, addressLines, city, country }
    const empty = { ...bare, postalCode: null, phone: null, note: null }
    expect((await save(bare)).json().delivery).toEqual(empty)
    expect(
      (await save({ ...bare, postalCode: ' ', phone: '', note: ' ' })).json().delivery,
    ).toEqual(empty)
  })

  it('refuses what is missing, too long or no text, with its sentence', async () => {
    for (const [change, message] of [
      [{ name: ' ' }, 'Name is required'],
      [{ name: 'x'.repeat(201) }, 'Name must be 200 characters or less'],
      [{ addressLines: [] }, 'Address is required'],
      [{ addressLines: 'Street 1' }, 'Address is required'],
      [{ addressLines: ['a', 'b', 'c', 'd', 'e'] }, 'Address must have 4 lines or less'],
      [{ addressLines: [''] }, 'Address is required'],
      [{ city: null }, 'City is required'],
      [{ country: 7 }, 'Country is required'],
      [{ note: 'x'.repeat(501) }, 'Note must be 500 characters or less'],
      [{ phone: 'a\0b' }, 'Phone contains a character that is not allowed'],
    ] as const) {
      expect([change, await told(save({ ...home, ...change }))]).toEqual([change, `400 ${message}`])
    }
    expect(await stored()).toBeNull()
  })

  it("is not found for anybody else's claim, nor for none", async () => {
    const answers = [
      await save(home, ben),
      await save(home, ana, 'PR-AAAAAAAA'),
      await ben.get(path()),
      await ben.get(path(claim.id)),
    ]
    await t.rows('UPDATE prize_claims SET deleted_at = now() WHERE id = $1', [claim.id])
    answers.push(await save(), await ana.get(path()))
    for (const answer of answers) {
      expect(answer.statusCode).toBe(404)
      expect(answer.json()).toMatchObject({ code: 'not_found', message: 'Prize claim not found' })
    }
    expect(await stored()).toBeNull()
  })

  it('ends with the claim, and is not for prizes paid in RedCoin', async () => {
    await move('processing')
    expect((await save()).statusCode).toBe(200)
    await move('completed')
    expect(await coded(save({ ...home, city: 'Lund' }))).toBe('409 already_completed')
    expect(await ana.read(path())).toMatchObject({ delivery: home, canChange: false })
    expect(await coded(save(home, ana, coinsClaim))).toBe('409 wrong_state')
    await t.expectTrueBooks()
  })
})

describe('the timeline of a claim', () => {
  it('cannot be changed afterwards', async () => {
    await save()
    for (const sql of [
      'UPDATE prize_claim_events SET kind = kind',
      'DELETE FROM prize_claim_events',
    ]) {
      await expect(t.rows(sql)).rejects.toMatchObject({ code: '23001' })
    }
  })
})

describe('erasing old details', () => {
  it('waits 90 days from completion, then erases once and says so', async () => {
    await save()
    await move('completed')
    t.clock.advance(90 * daySeconds - 60)
    expect(await eraseOldDeliveries(t.deps)).toBe(0)
    expect(await stored()).not.toBeNull()
    t.clock.advance(120)
    expect(await eraseOldDeliveries(t.deps)).toBe(1)
    expect(await stored()).toBeNull()
    expect(await eraseOldDeliveries(t.deps)).toBe(0)
    const [rows] = [
      await t.rows<{ kind: string }>('SELECT kind FROM prize_claim_events ORDER BY id'),
    ]
    expect(rows.at(-1)).toEqual({ kind: 'delivery_erased' })
  })

  it('leaves open claims alone, and counts from the last completion', async () => {
    await save()
    await move('completed')
    t.clock.advance(80 * daySeconds)
    await move('processing')
    t.clock.advance(80 * daySeconds)
    expect(await eraseOldDeliveries(t.deps)).toBe(0)
    await move('completed')
    t.clock.advance(80 * daySeconds)
    expect(await eraseOldDeliveries(t.deps)).toBe(0)
    t.clock.advance(11 * daySeconds)
    expect(await eraseOldDeliveries(t.deps)).toBe(1)
  })

  it('takes numbers of parcels along where no details are kept, also with whoever leaves', async () => {
    const boss = await t.person('boss', { role: 'admin' })
    const number = () => t.value('SELECT tracking_number FROM shipments')
    const sent = async (trackingNumber: string) => {
      const body = { claimIds: [claim.claim_id], state: 'sent', courier: 'Bike', trackingNumber }
      await boss.send('PATCH', '/api/admin/shipments', body)
      expect(await number()).toBe(trackingNumber)
    }
    await move('processing')
    await sent('RB1')
    expect((await ana.send('DELETE', '/api/user', { confirm: 'ana' })).statusCode).toBe(200)
    expect(await number()).toBeNull()
    await sent('RB2')
    await move('completed')
    t.clock.advance(91 * daySeconds)
    expect(await eraseOldDeliveries(t.deps)).toBe(1)
    expect(await number()).toBeNull()
    expect(await eraseOldDeliveries(t.deps)).toBe(0)
    const told = "SELECT 1 FROM prize_claim_events WHERE kind = 'delivery_erased'"
    expect(await t.rows(told)).toEqual([])
  })

  it('includes removed claims', async () => {
    await save()
    await t.rows('UPDATE prize_claims SET deleted_at = $1', [t.clock.now()])
    t.clock.advance(91 * daySeconds)
    expect(await eraseOldDeliveries(t.deps)).toBe(1)
  })
})
