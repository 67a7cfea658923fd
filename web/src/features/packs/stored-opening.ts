// What is kept of an opening on this device, and whether a text is that. Checked by hand: the
// library that checks forms would be the largest part of the screens that only look for these.

import type { OpenPacksResponse } from '@redpack/contract'

export interface OpeningOrder {
  readonly packTypeId: number
  readonly quantity: number
  /** The odds that were seen; a repeated request names the same ones. */
  readonly oddsHash?: string | undefined
  /** Random bytes of this browser, and the commitment that it was shown. */
  readonly entropy?: string | undefined
  readonly commitment?: string | undefined
}

export interface OpeningProgress {
  /** Results that have been on screen. */
  readonly seen: number
  /** True once the modal has been closed: then it is the last opening, no longer an unseen one. */
  readonly isClosed: boolean
}

export interface StoredOpening {
  /** The `Idempotency-Key` of the request. */
  readonly key: string
  /** Whose opening it is: results are never offered to somebody else on the same device. */
  readonly userId: number
  readonly order: OpeningOrder
  /** When it was first sent, in epoch milliseconds. */
  readonly sentAt: number
  readonly answer: OpenPacksResponse | null
  /** True once the answer proved itself in this browser. */
  readonly isProven?: boolean | undefined
}

type Check = (value: unknown) => boolean

const text: Check = (value) => typeof value === 'string'
const whole: Check = (value) => Number.isSafeInteger(value)
const number: Check = (value) => Number.isFinite(value)
const flag: Check = (value) => typeof value === 'boolean'
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value)
const orAbsent =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)
const list =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check)

function fields<T>(checks: Readonly<Record<keyof T, Check>>): Check {
  return (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries<Check>(checks).every(([name, check]) =>
      check((value as Record<string, unknown>)[name]),
    )
}

type Result = OpenPacksResponse['results'][number]

const isOrder = fields<Required<OpeningOrder>>({
  packTypeId: whole,
  quantity: whole,
  oddsHash: orAbsent(text),
  entropy: orAbsent(text),
  commitment: orAbsent(text),
})
const isPrize = fields<NonNullable<Result['prize']>>({
  id: whole,
  name: text,
  description: text,
  imageData: orNull(text),
  imageType: orNull(text),
  claimInstructions: text,
  redCoinAmount: whole,
})
const isResult = fields<Result>({
  won: flag,
  prizeId: orNull(whole),
  prize: orNull(isPrize),
  claimId: orNull(text),
  redCoinEarned: whole,
})
const isProof = fields<OpenPacksResponse['proof']>({
  requestId: text,
  chainId: whole,
  index: whole,
  commitment: text,
  serverSeed: text,
  entropy: text,
  entropyFrom: text,
  tableHash: text,
  nextCommitment: text,
})
const isAnswer = fields<OpenPacksResponse>({
  results: list(isResult),
  proof: isProof,
  updatedBalance: whole,
})
const isStored = fields<Required<StoredOpening>>({
  key: text,
  userId: whole,
  order: isOrder,
  sentAt: number,
  answer: orNull(isAnswer),
  isProven: orAbsent(flag),
})
const isProgress = fields<OpeningProgress>({ seen: whole, isClosed: flag })

/** Null for what an older version or another program has left behind. */
export function storedOpeningOf(value: unknown): StoredOpening | null {
  return isStored(value) ? (value as StoredOpening) : null
}

/** How far the results have been seen; from the beginning when that is not known. */
export function progressOf(value: unknown): OpeningProgress {
  return isProgress(value) ? (value as OpeningProgress) : { seen: 0, isClosed: false }
}
