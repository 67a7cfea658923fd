// Proofs that an entry stands in a log (C2SP tlog-proof); the entry itself may come as extra data.

import { type Bytes, bytesOfBase64 } from './bytes.ts'
import { type Checkpoint, readCheckpoint } from './checkpoint.ts'
import { LogFault } from './log-fault.ts'
import { hashBytes, isIncluded, leafHash } from './merkle-tree.ts'

export interface LogProof {
  /** The entry's bytes, where the proof hands them along. */
  readonly extra: Bytes | undefined
  readonly index: number
  readonly hashes: readonly Bytes[]
  /** Its signature is not checked yet. */
  readonly checkpoint: Checkpoint
}

const header = 'c2sp.org/tlog-proof@v1'

/** @throws LogFault when the text is no proof */
export function readLogProof(text: string): LogProof {
  const end = text.indexOf('\n\n')
  const [first, ...lines] = text.slice(0, Math.max(0, end)).split('\n')
  if (first !== header) throw new LogFault('The proof of the log is in no known form.')
  const extra = lines[0]?.startsWith('extra ') ? lines.shift()?.slice(6) : undefined
  const bytes = extra === undefined ? undefined : bytesOfBase64(extra)
  const [index = '', ...hashes] = lines
  const at = /^index (0|[1-9][0-9]{0,15})$/.exec(index)?.[1]
  const decoded = hashes.map(bytesOfBase64)
  const isPath = decoded.every((hash) => hash?.length === hashBytes)
  if (at === undefined || !isPath || (extra !== undefined && !bytes)) {
    throw new LogFault('The proof of the log cannot be read.')
  }
  return {
    extra: bytes,
    index: Number(at),
    hashes: decoded.filter((hash) => hash !== undefined),
    checkpoint: readCheckpoint(text.slice(end + 2)),
  }
}

/** Whether an entry leads to the root of the checkpoint. */
export function leadsToRoot(entry: Uint8Array, { index, hashes, checkpoint }: LogProof): boolean {
  return isIncluded(leafHash(entry), index, checkpoint, hashes)
}
