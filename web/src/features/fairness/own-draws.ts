// The draws of this browser: what it asked with and was told, whether each proves itself, and
// whether the log says the same. All tabs share the memory, and it outlives a logout.

import {
  type ChainResponse,
  fairnessContract,
  type OddsResponse,
  type OpenPacksResponse,
} from '@redpack/contract'
import { hexOf } from '@redpack/fair/bytes'
import { faultOfOpening, faultTexts, seedBehind, tableHash, tableText } from '@redpack/fair/draw'
import { openingOfText } from '@redpack/fair/entries'
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
import { LogFault } from '@redpack/fair/tree'
import { call } from '../../lib/api.ts'
import { ApiError } from '../../lib/api-error.ts'
import { browserMemory } from '../../lib/browser-memory.ts'
import { type AlarmReason, currentAlarms, raiseAlarm } from './alarm-queries.ts'

interface HeldChain extends Omit<ChainResponse, 'ended'> {
  /** Epoch milliseconds of the last look at it. */
  readonly seenAt: number
}

interface DrawMemory extends Pick<SavedMemory, 'requests' | 'seeds'> {
  readonly chain: HeldChain | null
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

const withRequest = (
  memory: DrawMemory,
  key: string,
  change: Partial<RememberedRequest>,
): DrawMemory => ({
  ...memory,
  requests: memory.requests.map((one) => (one.key === key ? { ...one, ...change } : one)),
})

/** With those of the seeds that were withheld, so that it can be drawn again. */
function withSeeds(memory: DrawMemory, seeds: readonly KnownSeed[]): DrawMemory {
  const withheld = memory.requests.filter((request) => isWithheld(request, memory.requests))
  const wanted = seeds.filter((seed) => withheld.some((request) => isAt(request, seed)))
  const others = memory.seeds.filter((old) => !wanted.some((seed) => isAt(seed, old)))
  return { ...memory, seeds: [...wanted, ...others] }
}

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
  log: 'The public log says something else of this opening.',
  missing: 'The opening is not in the public log after ten minutes.',
}

/** Raised once about the same: the key of a request, or the commitment of a chain. */
async function raiseOpeningAlarm(
  userId: number,
  reason: AlarmReason,
  about: string,
  evidence: unknown,
): Promise<void> {
  const title = 'This opening does not prove itself'
  const text = alarmTexts[reason]
  await raiseAlarm({ name: `${reason}/${about}`, userId, reason, title, text, evidence })
}

/** So long the server tells the seeds of ended chains, less a day. */
const toldForMs = 29 * 24 * 60 * 60 * 1000

/**
 * Asks for the chain, and raises an alarm when it contradicts what was shown before the question.
 * What another tab is told while the answer is on its way may be newer, and stays then.
 */
export async function lookAtChain(userId: number, signal?: AbortSignal): Promise<ChainResponse> {
  const { chain: held, requests } = await readMemory(userId)
  const shown = await call(fairnessContract.chain, signal ? { signal } : {})
  const reason = held && contradiction(held, shown, requests)
  if (reason) await raiseOpeningAlarm(userId, reason, shown.commitment, { held, shown })
  const { ended, ...place } = shown
  const seeds = ended.filter((end): end is KnownSeed => end.serverSeed !== null)
  const chain = { ...place, seenAt: Date.now() }
  await changeMemory(userId, (memory) => {
    const { chain: last } = memory
    const isOlder = last?.chainId === chain.chainId && last.index > chain.index
    return withSeeds(isOlder ? memory : { ...memory, chain }, seeds)
  })
  return shown
}

function contradiction(
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
  if (end.index < held.index) return 'index'
  if (end.index > held.index || end.serverSeed === null) return undefined
  return seedBehind(held.commitment, end.serverSeed, portableHashing) ? undefined : 'seed'
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
  const oddsHash = await knownOdds(order, odds)
  const entropy = hexOf(crypto.getRandomValues(new Uint8Array(32)))
  const { chainId, index, commitment } = chain
  const { packTypeId, quantity } = order
  const asked = { chainId, index, commitment, entropy, tableHash: oddsHash, packTypeId, quantity }
  const request = { ...asked, key, sentAt: Date.now(), outcome: 'sent' } as const
  await changeMemory(userId, (memory) => ({ ...memory, requests: [request, ...memory.requests] }))
  return { oddsHash, entropy, commitment }
}

/** The hash of the odds that the player was shown; keeps their text where it is at hand. */
async function knownOdds({ packTypeId: id, oddsHash }: Order, odds: OddsResponse | undefined) {
  const isShown = odds && (oddsHash ?? odds.tableHash) === odds.tableHash
  const asked = async () => (isShown ? odds : call(fairnessContract.odds, { params: { id } }))
  // The table is asked for by its hash once it was drawn from.
  const shown = await (oddsHash === undefined ? asked() : asked().catch(() => undefined))
  const hash = oddsHash ?? shown?.tableHash ?? ''
  await keepTable(hash, shown ? tableText(shown) : '')
  return hash
}

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
  const { proof, results } = answer
  const table = (await keptTable(asked.tableHash)) ?? (await fetchedTable(asked.tableHash))
  const told = {
    proof,
    results: results.map(({ prizeId, redCoinEarned }) => [prizeId, redCoinEarned] as const),
  }
  // The screen shows a win by a word of its own, which has to say the same.
  const isPlain = results.every(({ won, prizeId }) => won === (prizeId !== null))
  const fault = proof
    ? faultOfOpening(asked, { ...proof, results }, table, portableHashing)
    : 'seed'
  const reason = fault ?? (isPlain ? undefined : 'result')
  if (reason) {
    await changeMemory(userId, (memory) => withRequest(memory, key, { outcome: 'alarmed', told }))
    await raiseOpeningAlarm(userId, reason, key, { asked, told: answer, table })
    throw new NotProven()
  }
  const { chainId, index, serverSeed, nextCommitment: commitment } = proof
  const chain = { chainId, index: index + 1, commitment, seenAt: Date.now() }
  await changeMemory(userId, (memory) => {
    const noted = withRequest(memory, key, { outcome: 'proven', told, isLogged: false })
    return withSeeds({ ...noted, chain }, [{ chainId, index, serverSeed }])
  })
  return true
}

/** A table that was not on screen: its hash tells whether it is the right one. */
async function fetchedTable(hash: string): Promise<string> {
  const table = await call(fairnessContract.table, { params: { hash } }).catch(() => undefined)
  const text = table ? tableText(table) : ''
  await keepTable(hash, text)
  return text
}

/** Refusals that cannot depend on the draw: no packs left, a quantity out of range. */
const harmless: ReadonlySet<string> = new Set(['insufficient_packs', 'invalid_input'])

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
    const moved: Outcome = isOvertaken ? 'overtaken' : 'moved'
    const outcome =
      code === 'commitment_moved' ? moved : harmless.has(code) ? 'harmless' : 'refused'
    // What was held before is stale then: the next opening looks anew.
    const seenAt = Math.min(chain?.seenAt ?? 0, Date.now() - freshMs)
    return { ...withRequest(memory, key, { outcome }), chain: chain && { ...chain, seenAt } }
  })
}

/** The log is at most a few seconds behind. */
const missingAfterMs = 10 * 60_000
const atOnceMax = 5

/** Requests whose place the log did not have: it is looked through for each once in a visit. */
const soughtInVain = new Set<string>()

let looking: Promise<void> | undefined

/**
 * Looks a few of the openings up that were not seen in the log yet, however old they are, and the
 * seeds of what was withheld. What raised an alarm is not looked for again. While a look takes its
 * time no other one begins.
 */
export function lookUpOwn(userId: number, signal: AbortSignal): Promise<void> {
  looking ??= lookOnce(userId, signal).finally(() => {
    looking = undefined
  })
  return looking
}

async function lookOnce(userId: number, signal: AbortSignal): Promise<void> {
  const { requests, seeds } = await readMemory(userId)
  const alarms = await currentAlarms(userId)
  const isAlarmed = ({ key }: RememberedRequest) =>
    alarms.some(({ name }) => name.endsWith(`/${key}`))
  const isSeedless = (one: RememberedRequest) =>
    isWithheld(one, requests) && !seeds.some((seed) => isAt(seed, one))
  const due = requests
    .filter((one) =>
      one.outcome === 'proven' ? !one.isLogged : isSeedless(one) && !soughtInVain.has(one.key),
    )
    .filter((one) => !isAlarmed(one))
    .slice(-atOnceMax)
  if (due.length === 0) return
  const query = { page: 1, limit: 100 }
  // A call that fails must not hide what the log itself can tell.
  const asked = call(fairnessContract.openings, { query, signal })
  const { openings } = await asked.catch(() => ({ openings: [] }))
  const failures: unknown[] = []
  const openingOf = (request: RememberedRequest) => openings.find((one) => isAt(one, request))
  // What is proven in a moment does not wait for what the whole log is looked through for.
  const [quick, slow] = [due.filter(openingOf), due.filter((one) => !openingOf(one))]
  for (const request of [...quick, ...slow]) {
    const opening = openingOf(request)
    const params = opening && { id: opening.id }
    const proof = params && call(fairnessContract.proof, { params, signal })
    const { log } = (await proof?.catch(() => undefined)) ?? {}
    const isLate = Date.now() - request.sentAt > missingAfterMs
    if (!log && !isLate) continue
    // One that cannot be looked for now keeps no other one from it.
    await compare(userId, request, log ?? undefined, signal).catch((error) => failures.push(error))
    signal.throwIfAborted()
  }
  if (failures.length > 0) throw failures[0]
}

/** Without a proof the log itself is looked through. */
async function compare(
  userId: number,
  request: RememberedRequest,
  log: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  try {
    const { checkedEntry } = await import('./log-reader.ts')
    const entry = log ? (await checkedEntry(log, signal)).entry : await entryInLog(request, signal)
    const isProven = request.outcome === 'proven'
    if (entry !== undefined) {
      const next = isProven ? confirmed(request, entry) : revealed(request, entry)
      await changeMemory(userId, next)
    } else if (isProven) {
      await raiseOpeningAlarm(userId, 'missing', request.key, { request })
    } else soughtInVain.add(request.key)
  } catch (error) {
    if (!(error instanceof LogFault)) throw error
    await raiseOpeningAlarm(userId, 'log', request.key, { request, log, fault: error.message })
  }
}

type Change = (memory: DrawMemory) => DrawMemory

/** @throws LogFault when the entry is another one */
function confirmed(request: RememberedRequest, entry: string): Change {
  if (!saysWhatWasTold(entry, request)) throw new LogFault('The entry says something else.')
  return (memory) => withRequest(memory, request.key, { isLogged: true })
}

/**
 * The opening that used the place of a request that came to nothing. It is the request itself where
 * only the answer was lost. @throws LogFault when the entry is of another place
 */
function revealed(request: RememberedRequest, text: string): Change {
  const { key, chainId, index, commitment, entropy, tableHash, packTypeId, quantity } = request
  const entry = openingOfText(text, { chainId, index })
  if (entry === undefined) throw new LogFault('The entry is of another opening.')
  const { serverSeed, results } = entry
  const isIt =
    openingOfText(text, { entropy, tableHash, packTypeId }) !== undefined &&
    results.length === quantity &&
    seedBehind(commitment, serverSeed, portableHashing) !== undefined
  return (memory) =>
    isIt
      ? withRequest(memory, key, { isLogged: true })
      : withSeeds(memory, [{ chainId, index, serverSeed, isElsewhere: true }])
}

/** The entry at the place of a request among those that are not older than it. */
async function entryInLog({ chainId, index, sentAt }: RememberedRequest, signal: AbortSignal) {
  const { findEntry, openLog } = await import('./log-reader.ts')
  const isIt = (text: string) => openingOfText(text, { chainId, index }) !== undefined
  // Clocks may differ by as long as an entry may take.
  const isOlder = (text: string) =>
    Date.parse(openingOfText(text)?.at ?? '') < sentAt - 2 * missingAfterMs
  const log = await openLog(signal)
  const isEnd = (text: string) => isIt(text) || isOlder(text)
  const found = log && (await findEntry(log, isEnd, () => undefined, signal))
  return found && isIt(found.text) ? found.text : undefined
}

export function saysWhatWasTold(text: string, { told, tableHash }: RememberedRequest): boolean {
  if (told === undefined) return false
  const { proof, results } = told
  const said = { ...proof, id: proof.requestId, next: proof.nextCommitment, tableHash }
  const logged = openingOfText(text, said)?.results
  return (
    logged?.length === results.length &&
    logged.every(
      ([prizeId, , , paid], at) => prizeId === results[at]?.[0] && paid === results[at]?.[1],
    )
  )
}
