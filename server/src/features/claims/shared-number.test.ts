// A tracking number that somebody else's shipment has as well: it is taken, and staff hear of it.

import { expect, it } from 'vitest'
import { csvForm } from '../../../test/csv-form.ts'
import { useTestDeps } from '../../../test/deps.ts'

const t = useTestDeps()

it('is said with the other shipment, unless that is of the same winner', async () => {
  const caps = await t.packType('Caps')
  await t.prize('Cap', { packTypeIds: [caps], totalPacks: 1 })
  const boss = await t.person('boss', { role: 'admin' })
  const win = async (name: string, quantity: number): Promise<string[]> => {
    const person = await t.person(name, { packs: { [caps]: quantity } })
    const { results } = (await person.open(caps, quantity)).json()
    const claimIds = results.map(({ claimId }: { claimId: string }) => claimId)
    const address = { name, addressLines: ['1 Street'], city: 'Lund', country: 'Sweden' }
    for (const id of claimIds) {
      await person.send('PUT', `/api/user/prize-claims/${id}/delivery`, address)
    }
    return claimIds
  }
  const [cap = '', otherCap = ''] = await win('ana', 2)
  const [bens = '', bensSecond = '', bensThird = ''] = await win('ben', 3)
  const send = async (claimId: string, trackingNumber: string, replacesNumber?: string) => {
    const sent = { claimIds: [claimId], state: 'sent', trackingNumber, replacesNumber }
    return (await boss.send('PATCH', '/api/admin/shipments', sent)).json().verdicts[0]
  }
  const look = async (...rows: string[]) => {
    const text = ['claimId,courier,trackingNumber', ...rows].join('\n')
    const { payload, headers } = csvForm(text)
    const url = '/api/admin/shipments/courier-file/preview'
    const { verdicts } = (await boss.send('POST', url, payload, headers)).json()
    return verdicts.map(({ remark }: { remark?: string }) => remark)
  }
  const same = (name: string) => `The same tracking number is on Cap for ${name}`
  expect(await send(cap, 'A1')).toEqual({ claimId: cap, changed: true })
  expect(await send(otherCap, 'A1')).toEqual({ claimId: otherCap, changed: true })
  // One that is stored, one of the same file, and one that is put right.
  const rows = [`${bens},,A 1`, `${bensSecond},,B2`, `${bensThird},,B2`]
  expect(await look(...rows)).toEqual([same('ana'), undefined, undefined])
  expect(await send(bens, 'A1')).toEqual({ claimId: bens, changed: true, remark: same('ana') })
  expect(await send(bens, 'B2', 'A1')).toEqual({ claimId: bens, changed: true })
  const [carol = ''] = await win('carol', 1)
  expect(await look(`${carol},,C3`, `${bensSecond},,C3`)).toEqual([same('ben'), same('carol')])
})
