// Looks the openings of this browser up in the public log: each has to stand there as it was told.

import { fairnessContract } from '@redpack/contract'
import { entryOfText } from '@redpack/fair/entries'
import { LogFault } from '@redpack/fair/notes'
import { call } from '../../lib/api.ts'
import { raiseOpeningAlarm } from './alarm-queries.ts'
import { noteRequest, type RememberedRequest, readMemory } from './draw-memory.ts'

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
    if (opening === undefined) continue
    const proof = await call(fairnessContract.proof, { params: { id: opening.id }, signal })
    if (proof.log !== null) await compare(userId, request, proof.log, signal)
    else if (now - request.sentAt > missingAfterMs) {
      await raiseOpeningAlarm(userId, 'missing', request.key, { request })
    }
  }
}

async function compare(
  userId: number,
  request: RememberedRequest,
  log: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    const { checkedEntry } = await import('./log-reader.ts')
    const { entry } = await checkedEntry(log, signal)
    if (!saysWhatWasTold(entry, request)) throw new LogFault('The entry says something else.')
    await noteRequest(userId, request.key, { isLogged: true })
  } catch (error) {
    if (!(error instanceof LogFault)) throw error
    await raiseOpeningAlarm(userId, 'log', request.key, { request, log, fault: error.message })
  }
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
