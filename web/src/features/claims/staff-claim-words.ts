// The words and rules of the Prize Claims tab that stand in more than one place.

import type { AdminClaim, Delivery } from '@redpack/contract'
import { claimHitsMax } from '@redpack/contract/limits'
import { ApiError } from '../../lib/api-error.ts'
import { formatNumber } from '../../lib/format.ts'

/** This tab acts on what is not completed; the prizes dialog of a user deletes any. */
export function isOpenClaim(claim: AdminClaim): boolean {
  return claim.status !== 'completed' && claim.deletedAt === null && !claim.isAutoCompleted
}

/** What ends a claim is called: one in the works has been approved already. */
export function approveWord({ status }: Pick<AdminClaim, 'status'>): string {
  return status === 'processing' ? 'Complete' : 'Approve'
}

/** How many match filter and search, and how many stand in all. */
export function countLine(matching: number, total: number, isSearch: boolean): string {
  const line = `Showing ${formatNumber(matching)} of ${formatNumber(total)} total claims`
  const isCut = isSearch && matching >= claimHitsMax
  return isCut
    ? `${line}. A search ends at ${formatNumber(matching)}: say more to find others`
    : line
}

const deliveryLabels: Readonly<Record<keyof Delivery, string>> = {
  name: 'Name',
  addressLines: 'Address',
  city: 'City',
  postalCode: 'Postal code',
  country: 'Country',
  phone: 'Phone',
  note: 'Note',
}

interface DeliveryLine {
  readonly label: string
  readonly value: string
}

/** What is stored about where a prize goes, whatever its form, in the order of an envelope. */
export function deliveryLines(contactInfo: AdminClaim['contactInfo']): DeliveryLine[] {
  if (contactInfo === null) return []
  if (typeof contactInfo === 'string') return [{ label: 'Details', value: contactInfo }]
  const known = Object.keys(deliveryLabels)
  const others = Object.keys(contactInfo).filter((key) => !known.includes(key))
  return [...known, ...others].flatMap((key) => {
    const value = contactInfo[key]
    if (value === undefined || value === null || value === '') return []
    const label = deliveryLabels[key as keyof Delivery] ?? key
    if (Array.isArray(value)) return [{ label, value: value.join('\n') }]
    return [{ label, value: typeof value === 'object' ? JSON.stringify(value) : String(value) }]
  })
}

/** Why the list could not be loaded: status, words and body of the answer. */
export function loadErrorText(error: Error): string {
  const message =
    error instanceof ApiError ? `${error.status} ${error.statusText}: ${error.body}` : error.message
  return `Error loading prize claims: ${message}`
}
