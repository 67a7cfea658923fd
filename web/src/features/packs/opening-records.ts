// Keeps openings on this device until their results have been seen: sent, answered, seen, closed.

import type {
  DeliveryTerms,
  EstimatedValue,
  OpeningResult,
  OpenPacksRequest,
  OpenPacksResponse,
} from '@redpack/contract'
import { type Check, isCount, isText, listOf, orNull, parsed, shaped } from '@redpack/fair/bytes'
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

/** What is kept under a name; undefined for nothing, and for what cannot be read. */
const kept = (name: string) => parsed(keptInBrowser(name) ?? '')

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

const isNumber: Check<number> = (value): value is number => Number.isFinite(value)
const isFlag: Check<boolean> = (value): value is boolean => typeof value === 'boolean'
const orAbsent =
  <T>(holds: Check<T>): Check<T | undefined> =>
  (value): value is T | undefined =>
    value === undefined || holds(value)

/** Names every field, so that a new one is not forgotten here. */
type Checks<T> = Record<keyof T, Check<unknown>>

type Result = OpenPacksResponse['results'][number]

const isOrder = shaped({
  packTypeId: isCount,
  quantity: isCount,
  oddsHash: orAbsent(isText),
  entropy: orAbsent(isText),
  commitment: orAbsent(isText),
} satisfies Checks<Required<OpenPacksRequest>>)
const isTerms = shaped({
  deadlineDays: orNull(isCount),
  countries: listOf(isText),
  estimatedValue: orNull(
    shaped({ amount: isNumber, currency: isText } satisfies Checks<EstimatedValue>),
  ),
  questions: orAbsent(listOf(isText)),
} satisfies Checks<DeliveryTerms>)
const isPrize = shaped({
  id: isCount,
  name: isText,
  description: isText,
  imageData: orNull(isText),
  imageType: orNull(isText),
  imageUrl: orAbsent(orNull(isText)),
  claimInstructions: isText,
  redCoinAmount: isCount,
  delivery: orAbsent(orNull(isTerms)),
} satisfies Checks<NonNullable<Result['prize']>>)
const isResult = shaped({
  won: isFlag,
  prizeId: orNull(isCount),
  prize: orNull(isPrize),
  claimId: orNull(isText),
  redCoinEarned: isCount,
} satisfies Checks<Result>)
const isProof = shaped({
  requestId: isText,
  chainId: isCount,
  index: isCount,
  commitment: isText,
  serverSeed: isText,
  entropy: isText,
  entropyFrom: isText,
  tableHash: isText,
  nextCommitment: isText,
} satisfies Checks<OpenPacksResponse['proof']>)
const isAnswer = shaped({
  results: listOf(isResult),
  proof: isProof,
  updatedBalance: isCount,
} satisfies Checks<OpenPacksResponse>)
const isStored = shaped({
  key: isText,
  userId: isCount,
  order: isOrder,
  sentAt: isNumber,
  answer: orNull(isAnswer),
  isProven: orAbsent(isFlag),
} satisfies Checks<Required<StoredOpening>>)
const isProgress = shaped({ seen: isCount, isClosed: isFlag } satisfies Checks<OpeningProgress>)
