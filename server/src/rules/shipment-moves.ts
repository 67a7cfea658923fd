// How a shipment may move, who moves it, and what that makes of the claim's status.

import { trackingNumberMax } from '@redpack/contract/limits'
import type { ShipmentState } from '@redpack/contract/shipment-states'
import { DomainError } from '../shared/domain-error.ts'
import type { ClaimState } from './claim-steps.ts'

/** `file` is a courier's file that staff apply, `job` the clock. */
export type Mover = 'winner' | 'staff' | 'file' | 'job'

type Moves = Readonly<Partial<Record<ShipmentState, readonly Mover[]>>>

/** Every move that there is. What staff set back is a mistake undone. */
export const shipmentMoves: Readonly<Record<ShipmentState, Moves>> = {
  address_wanted: {
    ready: ['winner', 'staff'],
    packed: ['staff'],
    delivered: ['staff'],
    declined: ['winner'],
    lapsed: ['job'],
  },
  ready: {
    address_wanted: ['staff'],
    packed: ['staff'],
    sent: ['staff', 'file'],
    delivered: ['staff'],
    declined: ['winner'],
  },
  packed: {
    address_wanted: ['staff'],
    ready: ['staff'],
    sent: ['staff', 'file'],
    delivered: ['staff'],
  },
  sent: {
    address_wanted: ['staff'],
    ready: ['staff'],
    delivered: ['winner', 'staff', 'job'],
    returned: ['staff'],
  },
  returned: {
    address_wanted: ['staff'],
    ready: ['staff'],
    packed: ['staff'],
    delivered: ['staff'],
  },
  delivered: {},
  declined: {},
  lapsed: {},
}

const statuses: Readonly<Record<ShipmentState, ClaimState>> = {
  address_wanted: 'pending',
  ready: 'pending',
  packed: 'processing',
  sent: 'processing',
  returned: 'processing',
  delivered: 'completed',
  declined: 'completed',
  lapsed: 'completed',
}

/** The status of a claim whose shipment is in this state. */
export function statusOfShipment(state: ShipmentState): ClaimState {
  return statuses[state]
}

/** The states that a status stands for when it is the status that staff set. */
export function statesForStatus(status: ClaimState): {
  readonly withAddress: ShipmentState
  readonly without: ShipmentState
} {
  if (status === 'completed') return { withAddress: 'delivered', without: 'delivered' }
  if (status === 'processing') return { withAddress: 'packed', without: 'packed' }
  return { withAddress: 'ready', without: 'address_wanted' }
}

const words: Readonly<Record<ShipmentState, string>> = {
  address_wanted: 'needs an address',
  ready: 'is not packed yet',
  packed: 'is packed',
  sent: 'is on its way',
  delivered: 'was delivered',
  returned: 'came back',
  declined: 'was declined by the winner',
  lapsed: 'was given up because nobody said where to send it',
}

/** Why somebody may not move a shipment so, or undefined. The sentence says the state it is in. */
export function moveRefusal(
  from: ShipmentState,
  to: ShipmentState,
  mover: Mover,
): DomainError | undefined {
  if (shipmentMoves[from][to]?.includes(mover)) return undefined
  const message = `This prize ${words[from]}`
  return new DomainError('shipment_state', message, {
    errors: [{ path: 'state', message, current: from }],
  })
}

/**
 * A courier's number as it is kept: without white space, which people and files put into it.
 * Undefined for what is none: 1 to 60 letters, digits, dots, dashes and underscores; nor is a Claim
 * ID one, which a scanner reads from our own label beside the courier's.
 */
export function trackingNumberFrom(text: string): string | undefined {
  const number = text.replace(/\s+/g, '')
  const isOne = /^(?!PR-)[A-Z0-9][A-Z0-9._-]*$/i.test(number) && number.length <= trackingNumberMax
  return isOne ? number : undefined
}

/** Where a courier shows how far a number has come. */
export function trackingUrlFrom(template: string, number: string): string {
  return template.replace('{number}', encodeURIComponent(number))
}
