// How far each shipment has come stands in the public log, once and in order; and every lie
// about it is noticed by whoever reads the log, or by the books.

import type { ShipmentState } from '@redpack/contract/shipment-states'
import { courseOf, stepsAfter } from '@redpack/fair/delivery-record'
import { entryOfText } from '@redpack/fair/entries'
import { Replay } from '@redpack/fair/replay'
import { checkSaved, type OpeningProof } from '@redpack/fair/verify'
import { beforeEach, describe, expect, it } from 'vitest'
import { createTestDeps, type Person, useTestDeps } from '../../../test/deps.ts'
import { nodeHashing } from '../../adapters/random/hashing.ts'
import { shipmentMoves } from '../../rules/shipment-moves.ts'
import { brokenLog } from '../books/broken-log.ts'
import { runInvariant } from '../books/invariants.ts'
import { moveDueShipments } from '../claims/change-shipments.ts'
import { eraseOldDeliveries } from '../claims/deliveries.ts'
import { keepLog, servedKey } from './public-log.ts'

const t = useTestDeps({ SEED_DEMO: 'off' })
const daySeconds = 86_400
const home = { name: 'Ana', addressLines: ['1 Street'], city: 'Malmö', country: 'Sweden' }
let ana: Person
let boss: Person
let caps: number
let prize: number
let claims: string[]
let wonAt: number

/** Ana has won three caps of ten, with 14 days to say where to. */
beforeEach(async () => {
  wonAt = t.clock.now().getTime()
  caps = await t.packType('Caps')
  prize = await t.prize('Cap', { packTypeIds: [caps], totalPacks: 1, stock: 10 })
  boss = await t.person('boss', { role: 'admin' })
  await boss.send('PUT', `/api/admin/prizes/${prize}`, { deadlineDays: 14 })
  ana = await t.person('ana', { packs: { [caps]: 5 } })
  await ana.open(caps, 3)
  const rows = await t.rows<{ claim_id: string }>('SELECT claim_id FROM prize_claims ORDER BY id')
  claims = rows.map(({ claim_id }) => claim_id)
})

/** The day in UTC so many days after the win. */
const dayAt = (days: number) =>
  new Date(wonAt + days * daySeconds * 1000).toISOString().slice(0, 10)
const pass = (days: number) => t.clock.advance(days * daySeconds)
const saveAddress = (index = 0) =>
  ana.send('PUT', `/api/user/prize-claims/${claims[index]}/delivery`, home)
const to = (state: string, index = 0) =>
  boss.send('PATCH', '/api/admin/shipments', { claimIds: [claims[index]], state })
const extend = (deadline: string | null, index = 0) =>
  boss.send('PATCH', '/api/admin/shipments', { claimIds: [claims[index]], deadline })
const bodies = async () =>
  (await t.rows<{ body: string }>('SELECT body FROM log_entries ORDER BY index')).map(
    ({ body }) => body,
  )
/** Steps of one pack, as `step day due`. */
const steps = async (position = 0) => {
  await keepLog(t.deps)
  return (await bodies())
    .map((body) => JSON.parse(body))
    .filter((entry) => entry.type === 'shipment' && entry.position === position)
    .map(({ step, day, due }) => `${step} ${day} ${due}`)
}
const read = (texts: readonly string[]) => {
  const replay = new Replay(nodeHashing)
  for (const text of texts) replay.take(text)
  return replay
}
const faults = async () => {
  await keepLog(t.deps)
  return read(await bodies()).faults.map(({ text }) => text)
}
const problems = async () => (await runInvariant(t.db, brokenLog)).rows.map((row) => row['problem'])
const figures = async () => {
  t.clock.advance(2)
  return await boss.read('/api/fairness/deliveries')
}
const staffSignInAgain = async () => {
  boss = await t.person('boss2', { role: 'admin' })
}

it('has the public steps in the order of the moves that there are', () => {
  const publicOf = (state: ShipmentState) =>
    state === 'address_wanted' ? 'wanted' : state === 'packed' ? 'ready' : state
  const moves: Record<string, Set<string>> = {}
  for (const [from, goals] of Object.entries(shipmentMoves)) {
    const step = publicOf(from as ShipmentState)
    moves[step] ??= new Set()
    for (const goal of Object.keys(goals)) moves[step].add(publicOf(goal as ShipmentState))
    moves[step].delete(step)
  }
  const told = Object.entries(stepsAfter).map(([step, next]) => [step, new Set<string>(next)])
  expect(moves).toEqual(Object.fromEntries(told))
})

describe('the steps in the log', () => {
  it('begin right behind the opening, follow each move once, and name nobody', async () => {
    await t.expectTrueBooks()
    await keepLog(t.deps)
    const entries = (await bodies()).map((body) => JSON.parse(body))
    const opening = entries.findIndex(({ type }) => type === 'opening')
    const id = entries[opening].id
    expect(entries.slice(opening + 1)).toEqual(
      [0, 1, 2].map((position) => ({
        ...{ type: 'shipment', opening: id, position, step: 'wanted' },
        ...{ day: dayAt(0), due: dayAt(14) },
      })),
    )
    pass(1)
    await saveAddress()
    await staffSignInAgain()
    await to('packed')
    await to('ready')
    await to('sent')
    await to('returned')
    await to('address_wanted')
    expect(await steps()).toEqual([
      `wanted ${dayAt(0)} ${dayAt(14)}`,
      ...['ready', 'sent', 'returned', 'wanted'].map((step) => `${step} ${dayAt(1)} ${dayAt(14)}`),
    ])
    expect(await faults()).toEqual([])
    await t.expectTrueBooks()
    expect(JSON.stringify(await bodies())).not.toMatch(/ana|boss|PR-|Street/)
  })

  it('go back to no earlier day, whichever of two clocks each of them is dated by', async () => {
    const behind = await createTestDeps(t.db)
    const late = await behind.person('late', { role: 'admin' })
    pass(1)
    await saveAddress()
    for (const state of ['sent', 'returned']) {
      await late.send('PATCH', '/api/admin/shipments', { claimIds: [claims[0]], state })
    }
    await late.send('DELETE', `/api/admin/prize-claims/${claims[0]}`)
    expect(await steps()).toEqual([
      `wanted ${dayAt(0)} ${dayAt(14)}`,
      ...['ready', 'sent', 'returned', 'withdrawn'].map(
        (step) => `${step} ${dayAt(1)} ${dayAt(14)}`,
      ),
    ])
    await t.expectTrueBooks()
    await behind.app.close()
  })

  it('tell a later deadline, a deletion and its undo, and an approval', async () => {
    await extend(`${dayAt(26)}T10:00:00Z`)
    await boss.send('DELETE', `/api/admin/prize-claims/${claims[0]}`)
    const [claim] = await t.rows<{ id: number }>('SELECT min(id) AS id FROM prize_claims')
    await boss.send('POST', '/api/admin/prize-claims/restore', { ids: [claim!.id] })
    await extend(null)
    await boss.send('PATCH', `/api/admin/prize-claims/${claims[0]}`, { status: 'completed' })
    const [day, later] = [dayAt(0), dayAt(26)]
    expect(await steps()).toEqual([
      `wanted ${day} ${dayAt(14)}`,
      `wanted ${day} ${later}`,
      `withdrawn ${day} ${later}`,
      `wanted ${day} ${later}`,
      `wanted ${day} null`,
      `delivered ${day} null`,
    ])
    expect(await faults()).toEqual([])
    await t.expectTrueBooks()
  })

  it('hold again as they are when an address was erased while the claim was deleted', async () => {
    await saveAddress()
    await boss.send('DELETE', '/api/admin/prize-claims')
    pass(100)
    expect(await eraseOldDeliveries(t.deps)).toBe(1)
    await staffSignInAgain()
    const ids = (await t.rows<{ id: number }>('SELECT id FROM prize_claims')).map(({ id }) => id)
    await boss.send('POST', '/api/admin/prize-claims/restore', { ids })
    expect((await steps()).map((step) => step.split(' ')[0])).toEqual([
      'wanted',
      'ready',
      'withdrawn',
      'wanted',
    ])
    expect(await faults()).toEqual([])
    await t.expectTrueBooks()
  })

  it('tells the units of prizes that lapse at once in the order of their steps', async () => {
    // Rows that were written anew stand behind the others.
    for (const index of [0, 1]) await extend(`${dayAt(30)}T12:00:00.000Z`, index)
    await extend(`${dayAt(20)}T12:00:00.000Z`, 0)
    pass(31)
    await moveDueShipments(t.deps)
    expect(await faults()).toEqual([])
    expect(await problems()).toEqual([])
  })

  it('give a unit back in the very next entry, once, also beside a sold-out stock', async () => {
    await ana.send('POST', `/api/user/prize-claims/${claims[1]}/decline`)
    await saveAddress()
    pass(15)
    await moveDueShipments(t.deps)
    await staffSignInAgain()
    const [last] = await t.rows<{ id: number }>('SELECT max(id) AS id FROM prize_claims')
    await boss.send('DELETE', `/api/admin/prize-claims/${claims[2]}`)
    await boss.send('POST', '/api/admin/prize-claims/restore', { ids: [last!.id] })
    await keepLog(t.deps)
    const told = (await bodies()).map((body) => JSON.parse(body))
    const given = told.flatMap(({ step }, at) =>
      step === 'declined' || step === 'lapsed'
        ? [[step, told[at + 1]?.type, told[at + 1]?.after]]
        : [],
    )
    expect(given).toEqual([
      ['declined', 'stock', 8],
      ['lapsed', 'stock', 9],
      ['lapsed', undefined, undefined],
    ])
    expect(await faults()).toEqual([])
    await t.expectTrueBooks()
  })

  it('give no unit back that the win did not take', async () => {
    const type = await t.packType('Mugs')
    const mug = await t.prize('Mug', { packTypeIds: [type], totalPacks: 1 })
    const limit = (inventoryQuantity: number | null) =>
      boss.send('PUT', `/api/admin/prizes/${mug}`, { deadlineDays: 14, inventoryQuantity })
    await limit(null)
    const ben = await t.person('ben', { packs: { [type]: 3 } })
    await ben.open(type, 2)
    await limit(5)
    await ben.open(type)
    const stock = () => t.value('SELECT inventory_quantity FROM prizes WHERE id = $1', [mug])
    const [unlimited] = await t.column<string>(
      'SELECT claim_id FROM prize_claims WHERE prize_id = $1 ORDER BY id LIMIT 1',
      [mug],
    )
    await ben.send('POST', `/api/user/prize-claims/${unlimited}/decline`)
    expect(await stock()).toBe(4)
    pass(15)
    await moveDueShipments(t.deps)
    expect(await stock()).toBe(5)
    expect(await faults()).toEqual([])
    await t.expectTrueBooks()
  })

  it('are none of what is not sent, and come of packs with something beside them', async () => {
    const type = await t.packType('Both')
    const always = { winFrequency: 1, totalPacks: 1, rewardPackTypeId: type, rewardPackQuantity: 1 }
    const other = await t.packType('Other')
    await t.prize('Set', { packTypeIds: [type], ...always, isAlsoSent: true })
    await t.prize('Packs', { packTypeIds: [other], ...always })
    const ben = await t.person('ben', { packs: { [type]: 1, [other]: 1 } })
    for (const packTypeId of [type, other]) await ben.open(packTypeId)
    expect(await steps()).toEqual([`wanted ${dayAt(0)} ${dayAt(14)}`, `wanted ${dayAt(0)} null`])
    expect(await faults()).toEqual([])
    await t.expectTrueBooks()
  })
})

describe('the figures', () => {
  it('are counted from the log alone, and show what is overdue', async () => {
    const none = {
      ...{ won: 0, addressWanted: 0, ready: 0, sent: 0, delivered: 0, returned: 0, lapsed: 0 },
      ...{ declined: 0, withdrawn: 0, overdue: 0, medianDaysToSent: null },
    }
    expect(await figures()).toEqual(none)
    await keepLog(t.deps)
    expect(await figures()).toEqual({ ...none, won: 3, addressWanted: 3 })
    for (const index of [0, 1]) await saveAddress(index)
    pass(4)
    await staffSignInAgain()
    await to('sent')
    pass(10)
    await keepLog(t.deps)
    // The last day is still in time.
    expect(await figures()).toMatchObject({ overdue: 0 })
    pass(1)
    const late = { won: 3, addressWanted: 1, ready: 1, sent: 1, overdue: 2, medianDaysToSent: 4 }
    expect(await figures()).toEqual({ ...none, ...late })
    const replay = read(await bodies())
    expect(replay.record.words(dayAt(15))).toBe('1 of 3 sent, median 4 days, 2 overdue')
    await t.plant('UPDATE delivery_counts SET shipments = shipments + 1 WHERE days IS NOT NULL')
    expect(await problems()).toContain('the number of shipments is wrong')
  })
})

it('stands in the proof file of its winner, and nothing else is taken for it', async () => {
  await saveAddress()
  await keepLog(t.deps)
  const [first, second] = await t.rows<{ id: number }>('SELECT id FROM pack_openings ORDER BY id')
  const proofOf = async (id: number): Promise<OpeningProof> =>
    await ana.read(`/api/fairness/openings/${id}/proof`)
  const proof = await proofOf(first!.id)
  const key = await servedKey(t.db)
  const found = await checkSaved(proof, key)
  expect(found.verdict).toBe('passed')
  expect(found.steps.at(-1)?.text).toBe(
    `The log tells of it: wanted on ${dayAt(0)}, ready on ${dayAt(0)}.`,
  )
  const { steps: others = [] } = await proofOf(second!.id)
  for (const bent of [others, [...proof.steps!, proof.steps![1]!]]) {
    expect((await checkSaved({ ...proof, steps: bent }, key)).verdict).toBe('failed')
  }
})

it.each([
  ['ready', 'sent', true],
  ['sent', 'delivered', true],
  ['withdrawn', 'ready', false],
])('is right where the newest steps begin with the deletion of one that was %s', (...told) => {
  const [held, next, isRight] = told
  const entries = ['withdrawn', held, next].map((step) => {
    const entry = { type: 'shipment', opening: 'r', position: 0, step, day: dayAt(0), due: null }
    return entryOfText(JSON.stringify(entry))
  })
  expect(courseOf(entries, { requestId: 'r', position: 0 }).isRight).toBe(isRight)
})

describe('an attack is noticed', () => {
  const request = '(SELECT request_id FROM log_requests)'
  const queue =
    (step: string, due = 14, position = 0) =>
    () =>
      `INSERT INTO log_queue (kind, ref, body) SELECT 'shipment', min(id)::text,
      '{"type":"shipment","opening":"' || ${request} || '","position":${position},"step":"${step}",'
      || '"day":"${dayAt(0)}","due":"${dayAt(due)}"}' FROM shipments`
  const notSaid = 'the log does not say how far its shipment is'

  it.each<[string, string | (() => string), string]>([
    ['a state moved behind the back of the log', `UPDATE shipments SET state = 'ready'`, notSaid],
    ['a deadline moved in the database', `UPDATE shipments SET deadline = now()`, notSaid],
    ['a claim deleted without a word', `UPDATE prize_claims SET deleted_at = now()`, notSaid],
    ['a step that never was', queue('ready'), notSaid],
    ['a step left out', `DELETE FROM log_entries WHERE body LIKE '%"wanted"%'`, notSaid],
    ['a shipment of nothing', queue('wanted', 14, 9), 'there is no such shipment'],
    [
      'another beginning',
      `UPDATE shipments SET won_deadline = won_deadline + interval '9 days'`,
      'its shipment has begun otherwise',
    ],
  ])('by the books: %s', async (_name, sql, problem) => {
    await keepLog(t.deps)
    expect(await problems()).toEqual([])
    await t.plant(typeof sql === 'string' ? sql : sql())
    await keepLog(t.deps)
    expect(await problems()).toContain(problem)
  })

  it.each([
    ['a step out of order', queue('sent')],
    ['the same row again', queue('wanted')],
    ['a deadline moved back', queue('ready', 13)],
    ['a lapse before its deadline', queue('lapsed')],
  ])('by the appender, which sets it aside: %s', async (_name, sql) => {
    await keepLog(t.deps)
    await t.plant(sql())
    await keepLog(t.deps)
    expect(await steps()).toEqual([`wanted ${dayAt(0)} ${dayAt(14)}`])
    expect(await t.column('SELECT set_aside IS NOT NULL AS aside FROM log_queue')).toEqual([true])
    expect((await problems()).length).toBeGreaterThan(0)
  })

  it('by a reader: the steps of a win left out, also when none was ever told', async () => {
    await keepLog(t.deps)
    const texts = await bodies()
    expect(read(texts).faults).toEqual([])
    const others = texts.filter((text) => !text.includes('"shipment"'))
    expect(read([...others, others[0]!]).faults.map(({ text }) => text)).toContainEqual(
      expect.stringContaining('has to follow'),
    )
  })

  it('by a reader: a deadline where the win had none', async () => {
    await extend(`${dayAt(26)}T10:00:00Z`)
    await keepLog(t.deps)
    const ofFirst = (body: string) => body.includes('"position":0') && body.includes(dayAt(14))
    const texts = (await bodies()).map((body) =>
      ofFirst(body) ? body.replace(`"${dayAt(14)}"}`, 'null}') : body,
    )
    expect(read(texts).faults.map(({ text }) => text)).toEqual([
      expect.stringContaining('sets a deadline where the win had none'),
    ])
  })

  it('by no reader: a code that was won, and is not sent', async () => {
    const keys = await t.packType('Keys')
    const body = { name: 'Key', winFrequency: 1, totalPacks: 1, packTypeIds: [keys] }
    const made = await boss.send('POST', '/api/admin/prizes', { ...body, deliversCodes: true })
    const path = `/api/admin/prizes/${made.json().id}/codes`
    await boss.send('POST', path, { codes: ['AAAA', 'BBBB'] })
    const ben = await t.person('ben', { packs: { [keys]: 2 } })
    const order = { packTypeId: keys, quantity: 1 }
    for (const _ of [1, 2])
      expect((await ben.send('POST', '/api/packs/open', order)).statusCode).toBe(200)
    await keepLog(t.deps)
    const texts = await bodies()
    expect(texts.join()).toContain('"limited":true,"deliversCodes":true}')
    expect(read(texts).faults).toEqual([])
  })

  it('by a reader: a lapse without its stock entry', async () => {
    await keepLog(t.deps)
    await t.rows(
      `UPDATE shipments SET state = 'lapsed', updated_at = deadline
       WHERE id = (SELECT min(id) FROM shipments)`,
    )
    await keepLog(t.deps)
    await ana.open(caps)
    expect(await faults()).toEqual([
      expect.stringContaining(`a unit of prize ${prize} has to go back into stock`),
    ])
  })
})
