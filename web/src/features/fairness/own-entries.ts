// Looks the openings of this browser up in the public log: each has to stand there as it was told.

import { fairnessContract } from '@redpack/contract'
import { entryOfText } from '@redpack/fair/entries'
import type { RememberedRequest } from '@redpack/fair/memory'
import { LogFault } from '@redpack/fair/tree'
import { call } from '../../lib/api.ts'
import { noteRequest, raiseOpeningAlarm, readMemory } from './draw-memory.ts'

/** The log is at most a few seconds behind. */
const missingAfterMs = 10 * 60_000
const oldestMs = 24 * 60 * 60 * 1000
const atOnceMax = 5

/** Looks a few of the openings up that were not seen in the log yet. */
export async function lookUpOwn(userId: number, signal: AbortSignal): Promise<void> {
  const { requests } = await readMemory(userId)
  const now = Date.now()
  const due = requests
    .filter(({ outcome, isLogged, sentAt }) => {
      return outcome === 'proven' && !isLogged && now - sentAt < oldestMs
    })
    .slice(-atOnceMax)
  if (due.length === 0) return
  const query = { page: 1, limit: 100 }
  const { openings } = await call(fairnessContract.openings, { query, signal })
  for (const request of due) {
    const opening = openings.find(({ requestId }) => requestId === request.told?.proof.requestId)
    const params = opening && { id: opening.id }
    const log = params && (await call(fairnessContract.proof, { params, signal })).log
    const isLate = now - request.sentAt > missingAfterMs
    if (log || isLate) await compare(userId, request, log ?? undefined, signal)
  }
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
    if (entry === undefined) {
      return await raiseOpeningAlarm(userId, 'missing', request.key, { request })
    }
    if (!saysWhatWasTold(entry, request)) throw new LogFault('The entry says something else.')
    await noteRequest(userId, request.key, { isLogged: true })
  } catch (error) {
    if (!(error instanceof LogFault)) throw error
    await raiseOpeningAlarm(userId, 'log', request.key, { request, log, fault: error.message })
  }
}

/** The entry of a request among those that are not older than it. */
async function entryInLog(
  { told, sentAt }: RememberedRequest,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { findEntry, openLog } = await import('./log-reader.ts')
  const opening = (text: string) => {
    const entry = entryOfText(text)
    return entry?.type === 'opening' ? entry : undefined
  }
  const isIt = (text: string) => opening(text)?.id === told?.proof.requestId
  // Clocks may differ by as long as an entry may take.
  const isOlder = (text: string) =>
    Date.parse(opening(text)?.at ?? '') < sentAt - 2 * missingAfterMs
  const log = await openLog(signal)
  const isEnd = (text: string) => isIt(text) || isOlder(text)
  const found = log && (await findEntry(log, isEnd, () => undefined, signal))
  return found && isIt(found.text) ? found.text : undefined
}

/** Whether an entry of the log says of a request what its answer told. */
export function saysWhatWasTold(text: string, { told, tableHash }: RememberedRequest): boolean {
  const entry = entryOfText(text)
  if (entry?.type !== 'opening' || told === undefined) return false
  const { proof, results } = told
  return (
    entry.id === proof.requestId &&
    entry.tableHash === tableHash &&
    entry.next === proof.nextCommitment &&
    (['chainId', 'index', 'serverSeed', 'entropy', 'entropyFrom'] as const).every(
      (name) => entry[name] === proof[name],
    ) &&
    entry.results.length === results.length &&
    entry.results.every(
      ([prizeId, , , paid], at) => prizeId === results[at]?.[0] && paid === results[at]?.[1],
    )
  )
}
