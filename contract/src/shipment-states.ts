// The states of a shipment, in order.

export const shipmentStates = [
  'address_wanted',
  'ready',
  'packed',
  'sent',
  'delivered',
  'returned',
  'declined',
  'lapsed',
] as const
export type ShipmentState = (typeof shipmentStates)[number]

/** States with work left before the prize is sent. */
export const unsentStates: readonly ShipmentState[] = ['address_wanted', 'ready', 'packed']
