// Lets the public log go on after its key was lost or its history was: the operator's decision.

import { hexOf } from '@redpack/fair/bytes'
import {
  addLogKey,
  currentLogKey,
  forgetCheckpoints,
  servedCheckpoint,
  setLogTrouble,
} from './checkpoint-tables.ts'
import { logSize, takeAppendLock } from './log-tables.ts'
import { historyTrouble, type SigningDeps } from './sign-checkpoint.ts'

/** What was done: nothing to do, another key for the same log, or a new log under another name. */
export type Renewal =
  | { readonly kind: 'none' | 'well' | 'no_key' }
  | { readonly kind: 'new_key' | 'new_log'; readonly origin: string; readonly fromSize: number }

/**
 * A log whose history agrees with all that was signed keeps its name and gets the key that is set
 * now. One that contradicts what was signed can never be signed under its name again: it becomes a
 * new log, which whoever keeps watch will notice. The rows of before stay as the record of it.
 */
export function renewLog(deps: Pick<SigningDeps, 'db' | 'clock' | 'publicLog'>): Promise<Renewal> {
  return deps.db.transaction(async (tx) => {
    await takeAppendLock(tx, true)
    const { signer } = deps.publicLog
    const key = await currentLogKey(tx)
    if (key === undefined) return { kind: 'none' }
    if (signer === undefined) return { kind: 'no_key' }
    const fromSize = await logSize(tx)
    // The newest checkpoint that anybody may have seen.
    const note = deps.publicLog.memory.read() ?? (await servedCheckpoint(tx))?.note
    const renewed = { publicKey: signer.publicKey, fromSize, lastNote: note ?? null }
    const now = deps.clock.now()
    if ((await historyTrouble(deps, tx, key.origin)) !== undefined) {
      await forgetCheckpoints(tx)
      const origin = nextName(key.origin)
      await addLogKey(tx, { ...renewed, origin, reason: 'new_log' }, now)
      return { kind: 'new_log', origin, fromSize }
    }
    if (hexOf(key.publicKey) === hexOf(signer.publicKey)) {
      await setLogTrouble(tx, key.id, null)
      return { kind: 'well' }
    }
    await addLogKey(tx, { ...renewed, origin: key.origin, reason: 'new_key' }, now)
    return { kind: 'new_key', origin: key.origin, fromSize }
  })
}

/** `host/log`, `host/log-2`, `host/log-3`. */
function nextName(origin: string): string {
  const [, name = origin, count = '1'] = /^(.*\/log)(?:-(\d+))?$/.exec(origin) ?? []
  return `${name}-${Number(count) + 1}`
}
