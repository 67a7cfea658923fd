// What the public log says of the draws of this browser: whether each opening stands there as it
// was told, and what came of the places of requests that came to nothing.

import { type FairOpening, fairnessContract, fairnessPageMax } from '@redpack/contract'
import { isCount, isText, listOf, shaped } from '@redpack/fair/bytes'
import { entryOfText, openingOfText } from '@redpack/fair/entries'
import { isAt, isWithheld, type RememberedRequest } from '@redpack/fair/memory'
import { LogFault } from '@redpack/fair/tree'
import { call } from '../../lib/api.ts'
import { currentAlarms } from './alarm-queries.ts'
import {
  changeMemory,
  type DrawMemory,
  isBehind,
  type OwnRequest,
  raiseOpeningAlarm,
  readMemory,
  withRequest,
  withSeeds,
} from './own-draws.ts'

/** The log is at most a few seconds behind. */
const missingAfterMs = 10 * 60_000
const atOnceMax = 5
/** Pages of openings that are turned in a look. */
const pagesMax = 5

const isPlaces = listOf(shaped({ chainId: isCount, index: isCount }))

/** Requests whose place the log did not have: it is looked through for each once in a visit. */
const soughtInVain = new Set<string>()

let looking: Promise<void> | undefined

/**
 * Looks a few of the openings up that were not seen in the log yet, however old they are, and the
 * seeds of what was withheld, in idle time. What raised an alarm is not looked for again. While a
 * look takes its time no other one begins.
 */
export function lookUpOwn(userId: number, signal: AbortSignal): Promise<void> {
  looking ??= idleTime()
    .then(() => lookOnce(userId, signal))
    .finally(() => {
      looking = undefined
    })
  return looking
}

/** Safari gives none, and is not waited for. */
const idleTime = () =>
  new Promise(
    (resolve) => window.requestIdleCallback?.(resolve, { timeout: 30_000 }) ?? resolve(undefined),
  )

async function lookOnce(userId: number, signal: AbortSignal): Promise<void> {
  const { requests, seeds } = await readMemory(userId)
  const alarms = await currentAlarms(userId)
  const isAlarmed = ({ key }: RememberedRequest) =>
    alarms.some(({ name }) => name.endsWith(`/${key}`))
  const isSeedless = (one: OwnRequest) =>
    isWithheld(one, requests) && !one.isGivenUp && !seeds.some((seed) => isAt(seed, one))
  const isSought = ({ key, passedAt }: OwnRequest) => passedAt || !soughtInVain.has(key)
  const due = requests
    .filter((one) => (one.outcome === 'proven' ? !one.isLogged : isSeedless(one) && isSought(one)))
    .filter((one) => !isAlarmed(one))
    .slice(-atOnceMax)
  if (due.length === 0) return
  const openings: FairOpening[] = []
  const openingOf = (request: RememberedRequest) => openings.find((one) => isAt(one, request))
  for (let page = 1; page <= pagesMax; page += 1) {
    const query = { page, limit: fairnessPageMax }
    const asked = await call(fairnessContract.openings, { query, signal }).catch(() => undefined)
    // What is not told, or is no list, must not hide what the log itself can tell.
    const found = isPlaces(asked?.openings) ? asked.openings : []
    openings.push(...found)
    const last = found.at(-1)
    // They come newest first, by chain and index.
    const isFurther = (one: OwnRequest) =>
      last && (last.chainId - one.chainId || last.index - one.index) > 0
    if (!due.some(isFurther)) break
  }
  const failures: unknown[] = []
  // What is proven in a moment does not wait for what the whole log is looked through for.
  const [quick, slow] = [due.filter(openingOf), due.filter((one) => !openingOf(one))]
  for (const request of [...quick, ...slow]) {
    const opening = openingOf(request)
    const params = opening && { id: opening.id }
    const proof = params && call(fairnessContract.proof, { params, signal })
    const { log: told } = (await proof?.catch(() => undefined)) ?? {}
    const log = isText(told) ? told : undefined
    const isLate = Date.now() - (dueSince(request) ?? request.sentAt) > missingAfterMs
    if (!log && !isLate) continue
    // One that cannot be looked for now keeps no other one from it.
    await compare(userId, request, log, signal).catch((error) => failures.push(error))
    signal.throwIfAborted()
  }
  if (failures.length > 0) throw failures[0]
}

/** Since when the log has to say what came of its place; undefined while it need not. */
const dueSince = ({ outcome, answeredAt, passedAt, sentAt }: OwnRequest) =>
  outcome === 'proven' ? (answeredAt ?? sentAt) : passedAt

/** Without a proof the log itself is looked through. */
async function compare(
  userId: number,
  request: OwnRequest,
  log: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  try {
    const { checkedEntry } = await import('./log-reader.ts')
    const entry = log ? (await checkedEntry(log, signal)).entry : await entryInLog(request, signal)
    if (entry !== undefined) {
      let fault: string | undefined
      await changeMemory(userId, (memory) => {
        const next = withEntry(memory, request.key, entry)
        if (typeof next !== 'string') return next
        fault = next
        return memory
      })
      if (fault !== undefined) throw new LogFault(fault)
    } else if (dueSince(request) !== undefined) {
      await raiseOpeningAlarm(userId, 'missing', request.key, { request })
    } else soughtInVain.add(request.key)
  } catch (error) {
    if (!(error instanceof LogFault)) throw error
    await raiseOpeningAlarm(userId, 'log', request.key, { request, log, fault: error.message })
  }
}

/**
 * The memory with what the log says of the place of a request, as far as that has come by then; or
 * what is wrong with it. Where only the answer was lost the entry is that of the request itself.
 */
function withEntry(memory: DrawMemory, key: string, text: string): DrawMemory | string {
  const request = memory.requests.find((one) => one.key === key)
  if (request?.outcome === 'proven') {
    const isSame = saysWhatWasTold(text, request)
    return isSame
      ? withRequest(memory, key, { isLogged: true })
      : 'The entry says something different.'
  }
  if (request === undefined) return memory
  const entry = entryAt(request, text)
  if (entry === undefined) return 'The entry is of another opening.'
  const { chainId, index, serverSeed } = entry
  if (serverSeed === null) return withRequest(memory, key, { isGivenUp: true })
  const seed = { chainId, index, serverSeed, isElsewhere: entry.type === 'opening' }
  if (!isBehind(request, seed)) return 'The seed is not the one that was promised.'
  const { entropy, tableHash, packTypeId, quantity } = request
  const own = openingOfText(text, { entropy, tableHash, packTypeId })
  return own?.results.length === quantity
    ? withRequest(memory, key, { isLogged: true })
    : withSeeds(memory, [seed])
}

/** The entry that a text is, if it uses a place up: its opening, or the end of its chain. */
function entryAt(place: OwnRequest, text: string) {
  const entry = entryOfText(text)
  const isUse = entry?.type === 'opening' || entry?.type === 'end'
  return isUse && isAt(entry, place) ? entry : undefined
}

/** The entry at the place of a request, which is not before the beginning of its chain. */
async function entryInLog(request: OwnRequest, signal: AbortSignal) {
  const { findEntry, notOfOpenings, openLog } = await import('./log-reader.ts')
  const { chainId, sentAt } = request
  // Clocks may differ by more: what has to be there is looked for without them.
  const isOlder = (text: string) =>
    dueSince(request) === undefined &&
    Date.parse(openingOfText(text)?.at ?? '') < sentAt - 2 * missingAfterMs
  const isBegin = (text: string) => {
    const entry = entryOfText(text)
    return entry?.type === 'chain' && entry.chainId === chainId
  }
  const log = await openLog(signal).catch(notOfOpenings)
  const isEnd = (text: string) => !!entryAt(request, text) || isBegin(text) || isOlder(text)
  const found = log && (await findEntry(log, isEnd, () => undefined, signal))
  return found && entryAt(request, found.text) ? found.text : undefined
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
