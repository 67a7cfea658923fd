// Keeps openings on this device until their results have been seen: sent, answered, seen, closed.

import type {
  DeliveryTerms,
  EstimatedValue,
  OpeningResult,
  OpenPacksRequest,
  OpenPacksResponse,
} from '@redpack/contract'
import { keepInBrowser, keptInBrowser } from '../../lib/browser-switch.ts'

/**
 * A request without an answer is sent again under the same key for this long. The server keeps keys
 * for at least a day; a key it has forgotten would open packs a second time.
 */
export const resendWithinMs = 20 * 60 * 60 * 1000

/** After this long nobody waits for the answer to a request of another tab or visit. */
export const answerWithinMs = 30_000

const recordPrefix = 'redpack:opening:'
const progressPrefix = 'redpack:opening-progress:'

export interface OpeningRecord extends StoredOpening, OpeningProgress {}

export type SentOpening = Omit<StoredOpening, 'answer' | 'isProven'>

const listeners = new Set<() => void>()
let version = 0
let snapshot = { version: -1, userId: 0, records: [] as readonly OpeningRecord[] }

/** Calls `listener` after every change, from this tab or another one; returns the way to stop. */
export function subscribeToOpenings(listener: () => void): () => void {
  const fromOtherTab = () => {
    version += 1
    listener()
  }
  listeners.add(listener)
  window.addEventListener('storage', fromOtherTab)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', fromOtherTab)
    // While nobody listens, storage may change unnoticed.
    if (listeners.size === 0) version += 1
  }
}

/** What `readOpenings` says now; the same list until something changes. */
export function currentOpenings(userId: number): readonly OpeningRecord[] {
  if (snapshot.version !== version || snapshot.userId !== userId) {
    snapshot = { version, userId, records: readOpenings(userId, Date.now()) }
  }
  return snapshot.records
}

function changed(): void {
  version += 1
  for (const listener of listeners) listener()
}

/** The openings of one user on this device, newest first, without requests too old to repeat. */
export function readOpenings(userId: number, now: number): OpeningRecord[] {
  return storedKeys()
    .map(readOpening)
    .filter((record): record is OpeningRecord => record !== null && record.userId === userId)
    .filter(({ answer, sentAt }) => answer !== null || Math.abs(now - sentAt) < resendWithinMs)
    .sort((left, right) => right.sentAt - left.sentAt)
}

/** Keeps a request before it leaves. Without room for it the opening goes on all the same. */
export function rememberSent(sent: SentOpening): void {
  write({ ...sent, answer: null })
}

/** Keeps the answer, so that a closed tab loses no result. Keeps nothing for an unknown key. */
export function rememberAnswer(key: string, answer: OpenPacksResponse, isProven: boolean): void {
  const record = readOpening(key)
  if (record) write({ ...record, answer, isProven })
}

/**
 * Keeps how far the results have been seen. Only the newest closed opening stays. Single steps are
 * not told to subscribers: the modal makes them and nothing behind it needs to know.
 */
export function rememberProgress(key: string, progress: OpeningProgress): void {
  if (!keptInBrowser(recordPrefix + key)) return
  if (progress.isClosed) forgetOtherClosed(key)
  writeItem(progressPrefix + key, JSON.stringify(progress))
  if (progress.isClosed) changed()
}

export function forgetOpening(key: string): void {
  removeItems(key)
  changed()
}

function forgetOtherClosed(key: string): void {
  for (const other of storedKeys()) {
    if (other !== key && readOpening(other)?.isClosed) removeItems(other)
  }
}

function storedKeys(): string[] {
  try {
    return Object.keys(localStorage)
      .filter((name) => name.startsWith(recordPrefix))
      .map((name) => name.slice(recordPrefix.length))
  } catch {
    return []
  }
}

/** Null for what an older version or another program has left behind. */
function readOpening(key: string): OpeningRecord | null {
  const stored = kept(recordPrefix + key)
  if (!isStored(stored)) return null
  const progress = kept(progressPrefix + key)
  // Seen from the beginning where that is not known.
  const seen = isProgress(progress) ? progress : { seen: 0, isClosed: false }
  return { ...(stored as StoredOpening), ...(seen as OpeningProgress) }
}

/** Prize pictures are large: when they do not fit, everything but them is kept. */
function write({ key, userId, order, sentAt, answer, isProven }: StoredOpening): void {
  const keep = (what: StoredOpening['answer']) => {
    const record = { key, userId, order, sentAt, isProven, answer: what }
    return writeItem(recordPrefix + key, JSON.stringify(record))
  }
  if (keep(answer) || (answer !== null && keep(withoutImages(answer)))) changed()
}

function withoutImages(answer: OpenPacksResponse): OpenPacksResponse {
  const plain = (result: OpeningResult): OpeningResult =>
    result.prize
      ? { ...result, prize: { ...result.prize, imageData: null, imageType: null } }
      : result
  return { ...answer, results: answer.results.map(plain) }
}

/** What is kept under a name; null for nothing, and for what cannot be read. */
function kept(name: string): unknown {
  try {
    return JSON.parse(keptInBrowser(name) ?? 'null')
  } catch {
    return null
  }
}

function writeItem(name: string, text: string): boolean {
  try {
    localStorage.setItem(name, text)
    return true
  } catch {
    return false
  }
}

function removeItems(key: string): void {
  keepInBrowser(recordPrefix + key, undefined)
  keepInBrowser(progressPrefix + key, undefined)
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
  readonly order: OpenPacksRequest
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

const isOrder = fields<Required<OpenPacksRequest>>({
  packTypeId: whole,
  quantity: whole,
  oddsHash: orAbsent(text),
  entropy: orAbsent(text),
  commitment: orAbsent(text),
})
const isTerms = fields<DeliveryTerms>({
  deadlineDays: orNull(whole),
  countries: list(text),
  estimatedValue: orNull(fields<EstimatedValue>({ amount: number, currency: text })),
  questions: orAbsent(list(text)),
})
const isPrize = fields<NonNullable<Result['prize']>>({
  id: whole,
  name: text,
  description: text,
  imageData: orNull(text),
  imageType: orNull(text),
  imageUrl: orAbsent(orNull(text)),
  claimInstructions: text,
  redCoinAmount: whole,
  delivery: orAbsent(orNull(isTerms)),
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
