// Keeps openings on this device until their results have been seen: sent, answered, seen, closed.

import type {
  DeliveryTerms,
  DrawProof,
  EstimatedValue,
  OpeningResult,
  OpenPacksRequest,
  OpenPacksResponse,
  WonPrize,
} from '@redpack/contract'
import { fits, isCount, isText, listOf, orNull, type Shape } from '@redpack/fair/bytes'
import { keepInBrowser, keptInBrowser } from '../../lib/browser-switch.ts'
import { resendWithinMs } from '../../lib/use-call.ts'

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
  return { ...stored, ...(isProgress(progress) ? progress : { seen: 0, isClosed: false }) }
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

const isNumber = (value: unknown): value is number => Number.isFinite(value)
const isFlag = (value: unknown): value is boolean => typeof value === 'boolean'
const orAbsent = (check: (value: unknown) => boolean) => (value: unknown) =>
  value === undefined || check(value)
/** An object with all fields of a type of the contract. */
const fields =
  <T extends object>(shape: Shape<T>) =>
  (value: unknown): value is T =>
    fits(shape, value)

const isOrder = fields<OpenPacksRequest>({
  packTypeId: isCount,
  quantity: isCount,
  oddsHash: orAbsent(isText),
  entropy: orAbsent(isText),
  commitment: orAbsent(isText),
})
const isTerms = fields<DeliveryTerms>({
  deadlineDays: orNull(isCount),
  countries: listOf(isText),
  estimatedValue: orNull(fields<EstimatedValue>({ amount: isNumber, currency: isText })),
  questions: orAbsent(listOf(isText)),
})
const isPrize = fields<WonPrize>({
  id: isCount,
  name: isText,
  description: isText,
  imageData: orNull(isText),
  imageType: orNull(isText),
  imageUrl: orAbsent(orNull(isText)),
  claimInstructions: isText,
  redCoinAmount: isCount,
  delivery: orAbsent(orNull(isTerms)),
})
const isResult = fields<OpeningResult>({
  won: isFlag,
  prizeId: orNull(isCount),
  prize: orNull(isPrize),
  claimId: orNull(isText),
  redCoinEarned: isCount,
})
const isProof = fields<DrawProof>({
  requestId: isText,
  chainId: isCount,
  index: isCount,
  commitment: isText,
  serverSeed: isText,
  entropy: isText,
  entropyFrom: isText,
  tableHash: isText,
  nextCommitment: isText,
})
const isAnswer = fields<OpenPacksResponse>({
  results: listOf(isResult),
  proof: isProof,
  updatedBalance: isCount,
})
const isStored = fields<StoredOpening>({
  key: isText,
  userId: isCount,
  order: isOrder,
  sentAt: isNumber,
  answer: orNull(isAnswer),
  isProven: orAbsent(isFlag),
})
const isProgress = fields<OpeningProgress>({ seen: isCount, isClosed: isFlag })
