// What happens at the same moment to one shipment, on real PostgreSQL: one of it wins.

import { beforeEach, describe, expect, it } from 'vitest'
import { type Queryable, statement } from '../src/adapters/db/database.ts'
import { moveDueShipments } from '../src/features/claims/change-shipments.ts'
import { lockLapsing } from '../src/features/claims/shipment-tables.ts'
import { giveBackPrizeStock } from '../src/features/ledger/ledger-tables.ts'
import { csvForm } from './csv-form.ts'
import { type Person, usePostgresDeps } from './deps.ts'
import { heldTransaction, waitingForLocks } from './held-transaction.ts'
import { hasPostgres } from './test-database.ts'

const home = { name: 'Ana', addressLines: ['1 Street'], city: 'Malmö', country: 'Sweden' }

describe.skipIf(!hasPostgres)('shipments on PostgreSQL', () => {
  let ana: Person
  let staff: Person[]
  let claims: string[]

  const t = usePostgresDeps(16, { SEED_DEMO: 'off' })
  beforeEach(async () => {
    staff = await Promise.all(['boss', 'chief'].map((name) => t.person(name, { role: 'admin' })))
    const gold = await t.packType('Gold')
    await t.prize('Hoodie', { packTypeIds: [gold], totalPacks: 1, stock: 100 })
    ana = await t.person('ana', { packs: { [gold]: 40 } })
    await ana.open(gold, 40)
    const rows = await t.rows<{ claim_id: string }>('SELECT claim_id FROM prize_claims ORDER BY id')
    claims = rows.map(({ claim_id }) => claim_id)
    expect(claims).toHaveLength(40)
  })
  const saveAddress = async (claimId: string) =>
    (await ana.send('PUT', `/api/user/prize-claims/${claimId}/delivery`, home)).statusCode
  const decline = async (claimId: string) =>
    (await ana.send('POST', `/api/user/prize-claims/${claimId}/decline`)).statusCode
  const pack = async (who: number, claimIds: readonly string[]): Promise<boolean[]> => {
    const body = { claimIds, state: 'packed' }
    const { verdicts } = (await staff[who]!.send('PATCH', '/api/admin/shipments', body)).json()
    return verdicts.map(({ changed }: { changed: boolean }) => changed)
  }
  const inState = async (state: string) =>
    await t.value<number>('SELECT count(*)::int AS count FROM shipments WHERE state = $1', [state])
  const stock = () => t.value<number>('SELECT inventory_quantity AS units FROM prizes')

  it('lapse or get their address, never both', async () => {
    await t.rows('UPDATE shipments SET deadline = $1', [t.clock.now()])
    const saved = await Promise.all([
      ...claims.map(saveAddress),
      ...[0, 1, 2].map(() => moveDueShipments(t.deps).then(() => 0)),
    ])
    await moveDueShipments(t.deps)
    const kept = saved.filter((code) => code === 200).length
    expect([await inState('ready'), await inState('lapsed')]).toEqual([kept, 40 - kept])
    expect(await stock()).toBe(60 + 40 - kept)
    await t.expectTrueBooks()
  }, 60_000)

  it('that somebody works on are left without a lock, so that neither waits for the other', async () => {
    await t.rows('UPDATE shipments SET deadline = $1', [t.clock.now()])
    const [worked] = await t.rows<{ id: number }>('SELECT id FROM prize_claims ORDER BY id LIMIT 1')
    const lock = (sql: string) => (tx: Queryable) =>
      tx.run(statement('test_lock', sql), [worked!.id])
    const working = await heldTransaction(
      t.db,
      lock('SELECT FROM prize_claims WHERE id = $1 FOR UPDATE'),
    )
    const job = await heldTransaction(t.db, async (tx) => {
      expect(await lockLapsing(tx, t.clock.now(), 50)).toHaveLength(39)
    })
    await t.db.transaction(lock('SELECT FROM shipments WHERE id = $1 FOR UPDATE NOWAIT'))
    await job.end()
    await working.end()
  })

  it('are declined or packed, never both', async () => {
    await Promise.all(claims.map(saveAddress))
    const halves = [claims.slice(0, 20), claims.slice(20)]
    const [codes, first, second] = await Promise.all([
      Promise.all(claims.map(decline)),
      pack(0, halves[0]!),
      pack(1, halves[1]!.toReversed()),
    ])
    const packed = [...first, ...second].filter(Boolean).length
    const declined = codes.filter((code) => code === 200).length
    expect(packed + declined).toBe(40)
    expect([await inState('packed'), await inState('declined')]).toEqual([packed, declined])
    expect(await stock()).toBe(60 + declined)
    await t.expectTrueBooks()
  }, 60_000)

  it('leave a prize without an end as it is until what becomes of them is written', async () => {
    await t.rows('UPDATE prizes SET inventory_quantity = NULL')
    const [won] = await t.rows<{ prizeId: number; claimRow: number }>(
      'SELECT prize_id AS "prizeId", id AS "claimRow" FROM prize_claims LIMIT 1',
    )
    const declining = await heldTransaction(t.db, (tx) =>
      giveBackPrizeStock(tx, { ...won!, now: t.clock.now() }),
    )
    const path = `/api/admin/prizes/${won!.prizeId}/set-inventory`
    const limited = staff[0]!.send('POST', path, { quantity: 5 })
    await expect.poll(() => waitingForLocks(t.db)).toBe(1)
    await declining.end()
    expect((await limited).statusCode).toBe(200)
    expect(await stock()).toBe(5)
  })

  it('are packed by one member of staff each', async () => {
    await Promise.all(claims.map(saveAddress))
    const answers = await Promise.all([
      pack(0, claims),
      pack(1, claims.toReversed()),
      pack(0, claims),
      pack(1, claims),
    ])
    expect(answers.flat().filter(Boolean)).toHaveLength(40)
    const noted = `SELECT count(*)::int AS count FROM audit_log WHERE action = 'shipment.update'`
    expect(await t.rows(noted)).toEqual([{ count: 40 }])
    await t.expectTrueBooks()
  }, 60_000)

  it("are sent once by a courier's file that arrives twice at once", async () => {
    await Promise.all(claims.map(saveAddress))
    const lines = claims.map((claimId, index) => `${claimId},DHL,N ${index}`)
    const text = `claimId,courier,trackingNumber\n${lines.join('\n')}`
    const url = '/api/admin/shipments/courier-file'
    const looked = csvForm(text)
    const { token } = (
      await staff[0]!.send('POST', `${url}/preview`, looked.payload, looked.headers)
    ).json()
    const { payload, headers } = csvForm(text, { fields: { token } })
    const answers = await Promise.all(
      [0, 1, 0, 1].map(async (who) =>
        (await staff[who]!.send('POST', url, payload, headers)).json(),
      ),
    )
    expect(answers.map(({ sent }) => sent).toSorted((a, b) => a - b)).toEqual([0, 0, 0, 40])
    expect(await inState('sent')).toBe(40)
    await t.expectTrueBooks()
  }, 60_000)
})
