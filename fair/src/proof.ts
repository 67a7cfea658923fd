// Proofs that an entry stands in the log (C2SP tlog-proof), with the entry itself as extra data.

import { base64Of, bytesOfBase64 } from './bytes.ts'
import { LogFault, openCheckpoint, type VerifierKey, type Verify } from './notes.ts'
import { hashBytes, type TreeHashes } from './tree.ts'
import { provesInclusion } from './tree-proofs.ts'

const header = 'c2sp.org/tlog-proof@v1'

/**
 * The proof that an entry stands in the log, in one text with the checkpoint it leads to. The entry
 * itself goes along as the extra data, so that nobody has to guess what was hashed.
 */
export function logProofText(
  { index, entry }: { readonly index: number; readonly entry: Uint8Array },
  path: readonly Uint8Array[],
  note: string,
): string {
  const hashes = path.map((hash) => `${base64Of(hash)}\n`).join('')
  const head = `${header}\nextra ${base64Of(entry)}\nindex ${index}\n`
  return `${head}${hashes}\n${note}`
}

/** An entry that stands in the log. */
export interface ProvenEntry {
  readonly entry: string
  readonly index: number
  /** Entries of the log by the checkpoint that the proof leads to. */
  readonly size: number
  /** The signed checkpoint. */
  readonly note: string
}

/**
 * Reads a proof and follows it to its signed checkpoint.
 * @throws LogFault, in a sentence, when it is none or proves nothing
 */
export async function openLogProof(
  text: string,
  key: VerifierKey,
  { leafHash, nodeHash }: TreeHashes,
  verify: Verify,
): Promise<ProvenEntry> {
  const end = text.indexOf('\n\n')
  const [first, extraLine = '', indexLine = '', ...hashLines] = text.slice(0, end).split('\n')
  const [, extra = ''] = /^extra (\S+)$/.exec(extraLine) ?? []
  const [, index] = /^index (0|[1-9]\d{0,15})$/.exec(indexLine) ?? []
  const entry = bytesOfBase64(extra)
  const path = hashLines.flatMap((line) => bytesOfBase64(line) ?? [])
  const isPath = path.length === hashLines.length && path.every((h) => h.length === hashBytes)
  if (end < 0 || first !== header || entry === undefined || index === undefined || !isPath) {
    throw new LogFault('The proof of the log cannot be read.')
  }
  const note = text.slice(end + 2)
  const checkpoint = await openCheckpoint(note, key, verify)
  const leaf = { index: Number(index), hash: leafHash(entry) }
  if (!provesInclusion(leaf, checkpoint, path, nodeHash)) {
    throw new LogFault('The entry does not lead to the signed checkpoint.')
  }
  const { size } = checkpoint
  return { entry: new TextDecoder().decode(entry), index: leaf.index, size, note }
}
