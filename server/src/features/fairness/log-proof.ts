// What the public log proves: its key, its newest checkpoint, and that a request stands in it.

import { utf8 } from '@redpack/fair/bytes'
import { logProofText, signatureTypes, verifierKey, verifierKeyText } from '@redpack/fair/notes'
import { inclusionRanges } from '@redpack/fair/tree'
import type { Queryable } from '../../adapters/db/database.ts'
import { nodeHashing } from '../../adapters/random/hashing.ts'
import { currentLogKey, entryAt, placeInLog, servedCheckpoint } from './checkpoint-tables.ts'
import { rangeRoots } from './log-tables.ts'

/** The newest checkpoint with all its signatures, undefined before the first. */
export async function newestNote(db: Queryable): Promise<string | undefined> {
  return (await servedCheckpoint(db))?.note
}

/** The key in force as others are given it, undefined before the first checkpoint. */
export async function servedKey(db: Queryable): Promise<string | undefined> {
  const key = await currentLogKey(db)
  if (key === undefined) return undefined
  const { ed25519 } = signatureTypes
  return verifierKeyText(verifierKey(key.origin, ed25519, key.publicKey, nodeHashing.sha256))
}

/**
 * The proof (C2SP tlog-proof) that an opening request stands in the log. Null while it waits or no
 * checkpoint covers it.
 */
export async function logProofOf(db: Queryable, requestId: string): Promise<string | null> {
  const index = await placeInLog(db, requestId)
  const checkpoint = await servedCheckpoint(db)
  if (index === undefined || checkpoint === undefined || index >= checkpoint.size) return null
  const [entry, path] = await Promise.all([
    entryAt(db, index),
    rangeRoots(db, inclusionRanges(index, checkpoint.size)),
  ])
  if (entry === undefined) return null
  return logProofText({ index, entry: utf8(entry) }, path, checkpoint.note)
}
