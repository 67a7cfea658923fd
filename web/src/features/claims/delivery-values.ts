// The fields of the delivery form as texts, and the request they make.

import { addressLinesMax, type Delivery, SaveDeliveryRequest } from '@redpack/contract'
import type { DeliveryInput } from './delivery-queries.ts'

/** What the form holds; the address is one text with a line for each of its lines. */
export interface DeliveryValues {
  readonly name: string
  readonly address: string
  readonly city: string
  readonly postalCode: string
  readonly country: string
  readonly phone: string
  readonly note: string
}

export type DeliveryField = keyof DeliveryValues

const noValues: DeliveryValues = {
  name: '',
  address: '',
  city: '',
  postalCode: '',
  country: '',
  phone: '',
  note: '',
}

export function valuesOf(delivery: Delivery | null): DeliveryValues {
  if (delivery === null) return noValues
  const { addressLines, postalCode, phone, note, ...rest } = delivery
  return {
    ...rest,
    address: addressLines.join('\n'),
    postalCode: postalCode ?? '',
    phone: phone ?? '',
    note: note ?? '',
  }
}

function requestOf({ address, ...rest }: DeliveryValues): DeliveryInput {
  const addressLines = address
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return { ...rest, addressLines }
}

export type DeliveryErrors = Readonly<Partial<Record<DeliveryField, string>>>

/** What is sent, or the sentences about what is wrong: the server's own rules say both. */
export function checkDelivery(
  values: DeliveryValues,
): { readonly request: DeliveryInput } | { readonly errors: DeliveryErrors } {
  const request = requestOf(values)
  const result = SaveDeliveryRequest.safeParse(request)
  if (result.success) return { request }
  const errors: Partial<Record<DeliveryField, string>> = {}
  for (const { path, message } of result.error.issues) {
    const field = fieldOf(String(path[0]))
    if (field !== undefined) errors[field] ??= message
  }
  return { errors }
}

/** The field of the form that a path of the request is about. */
export function fieldOf(path: string): DeliveryField | undefined {
  const [first] = path.split('.')
  if (first === 'addressLines') return 'address'
  return Object.keys(noValues).find((field): field is DeliveryField => field === first)
}

export const addressHint = `Street and house, up to ${addressLinesMax} lines`
