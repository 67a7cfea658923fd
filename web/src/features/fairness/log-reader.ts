// The draw log as this browser reads it: its files, the key it was first shown, whether it goes on
// from what was seen before, single entries with their proofs, and the check of all of it.

import { hexOf, textOf, utf8 } from '@redpack/fair/bytes'
import { portableHashing } from '@redpack/fair/hashing'
import {
  type OpenedCheckpoint,
  openCheckpoint,
  openLogProof,
  type ProvenEntry,
  parseVerifierKey,
  type VerifierKey,
} from '@redpack/fair/notes'
import { Replay } from '@redpack/fair/replay'
import {
  beginning,
  continues,
  follow,
  inclusionRanges,
  LogFault,
  loadBundle,
  logFiles,
  NotThere,
  provesInclusion,
  rangeRoots,
  runsOfTiles,
  tileWidth,
  treeHashes,
} from '@redpack/fair/tree'
import { ApiError, statusTextOf } from '../../lib/api-error.ts'
import { browserMemory } from '../../lib/browser-memory.ts'
import { raiseAlarm } from './alarm-queries.ts'

/** How often a file is asked for again when the server is asked too much, and how long to wait. */
const triesMax = 6
const waitMs = { least: 1_000, most: 60_000 }

const pause = (ms: number, signal: AbortSignal) =>
  new Promise((resolve, reject) => {
    setTimeout(resolve, ms)
    signal.addEventListener('abort', () => reject(signal.reason))
  })

async function load(
  address: string,
  signal: AbortSignal,
  cache: RequestCache = 'default',
): Promise<Uint8Array | undefined> {
  for (let left = triesMax; ; left -= 1) {
    const response = await fetch(address, { credentials: 'omit', signal, cache })
    if (response.ok) return new Uint8Array(await response.arrayBuffer())
    if (response.status === 404) return undefined
    if (response.status !== 429 || left === 1) {
      throw new ApiError(response.status, statusTextOf(response), await response.text())
    }
    const named = Number(response.headers.get('retry-after')) * 1000
    await pause(Math.min(waitMs.most, Math.max(waitMs.least, named || 0)), signal)
  }
}

const filesOf = (signal: AbortSignal) => logFiles('/log', (address) => load(address, signal))
/** Tiles are kept by the browser for long: a new log, whose key has another id, has others. */
const tilesOf = ({ id }: VerifierKey, signal: AbortSignal, cache?: RequestCache) =>
  logFiles('/log', (address) => load(`${address}?${hexOf(id)}`, signal, cache)).tile

export interface RememberedLog {
  readonly key: string
  /** The newest checkpoint, as it was signed. */
  readonly note: string
  /** Epoch milliseconds. */
  readonly seenAt: number
}

const hashes = treeHashes(portableHashing)
const rowName = 'log'

export async function readRememberedLog(): Promise<RememberedLog | undefined> {
  return (await browserMemory.read(rowName)) as RememberedLog | undefined
}

/** The next log that is shown counts as the first one. Alarms and their evidence stay. */
export async function forgetLog(): Promise<void> {
  await browserMemory.change(rowName, () => undefined)
}

/** The log as it stands now, checked against what is remembered. */
export interface OpenLog {
  readonly key: VerifierKey
  readonly note: string
  readonly checkpoint: OpenedCheckpoint
  /** Size and moment of what was remembered before; absent on the first visit. */
  readonly before: { readonly size: number; readonly seenAt: number } | undefined
}

/**
 * Loads the newest checkpoint, compares it with the remembered one, and remembers the larger.
 * @returns undefined while the log has no checkpoint
 * @throws LogFault when the log contradicts itself; an alarm is raised then
 */
export async function openLog(signal: AbortSignal): Promise<OpenLog | undefined> {
  const files = filesOf(signal)
  const note = await files.checkpoint()
  return note === undefined ? undefined : openNote(await files.key(), note, signal)
}

/** What openLog does with the newest checkpoint, with any that the log hands out. */
async function openNote(keyText: string, note: string, signal: AbortSignal): Promise<OpenLog> {
  const remembered = await readRememberedLog()
  try {
    if (remembered && remembered.key !== keyText) {
      throw new LogFault('The log shows another key than the one this browser saw first.')
    }
    const key = parseVerifierKey(keyText, portableHashing.sha256)
    if (key === undefined) throw new LogFault('The key of the log is not one that can be read.')
    const checkpoint = await openCheckpoint(note, key)
    const seen = remembered && (await openCheckpoint(remembered.note, key))
    if (seen) await requireSameLog(seen, checkpoint, key, signal)
    if (seen === undefined || seen.size < checkpoint.size) {
      const row: RememberedLog = { key: keyText, note, seenAt: Date.now() }
      let isKept = false
      await browserMemory.change(rowName, (now) => {
        isKept = (now as RememberedLog | undefined)?.note === remembered?.note
        return isKept ? row : now
      })
      // Another tab has remembered one meanwhile, which this one is compared with.
      if (!isKept) return await openNote(keyText, note, signal)
    }
    const before = remembered && seen && { size: seen.size, seenAt: remembered.seenAt }
    return { key, note, checkpoint, before }
  } catch (error) {
    if (error instanceof LogFault) {
      const { message: text } = error
      const title = 'The public draw log contradicts itself'
      const evidence = { remembered, shown: { key: keyText, note } }
      // The checkpoint that is shown goes on growing; what it contradicts stays.
      const about = hexOf(portableHashing.sha256(utf8(`${keyText}\n${remembered?.note}`)))
      const name = `log/${text}/${about}`
      await raiseAlarm({ name, userId: null, reason: 'log', title, text, evidence })
    }
    throw error
  }
}

/** @throws LogFault unless one of the two goes on from the other, whichever is the newer */
async function requireSameLog(
  seen: OpenedCheckpoint,
  shown: OpenedCheckpoint,
  key: VerifierKey,
  signal: AbortSignal,
): Promise<void> {
  const [older, newer] = seen.size <= shown.size ? [seen, shown] : [shown, seen]
  // What was seen has to be there still, and not only in this browser.
  const tile = tilesOf(key, signal, newer === seen ? 'reload' : 'default')
  const isSame = await continues(older, newer, tile, hashes).catch((error) => {
    const isShorter = newer === seen && error instanceof NotThere
    throw isShorter ? new LogFault('The log has become shorter.') : error
  })
  if (isSame) return
  throw new LogFault(
    older === seen
      ? 'The log no longer holds what it held when this browser saw it last: entries were changed or taken away.'
      : 'The log was shown to this browser with entries that it does not go on from now.',
  )
}

/**
 * The entry that a proof hands along, once it leads to a checkpoint that goes on from what this
 * browser has seen; that is remembered as by openLog.
 * @throws LogFault when it leads there falsely; an alarm is raised by whoever asks
 */
export async function checkedEntry(proof: string, signal: AbortSignal): Promise<ProvenEntry> {
  const [remembered, keyText] = await Promise.all([readRememberedLog(), filesOf(signal).key()])
  const key = parseVerifierKey(keyText, portableHashing.sha256)
  if (key === undefined || (remembered && remembered.key !== keyText)) {
    await openLog(signal).catch(notOfOpenings)
    throw new Error('The log shows another key.')
  }
  // A proof that is none accuses its opening, and not the log.
  const proven = await openLogProof(proof, key, hashes)
  await openNote(keyText, proven.note, signal).catch(notOfOpenings)
  return proven
}

/** Of the whole log one alarm was raised: its openings wait until their player starts over. */
export function notOfOpenings(error: unknown): never {
  throw error instanceof LogFault ? new Error(error.message) : error
}

/** The way from it to the signed checkpoint was checked. */
export interface FoundEntry {
  readonly index: number
  readonly text: string
}

/** Entries that lead to the root of the checkpoint. @throws LogFault when one of them does not */
export async function provenEntries(
  { checkpoint, key }: OpenLog,
  from: number,
  to: number,
  signal: AbortSignal,
): Promise<FoundEntry[]> {
  const { size } = checkpoint
  const tile = tilesOf(key, signal)
  const runs = runsOfTiles(size, tile)
  const first = Math.floor(from / tileWidth)
  const places = Array.from({ length: Math.ceil(to / tileWidth) - first }, (_, at) => first + at)
  const bundles = await Promise.all(places.map((place) => loadBundle(place, size, tile)))
  const start = from - first * tileWidth
  const entries = bundles.flat().slice(start, start + to - from)
  return Promise.all(
    entries.map(async (bytes, at) => {
      const index = from + at
      const path = await rangeRoots(inclusionRanges(index, size), runs, hashes)
      const leaf = { index, hash: hashes.leafHash(bytes) }
      if (!provesInclusion(leaf, checkpoint, path, hashes.nodeHash)) {
        throw new LogFault(`Entry ${index} does not lead to the signed checkpoint.`)
      }
      return { index, text: textOf(bytes) }
    }),
  )
}

/** Goes backwards to a wanted text; `onProgress` hears how many entries were looked at. */
export async function findEntry(
  log: OpenLog,
  isWanted: (text: string) => boolean,
  onProgress: (seen: number) => void,
  signal: AbortSignal,
): Promise<FoundEntry | null> {
  const { size } = log.checkpoint
  for (let bundle = Math.ceil(size / tileWidth) - 1; bundle >= 0; bundle -= 1) {
    const entries = await loadBundle(bundle, size, tilesOf(log.key, signal))
    const at = entries.findLastIndex((bytes) => isWanted(textOf(bytes)))
    const index = bundle * tileWidth + at
    if (at >= 0) return (await provenEntries(log, index, index + 1, signal))[0] ?? null
    onProgress(size - bundle * tileWidth)
  }
  return null
}

export interface LogCheck extends Pick<Replay, 'counts' | 'faults' | 'faultCount' | 'cutStocks'> {
  readonly checked: number
  readonly total: number
  /** What is wrong with the tree over the entries, in a sentence. */
  readonly treeFault: string | undefined
  readonly isDone: boolean
  /** What the log tells of shipments, once it is done. */
  readonly deliveries: string
  /** Size of the remembered log, which this one goes on from. */
  readonly rememberedSize: number | undefined
}

/**
 * Checks the log up to its newest checkpoint, telling how far it has come.
 * @returns undefined while the log has no checkpoint
 * @throws LogFault when the checkpoint itself contradicts what is remembered; whatever a call that
 * fails throws, also when the signal ends it
 */
export async function checkLog(onProgress: (check: LogCheck) => void, signal: AbortSignal) {
  const log = await openLog(signal)
  if (!log) return undefined
  const replay = new Replay(portableHashing)
  const { checkpoint, before, key } = log
  const state = (isDone: boolean, treeFault?: string): LogCheck => {
    const { size: checked, counts, faults, faultCount, cutStocks } = replay
    const found = structuredClone({ checked, counts, faults, faultCount, cutStocks })
    const today = new Date().toISOString().slice(0, 10)
    const deliveries = isDone ? replay.record.words(today) : ''
    return {
      ...found,
      deliveries,
      total: checkpoint.size,
      treeFault,
      isDone,
      rememberedSize: before?.size,
    }
  }
  try {
    for await (const { entries } of follow(checkpoint, beginning, tilesOf(key, signal), hashes)) {
      for (const entry of entries) replay.take(entry)
      signal.throwIfAborted()
      onProgress(state(false))
    }
  } catch (error) {
    if (!(error instanceof LogFault)) throw error
    return state(true, error.message)
  }
  return state(true)
}
