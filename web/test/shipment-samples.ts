// Shipments for tests: as their winner sees them, and as staff do.

import type { AdminShipment, ClaimReading, Shipment, ShipmentsPage } from '@redpack/contract'

export const wonAt = '2026-11-20T10:00:00.000Z'

export const wanted: Shipment = {
  state: 'address_wanted',
  deadline: '2026-12-04T10:00:00.000Z',
  courier: null,
  trackingNumber: null,
  trackingUrl: null,
  sentAt: null,
  canDecline: true,
  hasCode: false,
  countries: [],
  estimatedValue: null,
}

/** What staff read of a claim before they send its prize, different where the test says so. */
export function sampleReading(change: Partial<ClaimReading> = {}): ClaimReading {
  return {
    ...{ claimId: 'PR-1', contactInfo: { name: 'Ana Costa', city: 'Porto' } },
    ...{ claimInstructions: '', hasCode: false, imageData: null, imageType: null },
    ...{ timeline: [], ...change },
  }
}

const counts = {
  ...{ address_wanted: 1, ready: 2, packed: 0, sent: 0, delivered: 0, returned: 0 },
  ...{ declined: 0, lapsed: 0, overdue: 1, mine: 0 },
}

export function row(number: number, change: Partial<AdminShipment> = {}): AdminShipment {
  const { canDecline: _can, hasCode: _has, ...course } = wanted
  return {
    ...course,
    state: 'ready',
    claimId: `PR-${number}`,
    user: { id: number, username: `viewer${number}`, displayName: `Viewer ${number}` },
    prize: { id: 1, name: `Hoodie ${number}` },
    isOverdue: number === 1,
    hasNewerAddress: false,
    handler: null,
    wonAt,
    updatedAt: wonAt,
    ...change,
  }
}

export const pageOf = (shipments: AdminShipment[]): ShipmentsPage => ({
  ...{ shipments, counts, total: shipments.length },
  ...{ totalPages: 1, page: 1, limit: 50 },
})
