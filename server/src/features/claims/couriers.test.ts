// The list of couriers, whose links lead to where a shipment is; and their file as it went out.

import { expect, it } from 'vitest'
import { csvForm } from '../../../test/csv-form.ts'
import { useTestDeps } from '../../../test/deps.ts'

const t = useTestDeps()

it('takes links over https with one number behind the host, each name once', async () => {
  const boss = await t.person('boss', { role: 'admin' })
  const add = async (name: string, trackingUrlTemplate: string) =>
    (await boss.send('POST', '/api/admin/couriers', { name, trackingUrlTemplate })).json()
  for (const link of [
    'http://a.example/{number}',
    'https://a.example/',
    'https://{number}.example/',
    'https://a.example/{number}/{number}',
    'javascript:{number}',
    'HTTPS://a.example/{number}',
    'https://a.example/{NUMBER}',
    'https://a.example/{number}"x',
  ]) {
    expect((await add('Post', link)).code).toBe('invalid_input')
  }
  const added = await add('Post', 'https://A.example/T/{number}')
  expect(added).toMatchObject({ name: 'Post' })
  const { code, errors } = await add('post', 'https://b.example/{number}')
  expect([code, errors[0].path]).toEqual(['duplicate', 'name'])
  expect(await boss.read('/api/admin/couriers')).toEqual([added])
  const remove = (key: string) =>
    boss.send('DELETE', `/api/admin/couriers/${added.id}`, {}, { 'idempotency-key': key })
  for (const key of ['k1', 'k1']) expect((await remove(key)).json()).toEqual([])
  expect((await remove('k2')).statusCode).toBe(404)
})

it('marks nothing as sent by the file that went out, as long as nobody has filled it in', async () => {
  const caps = await t.packType('Caps')
  await t.prize('Cap', { packTypeIds: [caps], totalPacks: 1 })
  const boss = await t.person('boss', { role: 'admin' })
  const ana = await t.person('ana', { packs: { [caps]: 1 } })
  const [{ claimId }] = (await ana.open(caps)).json().results
  await boss.send('PATCH', `/api/admin/prize-claims/${claimId}`, { contactInfo: { city: 'Porto' } })
  const { body } = await boss.get('/api/admin/shipments.csv?state=ready')
  const { payload, headers } = csvForm(body)
  const url = '/api/admin/shipments/courier-file/preview'
  const { verdicts } = (await boss.send('POST', url, payload, headers)).json()
  const reason = 'This row has neither a courier nor a tracking number'
  expect(verdicts).toEqual([{ claimId, changed: false, reason }])
})
