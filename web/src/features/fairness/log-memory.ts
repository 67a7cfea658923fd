// The draw log as this browser remembers it: the key it was first shown, and the newest checkpoint.

import { browserMemory } from '../../lib/browser-memory.ts'
import {
  type Checkpoint,
  cosignersOf,
  openCheckpoint,
  readCheckpoint,
} from '../../lib/tlog/checkpoint.ts'
import { LogFault } from '../../lib/tlog/log-fault.ts'
import { isConsistent } from '../../lib/tlog/merkle-tree.ts'
import { readVerifierKey, type VerifierKey } from '../../lib/tlog/signed-note.ts'
import { tileReader } from '../../lib/tlog/tiles.ts'
import { raiseAlarm } from './alarm-queries.ts'
import { loadCheckpoint, loadKey, loadTile } from './log-files.ts'

export interface RememberedLog {
  /** The verifier key, as it was shown first. */
  readonly key: string
  /** The newest checkpoint, as it was signed. */
  readonly checkpoint: string
  /** Epoch milliseconds. */
  readonly seenAt: number
}

const rowName = 'log'

export async function readRememberedLog(): Promise<RememberedLog | undefined> {
  return (await browserMemory.read(rowName)) as RememberedLog | undefined
}

/** The next log that is shown counts as the first one. Alarms and their evidence stay. */
export async function forgetLog(): Promise<void> {
  await browserMemory.change(rowName, () => undefined)
}

/** Keeps a checkpoint unless a larger one is kept. */
async function remember(key: VerifierKey, checkpoint: Checkpoint): Promise<void> {
  await browserMemory.change(rowName, (row) => {
    const before = row as RememberedLog | undefined
    if (before && readCheckpoint(before.checkpoint).size >= checkpoint.size) return before
    return { key: key.text, checkpoint: checkpoint.text, seenAt: Date.now() }
  })
}

/** Keeps the evidence of what is wrong with the log. */
async function alarm(fault: LogFault, evidence: unknown): Promise<void> {
  await raiseAlarm({
    name: `log/${fault.message}`,
    userId: null,
    title: 'The public draw log contradicts itself',
    text: fault.message,
    evidence,
  })
}

/** Runs checks; a fault is kept with its evidence before it is thrown on. */
async function guarded<T>(evidence: unknown, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof LogFault) await alarm(error, evidence)
    throw error
  }
}

/**
 * Asks for what shows that one checkpoint goes on from the other, whichever is the newer.
 * @throws LogFault when the log cannot show it
 */
export async function requireSameLog(
  remembered: Checkpoint,
  shown: Checkpoint,
  signal: AbortSignal,
): Promise<void> {
  const [older, newer] = remembered.size <= shown.size ? [remembered, shown] : [shown, remembered]
  const reader = tileReader(newer.size, (level, index, width) =>
    loadTile(level, index, width, signal),
  )
  const proof = older.size === newer.size ? [] : await reader.consistencyProof(older.size)
  if (isConsistent(older, newer, proof)) return
  throw new LogFault(
    older === remembered
      ? 'The log no longer holds what it held when this browser saw it last: entries were changed or taken away.'
      : 'The log was shown to this browser with entries that it does not go on from now.',
  )
}

/** The log as it stands now, checked against what is remembered. */
export interface OpenLog {
  readonly key: VerifierKey
  readonly checkpoint: Checkpoint
  /** Names of the witnesses under the checkpoint. */
  readonly cosigners: readonly string[]
  /** Size and moment of what was remembered before; absent on the first visit. */
  readonly before: { readonly size: number; readonly seenAt: number } | undefined
}

/**
 * Loads the newest checkpoint and compares it with the remembered one, then remembers it.
 * @returns undefined while the log has no checkpoint
 * @throws LogFault when the log contradicts itself; an alarm is raised then
 */
export async function openLog(signal: AbortSignal): Promise<OpenLog | undefined> {
  const [remembered, text] = await Promise.all([readRememberedLog(), loadCheckpoint(signal)])
  if (text === undefined) return undefined
  const keyText = await loadKey(signal)
  return guarded({ remembered, shown: { key: keyText, checkpoint: text } }, async () => {
    if (remembered && remembered.key !== keyText) {
      throw new LogFault('The log shows another key than the one this browser saw first.')
    }
    const key = readVerifierKey(keyText)
    const checkpoint = await openCheckpoint(text, key)
    const before = remembered && readCheckpoint(remembered.checkpoint)
    if (before) await requireSameLog(before, checkpoint, signal)
    await remember(key, checkpoint)
    return {
      key,
      checkpoint,
      cosigners: cosignersOf(checkpoint, key),
      before: before && remembered && { size: before.size, seenAt: remembered.seenAt },
    }
  })
}

/** The key that proofs are checked with: the remembered one, else the one that is shown now. */
export async function logKey(signal: AbortSignal): Promise<VerifierKey | null> {
  try {
    const remembered = await readRememberedLog()
    return readVerifierKey(remembered?.key ?? (await loadKey(signal)))
  } catch {
    return null
  }
}

/**
 * Whether the checkpoint of a proof belongs to the remembered log.
 * @returns false when the log cannot show it; an alarm is raised then. Undefined when it could not
 * be asked, or nothing is remembered.
 */
export async function agreesWithMemory(
  checkpoint: Checkpoint,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const remembered = await readRememberedLog()
  if (!remembered) return undefined
  try {
    await guarded({ remembered, shown: { checkpoint: checkpoint.text } }, () =>
      requireSameLog(readCheckpoint(remembered.checkpoint), checkpoint, signal),
    )
    return true
  } catch (error) {
    return error instanceof LogFault ? false : undefined
  }
}
