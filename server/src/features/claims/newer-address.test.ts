// An address that is saved after its prize was packed: whoever sends it sees that first.

import { expect, it } from 'vitest'
import { csvForm } from '../../../test/csv-form.ts'
import { useTestDeps } from '../../../test/deps.ts'

const t = useTestDeps()

it('tells staff of an address that is newer than the packing, also of what came back', async () => {
  const caps = await t.packType('Caps')
  await t.prize('Cap', { packTypeIds: [caps], totalPacks: 1 })
  const boss = await t.person('boss', { role: 'admin' })
  const ana = await t.person('ana', { packs: { [caps]: 1 } })
  const [{ claimId }] = (await ana.open(caps)).json().results
  const save = async (city: string, secondsLater = 60) => {
    t.clock.advance(secondsLater)
    const address = { name: 'Ana', addressLines: ['1 Street'], city, country: 'Sweden' }
    await ana.send('PUT', `/api/user/prize-claims/${claimId}/delivery`, address)
  }
  /** Answers what staff are told when they move it to the last of the states. */
  const move = async (...states: string[]) => {
    let remark: string | undefined
    for (const state of states) {
      t.clock.advance(60)
      const moved = await boss.send('PATCH', '/api/admin/shipments', { claimIds: [claimId], state })
      remark = moved.json().verdicts[0].remark
    }
    return remark
  }
  /** As the table and a courier's file show it. */
  const isTold = async () => {
    const { payload, headers } = csvForm(`claimId,courier,trackingNumber\n${claimId},DHL,A1`)
    const url = '/api/admin/shipments/courier-file/preview'
    const [verdict] = (await boss.send('POST', url, payload, headers)).json().verdicts
    const [{ hasNewerAddress }] = (await boss.read('/api/admin/shipments')).shipments
    return [hasNewerAddress, verdict.remark]
  }
  const read = () => boss.get('/api/admin/shipments.csv?state=ready')
  const told = [true, 'The address was changed after this was packed']
  const silent = [false, undefined]
  await save('Malmö')
  await read()
  expect(await isTold()).toEqual(silent)
  await save('Malmo')
  const late = 'The address was changed after it was printed or exported'
  expect(await isTold()).toEqual([false, late])
  t.clock.advance(60)
  await read()
  expect(await isTold()).toEqual(silent)
  expect(await move('packed')).toBeUndefined()
  expect(await isTold()).toEqual(silent)
  await save('Lund')
  expect(await isTold()).toEqual(told)
  expect(await move('ready', 'packed')).toBe(late)
  expect(await isTold()).toEqual(silent)
  await move('sent', 'returned')
  t.clock.advance(60)
  const print = (purpose: string) =>
    boss.send('POST', `/api/admin/prize-claims/${claimId}/reading?for=${purpose}`)
  await print('label')
  await save('Ystad', 0)
  await print('screen')
  expect(await move('packed')).toBe(late)
  expect(await isTold()).toEqual(silent)
  await save('Lund')
  expect(await isTold()).toEqual(told)
})
