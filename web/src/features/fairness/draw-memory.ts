// What this browser remembers of its openings: what it asked with, what it was told, and which
// chain it was shown. All tabs share it, and it outlives a logout.

import { faultTexts } from '@redpack/fair/draw'
import {
  type KnownSeed,
  type RememberedRequest,
  requestsMax,
  type SavedMemory,
  withheldOf,
  withheldSummary,
} from '@redpack/fair/memory'
import { browserMemory } from '../../lib/browser-memory.ts'
import { type AlarmReason, currentAlarms, raiseAlarm } from './alarm-queries.ts'

export interface HeldChain {
  readonly chainId: number
  readonly index: number
  readonly commitment: string
  /** Epoch milliseconds of the last look at it. */
  readonly seenAt: number
}

export interface DrawMemory {
  /** Newest first. */
  readonly requests: readonly RememberedRequest[]
  readonly chain: HeldChain | null
  /** Seeds of requests that may have been withheld. */
  readonly seeds: readonly KnownSeed[]
}

const nothing: DrawMemory = { requests: [], chain: null, seeds: [] }
const rowOf = (userId: number) => `draws/${userId}`

/** What is remembered of one user; nothing where the row is damaged. */
export async function readMemory(userId: number): Promise<DrawMemory> {
  return memoryOf(await browserMemory.read(rowOf(userId)))
}

function memoryOf(row: unknown): DrawMemory {
  const isMemory = typeof row === 'object' && row !== null && 'requests' in row
  return isMemory ? { ...nothing, ...(row as DrawMemory) } : nothing
}

/** Changes the memory of one user in one step, whichever tab does it. */
export async function changeMemory(
  userId: number,
  next: (before: DrawMemory) => DrawMemory,
): Promise<void> {
  await browserMemory.change(rowOf(userId), (row) => {
    const memory = next(memoryOf(row))
    return {
      ...memory,
      requests: memory.requests.slice(0, requestsMax),
      seeds: memory.seeds.slice(0, requestsMax),
    }
  })
}

/** Notes what came of one request. */
export async function noteRequest(
  userId: number,
  key: string,
  change: Partial<RememberedRequest>,
): Promise<void> {
  await changeMemory(userId, (memory) => ({
    ...memory,
    requests: memory.requests.map((one) => (one.key === key ? { ...one, ...change } : one)),
  }))
}

const tableRow = (hash: string) => `table/${hash}`

/** Keeps the text of an odds table that was asked under. */
export async function keepTable(hash: string, text: string): Promise<void> {
  await browserMemory.change(tableRow(hash), (row) => row ?? text)
}

export async function keptTable(hash: string): Promise<string | undefined> {
  const row = await browserMemory.read(tableRow(hash))
  return typeof row === 'string' ? row : undefined
}

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

/** What was withheld from a user, in words. */
export async function withheldFrom(userId: number) {
  const withheld = withheldOf(await savedMemory(userId))
  return { withheld, summary: withheldSummary(withheld) }
}

/** What only the log can tell of an opening. */
const logTexts = {
  log: 'The public log says something else of this opening.',
  missing: 'The opening is not in the public log after ten minutes.',
}

/** Raises the alarm about an opening or a chain of a user. The same is raised once. */
export async function raiseOpeningAlarm(
  userId: number,
  reason: AlarmReason,
  /** The key of the request, or the commitment of the chain. */
  about: string,
  evidence: unknown,
): Promise<void> {
  await raiseAlarm({
    name: `${reason}/${about}`,
    userId,
    reason,
    title: 'This opening does not prove itself',
    text: { ...faultTexts, ...logTexts }[reason],
    evidence,
  })
}
