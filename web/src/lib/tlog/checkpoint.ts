// Checkpoints (C2SP tlog-checkpoint): the signed size and root of a log.

import { type Bytes, bytesOfBase64 } from './bytes.ts'
import { LogFault } from './log-fault.ts'
import { emptyRoot, hashBytes, type TreeHead } from './merkle-tree.ts'
import { isBy, type Note, readNote, requireSignature, type VerifierKey } from './signed-note.ts'

export interface Checkpoint extends TreeHead {
  readonly origin: string
  readonly root: Bytes
  /** The whole signed note. */
  readonly text: string
  readonly note: Note
}

/**
 * What a checkpoint says, whoever signed it.
 * @throws LogFault when the text is none
 */
export function readCheckpoint(text: string): Checkpoint {
  const note = readNote(text)
  const [origin = '', size = '', root = '', ...extensions] = note.text.slice(0, -1).split('\n')
  const bytes = bytesOfBase64(root)
  const isSize = /^(0|[1-9][0-9]{0,15})$/.test(size) && Number.isSafeInteger(Number(size))
  if (origin === '' || !isSize || bytes?.length !== hashBytes || extensions.includes('')) {
    throw new LogFault('The checkpoint does not say what a checkpoint says.')
  }
  const isEmpty = Number(size) === 0
  if (isEmpty && bytes.some((byte, at) => byte !== emptyRoot[at])) {
    throw new LogFault('The checkpoint of an empty log has the root of another.')
  }
  return { origin, size: Number(size), root: bytes, text, note }
}

/** @throws LogFault unless the text is a checkpoint of the log with this key, signed by it */
export async function openCheckpoint(text: string, key: VerifierKey): Promise<Checkpoint> {
  const checkpoint = readCheckpoint(text)
  if (checkpoint.origin !== key.name) {
    throw new LogFault('The checkpoint is of another log than its key.')
  }
  await requireSignature(checkpoint.note, key)
  return checkpoint
}

/** Names of those other than the log who signed the checkpoint. Their keys are not known here. */
export function cosignersOf(checkpoint: Checkpoint, key: VerifierKey): string[] {
  const others = checkpoint.note.signatures.filter((line) => !isBy(key, line))
  return [...new Set(others.map(({ name }) => name))]
}
