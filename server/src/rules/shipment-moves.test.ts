// Which ways a shipment may go, whoever moves it.

import { type ShipmentState, shipmentStates } from '@redpack/contract/shipment-states'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  type Mover,
  moveRefusal,
  shipmentMoves,
  statesForStatus,
  statusOfShipment,
  trackingNumberFrom,
  trackingUrlFrom,
} from './shipment-moves.ts'

const movers: readonly Mover[] = ['winner', 'staff', 'file', 'job']
const anyMove = fc.record({
  to: fc.constantFrom(...shipmentStates),
  by: fc.constantFrom(...movers),
})
const ended = (state: ShipmentState) => statusOfShipment(state) === 'completed'

it('moves a shipment as the table says, never out of its end, whatever is tried', () => {
  fc.assert(
    fc.property(fc.array(anyMove, { maxLength: 30 }), (tries) => {
      let state: ShipmentState = 'address_wanted'
      for (const { to, by } of tries) {
        const refusal = moveRefusal(state, to, by)
        expect(refusal === undefined).toBe(shipmentMoves[state][to]?.includes(by) === true)
        if (refusal !== undefined) {
          expect(refusal).toMatchObject({
            code: 'shipment_state',
            details: { errors: [{ current: state }] },
          })
          continue
        }
        expect(ended(state)).toBe(false)
        expect(to).not.toBe(state)
        if (to === 'lapsed') expect([state, by]).toEqual(['address_wanted', 'job'])
        if (to === 'declined') expect([statusOfShipment(state), by]).toEqual(['pending', 'winner'])
        state = to
      }
    }),
  )
})

it('lets the winner say where to, decline before it is packed, and say that it came', () => {
  const own = shipmentStates.flatMap((from) =>
    shipmentStates.flatMap((to) => (moveRefusal(from, to, 'winner') ? [] : [`${from} ${to}`])),
  )
  expect(own).toEqual([
    'address_wanted ready',
    'address_wanted declined',
    'ready declined',
    'sent delivered',
  ])
})

it('lets staff end every open shipment and reach the state of every other status', () => {
  for (const from of shipmentStates.filter((state) => !ended(state))) {
    expect(moveRefusal(from, 'delivered', 'staff')).toBeUndefined()
    for (const status of ['pending', 'processing'] as const) {
      for (const to of Object.values(statesForStatus(status))) {
        if (statusOfShipment(from) === status) continue
        expect(statusOfShipment(to)).toBe(status)
        expect(moveRefusal(from, to, 'staff')).toBeUndefined()
      }
    }
  }
})

it('keeps numbers of couriers without white space and takes nothing that is none', () => {
  expect(trackingNumberFrom(' 1Z 999 AA1 ')).toBe('1Z999AA1')
  for (const text of [
    '',
    '  ',
    '=1+1',
    'a/b',
    'x'.repeat(61),
    '12;3',
    '<b>',
    'PR-79YYZTXN',
    'pr-7',
  ]) {
    expect(trackingNumberFrom(text)).toBeUndefined()
  }
  expect(trackingUrlFrom('https://a.example/{number}?x', 'RB1.2')).toBe('https://a.example/RB1.2?x')
})
