// How far a shipment can have come, in the order in which it goes.

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

/** States in which something is still to be done before the prize is sent. */
export const unsentStates: readonly ShipmentState[] = ['address_wanted', 'ready', 'packed']
