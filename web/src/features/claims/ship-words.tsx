// What the states of a shipment are called, for winners and for those who ship.

import type { AdminShipment, Shipment, ShipmentState } from '@redpack/contract'
import { Badge, type BadgeProps } from '../../ui/feedback/state.tsx'
import { OutsideLink } from '../../ui/form/button.tsx'
import { spokenClaim } from './shared/claim-parts.tsx'

interface StateWords {
  /** To staff: what it is, or what is to be done. */
  readonly staff: string
  readonly winner: string
  readonly tone: NonNullable<BadgeProps['tone']>
}

export const stateWords: Readonly<Record<ShipmentState, StateWords>> = {
  address_wanted: {
    staff: 'Needs address',
    winner: 'Tell us where to send it',
    tone: 'warning',
  },
  ready: { staff: 'Needs packing', winner: 'Waiting to be packed', tone: 'accent' },
  packed: { staff: 'Needs sending', winner: 'Packed', tone: 'info' },
  sent: { staff: 'Sent', winner: 'On its way', tone: 'info' },
  delivered: { staff: 'Delivered', winner: 'Delivered', tone: 'success' },
  returned: { staff: 'Returned', winner: 'Came back to us', tone: 'danger' },
  declined: { staff: 'Declined', winner: 'You gave it up', tone: 'idle' },
  lapsed: { staff: 'Lapsed', winner: 'Expired: no address in time', tone: 'idle' },
}

/** For names of controls and for messages. */
export function shipmentName({ claimId, prize, user }: AdminShipment): string {
  return spokenClaim(claimId, prize.name, user.username)
}

export function StateBadge({ shipment }: { readonly shipment: AdminShipment }) {
  const { staff, tone } = stateWords[shipment.state]
  return (
    <span className="inline-flex flex-wrap gap-1.5">
      <Badge tone={tone}>{staff}</Badge>
      {shipment.isOverdue && <Badge tone="danger">Overdue</Badge>}
      {shipment.hasNewerAddress && <Badge tone="warning">New address</Badge>}
    </span>
  )
}

/** For whoever is about to send what is packed for another address. */
export function AddressWarning({ shipments }: { readonly shipments: readonly AdminShipment[] }) {
  const names = shipments.filter(({ hasNewerAddress }) => hasNewerAddress).map(shipmentName)
  if (names.length === 0) return null
  return (
    <p role="alert" className="font-semibold text-warning">
      {shipments.length === 1
        ? 'The address was changed after this was packed.'
        : `The address was changed after packing: ${names.join(', ')}`}
    </p>
  )
}

type Carriage = Pick<Shipment, 'courier' | 'trackingNumber' | 'trackingUrl'>

/** Whether its courier is of interest; what came back and goes out again gets another number. */
export function isCarried(shipment: Carriage & Pick<Shipment, 'state'>): boolean {
  const { state, courier, trackingNumber } = shipment
  const hasLeft = state === 'sent' || state === 'returned' || state === 'delivered'
  return hasLeft && (courier ?? trackingNumber) !== null
}

/** Who carries it and under which number, as a link where the courier shows how far it has come. */
export function CarriageLine({ courier, trackingNumber, trackingUrl }: Carriage) {
  const text = [courier, trackingNumber].filter(Boolean).join(' ')
  if (trackingUrl === null) return <span className="wrap-anywhere">{text}</span>
  return (
    <OutsideLink
      href={trackingUrl}
      className="inline-flex min-h-11 items-center gap-1.5 wrap-anywhere text-accent-text underline"
    >
      {text}
    </OutsideLink>
  )
}
