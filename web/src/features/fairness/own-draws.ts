// The draws of this browser: what it asked with and was told, and whether each proves itself. All
// tabs share the memory, and it outlives a logout.

import {
  type ChainResponse,
  fairnessContract,
  type OddsResponse,
  type OpenPacksResponse,
} from '@redpack/contract'
import {
  hexOf,
  isCount,
  isHex32,
  isText,
  listOf,
  ordered,
  orNull,
  shaped,
  utf8,
} from '@redpack/fair/bytes'
import {
  chancesOf,
  faultOfOpening,
  faultTexts,
  isTable,
  rollsOf,
  seedBehind,
  tableHash,
  tableOfText,
  tableText,
} from '@redpack/fair/draw'
import { packsMax } from '@redpack/fair/entries'
import { portableHashing } from '@redpack/fair/hashing'
import {
  isAt,
  isWithheld,
  type KnownSeed,
  type Outcome,
  type RememberedRequest,
  requestsMax,
  type SavedMemory,
  withheldOf,
  withheldSummary,
} from '@redpack/fair/memory'
import { call } from '../../lib/api.ts'
import { ApiError, NoAnswer } from '../../lib/api-error.ts'
import { browserMemory } from '../../lib/browser-memory.ts'
import { type AlarmReason, currentAlarms, hasUnseenAlarm, raiseAlarm } from './alarm-queries.ts'

interface HeldChain extends Omit<ChainResponse, 'ended'> {
  /** Epoch milliseconds of the last look at it. */
  readonly seenAt: number
}

/** Times are epoch milliseconds. */
export interface OwnRequest extends RememberedRequest {
  /** When its answer proved itself, which may be long after it was first sent. */
  readonly answeredAt?: number
  /** When the server was first heard to say that its place was used, as the log has to say too. */
  readonly passedAt?: number
}

export interface DrawMemory extends Pick<SavedMemory, 'seeds'> {
  readonly requests: readonly OwnRequest[]
  readonly chain: HeldChain | null
}

/** The first draw is slow, as its code is compiled by it: better one that nobody waits for. */
let warmUp = () => {
  warmUp = () => undefined
  globalThis.requestIdleCallback?.(() => {
    rollsOf({ seed: new Uint8Array(32), entropy: '', tableHash: '' }, packsMax, portableHashing)
  })
}

const nothing: DrawMemory = { requests: [], chain: null, seeds: [] }
const rowOf = (userId: number) => `draws/${userId}`

/** What is remembered of one user; nothing where the row is damaged. */
export async function readMemory(userId: number): Promise<DrawMemory> {
  return memoryOf(await browserMemory.read(rowOf(userId)))
}

const memoryOf = (row: unknown): DrawMemory => ({ ...nothing, ...(row as DrawMemory | null) })

/** Changes the memory of one user in one step, whichever tab does it. */
export async function changeMemory(userId: number, next: (before: DrawMemory) => DrawMemory) {
  await browserMemory.change(rowOf(userId), (row) => {
    const { requests, seeds, chain } = next(memoryOf(row))
    return { requests: requests.slice(0, requestsMax), seeds: seeds.slice(0, requestsMax), chain }
  })
}

export const withRequest = (
  memory: DrawMemory,
  key: string,
  change: Partial<OwnRequest>,
): DrawMemory => ({
  ...memory,
  requests: memory.requests.map((one) => (one.key === key ? { ...one, ...change } : one)),
})

/** With those of the seeds that were withheld, so that it can be drawn again. */
export function withSeeds(memory: DrawMemory, seeds: readonly KnownSeed[]): DrawMemory {
  const withheld = memory.requests.filter((request) => isWithheld(request, memory.requests))
  const wanted = seeds.filter((seed) =>
    withheld.some((request) => isAt(request, seed) && isBehind(request, seed)),
  )
  const others = memory.seeds.filter((old) => !wanted.some((seed) => isAt(seed, old)))
  return { ...memory, seeds: [...wanted, ...others] }
}

export const isBehind = (
  { commitment }: Pick<OwnRequest, 'commitment'>,
  { serverSeed }: KnownSeed,
) => seedBehind(commitment, serverSeed, portableHashing) !== undefined

const tableRow = (hash: string) => `table/${hash}`

/** Keeps the text of an odds table that was asked under, if it is the one of that hash. */
async function keepTable(hash: string, text: string): Promise<void> {
  if (tableHash(text, portableHashing) !== hash) return
  await browserMemory.change(tableRow(hash), (row) => row ?? text)
}

const keptTable = async (hash: string) =>
  (await browserMemory.read(tableRow(hash))) as string | undefined

/** The memory of one user as it is saved, with the odds, alarms and log that belong to it. */
export async function savedMemory(userId: number): Promise<SavedMemory> {
  const memory = await readMemory(userId)
  const tables: Record<string, string> = {}
  for (const { tableHash } of memory.requests) {
    const text = tables[tableHash] ?? (await keptTable(tableHash))
    if (text !== undefined) tables[tableHash] = text
  }
  const alarms = await currentAlarms(userId)
  const { readRememberedLog } = await import('./log-reader.ts')
  const log = (await readRememberedLog()) ?? null
  return { ...memory, tables, alarms: alarms.map(({ name, text }) => ({ name, text })), log }
}

export async function withheldFrom(userId: number) {
  const withheld = withheldOf(await savedMemory(userId))
  return { withheld, summary: withheldSummary(withheld) }
}

/** What does not agree, in a sentence: also what only the log can tell. */
const alarmTexts: Readonly<Record<AlarmReason, string>> = {
  ...faultTexts,
  log: 'The public log says something different about this opening.',
  missing: 'The opening is not in the public log after ten minutes.',
}

/** Raised once about the same: the key of a request, or the commitment of a chain. */
export async function raiseOpeningAlarm(
  userId: number,
  reason: AlarmReason,
  about: string,
  evidence: unknown,
): Promise<void> {
  const title = 'This opening does not prove itself'
  const text = alarmTexts[reason]
  await raiseAlarm({ name: `${reason}/${about}`, userId, reason, title, text, evidence })
}

/** What may be anything is kept as a text, and as no more than a saved file has room for. */
const textOf = (answer: unknown) =>
  JSON.stringify(answer, (key, value) => (key === 'imageData' ? null : value)).slice(0, 500_000)

/** Length of the text of an answer that is remembered; an honest one is far shorter. */
const toldMax = 10_000

/** So long the server tells the seeds of ended chains, less a day. */
const toldForMs = 29 * 24 * 60 * 60 * 1000

const placeShape = { chainId: isCount, index: isCount }
const isChain = shaped({
  ...placeShape,
  commitment: isHex32,
  ended: listOf(shaped({ ...placeShape, serverSeed: orNull(isHex32) })),
})

const proofShape = {
  ...{ ...placeShape, requestId: isText, serverSeed: isHex32, entropy: isHex32 },
  ...{ entropyFrom: isText, tableHash: isHex32, commitment: isHex32, nextCommitment: isHex32 },
}

/**
 * Asks for the chain, and raises an alarm when it contradicts what was shown before the question.
 * What another tab is told while the answer is on its way may be newer, and stays then.
 * @throws NotProven when it is none; an alarm was raised
 */
export async function lookAtChain(userId: number, signal?: AbortSignal): Promise<ChainResponse> {
  warmUp()
  const { chain: held, requests } = await readMemory(userId)
  const shown = await call(fairnessContract.chain, signal ? { signal } : {})
  // An answer that was cut off says nothing.
  if (shown === null) throw new NoAnswer('empty')
  if (!isChain(shown)) {
    const text = textOf(shown)
    const about = hexOf(portableHashing.sha256(utf8(text)))
    await raiseOpeningAlarm(userId, 'seed', about, { held, shown: text })
    throw new NotProven()
  }
  const found = held ? contradictions(held, shown, requests) : []
  for (const [reason, about] of found) {
    await raiseOpeningAlarm(userId, reason, about, { held, shown })
  }
  const { ended: _, ...place } = shown
  const chain = { ...place, seenAt: Date.now() }
  await changeMemory(userId, (memory) => {
    const { chain: last } = memory
    // What was contradicted is on record; from here on the chain is followed as it is shown.
    const isOlder =
      found.length === 0 && last?.chainId === chain.chainId && last.index > chain.index
    const requests = memory.requests.map((one) =>
      isWithheld(one, memory.requests) ? { ...one, ...toldOfPlace(one, shown) } : one,
    )
    return withSeeds({ ...memory, requests, chain: isOlder ? last : chain }, knownSeeds(shown))
  })
  return shown
}

/** What the server says has come of the place of a request that came to nothing. */
function toldOfPlace({ chainId, index, passedAt }: OwnRequest, shown: ChainResponse) {
  // Told late, of a chain before it.
  if (shown.chainId < chainId) return {}
  const end = shown.ended.find((one) => one.chainId === chainId)
  // The log knows nothing of a chain that ended at its first place.
  const isPassed =
    shown.chainId === chainId ? shown.index > index : Math.max(index, end?.index ?? 0) > 0
  if (isPassed) return { passedAt: passedAt ?? Date.now() }
  return end?.serverSeed === null ? { isGivenUp: true } : {}
}

/** What of an answer is not as promised, each with the promise or the lie that it is about. */
function contradictions(
  held: HeldChain,
  shown: ChainResponse,
  requests: readonly RememberedRequest[],
): (readonly ['seed' | 'index', string])[] {
  const promises = [held, ...requests]
  const isFalse = (end: KnownSeed) => promises.some((one) => isAt(one, end) && !isBehind(one, end))
  const reason = againstLast(held, shown, requests)
  return [
    // Told for a month, and named by itself: what was seen of it is not new with each look.
    ...knownSeeds(shown)
      .filter(isFalse)
      .map(({ serverSeed }) => ['seed', serverSeed] as const),
    ...(reason ? [[reason, shown.commitment] as const] : []),
  ]
}

const knownSeeds = ({ ended }: ChainResponse) =>
  ended.filter((end): end is KnownSeed => end.serverSeed !== null)

function againstLast(
  held: HeldChain,
  shown: ChainResponse,
  requests: readonly RememberedRequest[],
): 'seed' | 'index' | undefined {
  const isUsed = requests.some(
    ({ commitment, outcome, ...place }) =>
      commitment === shown.commitment && (!isAt(place, shown) || outcome === 'proven'),
  )
  if (isUsed) return 'seed'
  if (shown.chainId === held.chainId) {
    if (shown.index < held.index) return 'index'
    return shown.index === held.index && shown.commitment !== held.commitment ? 'seed' : undefined
  }
  const end = shown.ended.find(({ chainId }) => chainId === held.chainId)
  if (end === undefined) return Date.now() - held.seenAt < toldForMs ? 'index' : undefined
  return end.index < held.index ? 'index' : undefined
}

export interface Order {
  readonly packTypeId: number
  readonly quantity: number
  readonly oddsHash?: string | undefined
}

const freshMs = 60_000

/**
 * Fresh terms for an order, remembered before it leaves. The commitment that was told last is used
 * while it is fresh, so that openings in a row need no call of their own.
 * @throws NotProven while there is an alarm that nobody has seen
 */
export async function drawTerms(
  userId: number,
  key: string,
  order: Order,
  odds: OddsResponse | undefined,
) {
  const { chain: held } = await readMemory(userId)
  const isFresh = held && Date.now() - held.seenAt < freshMs && isToday(held.seenAt)
  const chain = isFresh ? held : await lookAtChain(userId)
  const oddsHash = await knownOdds(userId, key, order, odds)
  if (await hasUnseenAlarm(userId)) throw new NotProven()
  const entropy = hexOf(crypto.getRandomValues(new Uint8Array(32)))
  const { chainId, index, commitment } = chain
  const { packTypeId, quantity } = order
  const asked = { chainId, index, commitment, entropy, tableHash: oddsHash, packTypeId, quantity }
  const request = { ...asked, key, sentAt: Date.now(), outcome: 'sent' } as const
  await changeMemory(userId, (memory) => ({ ...memory, requests: [request, ...memory.requests] }))
  return { oddsHash, entropy, commitment }
}

/**
 * The hash of the odds that the player was shown; keeps their text where it is at hand.
 * @throws NotProven when the odds are not those that the hash names; an alarm was raised
 */
async function knownOdds(
  userId: number,
  key: string,
  { packTypeId: id, oddsHash }: Order,
  odds: OddsResponse | undefined,
) {
  const isShown = odds && (oddsHash ?? odds.tableHash) === odds.tableHash
  const asked = async () => (isShown ? odds : call(fairnessContract.odds, { params: { id } }))
  // The table is asked for by its hash once it was drawn from.
  const shown = await (oddsHash === undefined ? asked() : asked().catch(() => undefined))
  const hash = oddsHash ?? shown?.tableHash ?? ''
  if (!isHex32(hash) || (shown && !agrees(shown))) {
    await raiseOpeningAlarm(userId, 'table', key, { packTypeId: id, oddsHash, shown })
    throw new NotProven()
  }
  await keepTable(hash, shown ? tableText(shown) : '')
  return hash
}

/** Whether odds have the hash, and the chances, that stand beside them. */
const agrees = (odds: OddsResponse) =>
  tableHash(tableText(odds), portableHashing) === odds.tableHash &&
  chancesOf(odds.entries).chances.every((chance, at) => chance === odds.entries[at]?.chance)

const isToday = (time: number) =>
  new Date(time).toISOString().slice(0, 10) === new Date().toISOString().slice(0, 10)

/** The answer does not agree with what was asked; an alarm with the evidence was raised. */
class NotProven extends Error {
  override readonly name = 'NotProven'
  override readonly message =
    'This opening does not prove itself. Save the evidence from the warning on this page.'
}

/**
 * Checks an answer and remembers it. Answers whether it is proven: false for one that this browser
 * did not ask for, as after its memory was cleared.
 * @throws NotProven when it contradicts what was asked
 */
export async function proveAnswer(userId: number, key: string, answer: OpenPacksResponse) {
  const { requests } = await readMemory(userId)
  const asked = requests.find((one) => one.key === key)
  if (asked === undefined) return false
  const { proof } = { ...answer }
  // Whatever it is, it is judged.
  const results = [answer?.results ?? []].flat().map((result) => ({ ...result }))
  const table = (await keptTable(asked.tableHash)) ?? (await fetchedTable(asked.tableHash))
  const told = {
    proof: ordered(proofShape, { ...proof }),
    results: results.map(({ prizeId, redCoinEarned }) => [prizeId, redCoinEarned] as const),
  }
  // The screen shows a win by words of its own, which have to be those of the table.
  const entries = tableOfText(table)?.entries
  const isPlain = results.every(({ won, prizeId, prize }) => {
    if (prizeId === null) return won === false && prize === null
    const { name, redCoinAmount } = entries?.find((one) => one.prizeId === prizeId) ?? {}
    const isSame = prize?.name === name && prize?.redCoinAmount === redCoinAmount
    return won === true && prize?.id === prizeId && isSame
  })
  const fault = proof
    ? faultOfOpening(asked, { ...proof, results }, table, portableHashing)
    : 'seed'
  const reason = fault ?? (isPlain ? undefined : 'result')
  if (reason) {
    const hasRoom = JSON.stringify(told).length < toldMax
    const alarmed = { outcome: 'alarmed', ...(hasRoom && { told }) } as const
    await changeMemory(userId, (memory) => withRequest(memory, key, alarmed))
    await raiseOpeningAlarm(userId, reason, key, { asked, told: textOf(answer), table })
    throw new NotProven()
  }
  const { chainId, index, serverSeed, nextCommitment: commitment } = proof
  // It may be told again, or late: then there may be a newer word on the chain by now.
  const chain = { chainId, index: index + 1, commitment, seenAt: asked.sentAt }
  const proven = { outcome: 'proven', told, isLogged: false, answeredAt: Date.now() } as const
  await changeMemory(userId, (memory) => {
    const { chain: last } = memory
    const isNews = last && last.seenAt >= asked.sentAt
    const isOlder = isNews && (last.chainId - chainId || last.index - chain.index) > 0
    const noted = withRequest(memory, key, proven)
    return withSeeds({ ...noted, chain: isOlder ? last : chain }, [{ chainId, index, serverSeed }])
  })
  return true
}

/**
 * A table that was not on screen: its hash tells whether it is the right one.
 * @throws NoAnswer when it cannot be had, whatever is said of that: the opening is asked for again
 */
async function fetchedTable(hash: string): Promise<string> {
  const asked = call(fairnessContract.table, { params: { hash } })
  const table = await asked.catch((error) => {
    throw new NoAnswer(error)
  })
  const text = isTable(table) ? tableText(table) : ''
  await keepTable(hash, text)
  return text
}

/** Remembers that a request came to nothing, and how. */
export async function noteFailure(userId: number, key: string, error: unknown): Promise<void> {
  if (error instanceof NotProven) return
  const code = error instanceof ApiError ? (error.code ?? '') : ''
  await changeMemory(userId, (memory) => {
    const { requests, chain } = memory
    const failed = requests.find((one) => one.key === key)
    // Another tab has opened, or is about to: one that opens later excuses nothing.
    const isOvertaken = requests.some(
      (one) => failed && one !== failed && isAt(one, failed) && /sent|proven/.test(one.outcome),
    )
    // What came to nothing before was not overtaken by what was asked for after it.
    const moved: Outcome = isOvertaken && failed?.outcome === 'sent' ? 'overtaken' : 'moved'
    // How many packs are left does not depend on the draw.
    const refused = code === 'insufficient_packs' ? 'harmless' : 'refused'
    const outcome = code === 'commitment_moved' ? moved : refused
    // What was held before is stale then: the next opening looks anew.
    const seenAt = Math.min(chain?.seenAt ?? 0, Date.now() - freshMs)
    return { ...withRequest(memory, key, { outcome }), chain: chain && { ...chain, seenAt } }
  })
}
