// Signed notes, checkpoints and proofs of entries as text, as C2SP signed-note, tlog-checkpoint,
// tlog-cosignature and tlog-proof spell them. Hashing is passed in.

import {
  base64Of,
  bytesOfBase64,
  type Hashing,
  hexOf,
  isSame,
  joined,
  textOf,
  utf8,
} from './bytes.ts'
import { hashBytes, LogFault, provesInclusion, type TreeHashes, type TreeHead } from './tree.ts'

type Sha256 = Hashing['sha256']

/** What kind of signature a key makes, part of its id. */
export const signatureTypes = { ed25519: 1, cosignature: 4 } as const

interface KeyName {
  readonly name: string
  readonly id: Uint8Array
}

export interface VerifierKey extends KeyName {
  readonly type: number
  readonly publicKey: Uint8Array
}

export interface NoteSignature extends KeyName {
  /** The bytes behind the key's id. */
  readonly signature: Uint8Array
}

export interface Checkpoint extends TreeHead {
  readonly origin: string
}

const idBytes = 4
const keyBytes = 32
/** Neither spaces nor plus, since the forms below use them between their parts. */
const namePattern = /^[^\s+\p{Cc}\p{Z}]+$/u
/** A number that is exact in JavaScript. */
const sizePattern = /^(0|[1-9]\d{0,14})$/

/** The key with its id: the first four bytes of SHA-256(name || newline || type || public key). */
export function verifierKey(name: string, type: number, publicKey: Uint8Array, sha256: Sha256) {
  const head = utf8(`${name}\n`)
  const id = sha256(joined(head, Uint8Array.of(type), publicKey)).subarray(0, idBytes)
  return { name, id, type, publicKey }
}

/** `name+id+key`, which is what others are given to check signatures. */
export function verifierKeyText({ name, id, type, publicKey }: VerifierKey): string {
  return `${name}+${hexOf(id)}+${base64Of(joined(Uint8Array.of(type), publicKey))}`
}

/** Undefined for anything but an Ed25519 key of a known kind whose id is right. */
export function parseVerifierKey(text: string, sha256: Sha256): VerifierKey | undefined {
  const [, name = '', id = '', encoded = ''] = /^([^+]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text) ?? []
  const key = bytesOfBase64(encoded)
  const type = key?.[0] ?? 0
  const isKnown = Object.values<number>(signatureTypes).includes(type)
  if (key?.length !== keyBytes + 1 || !isKnown || !namePattern.test(name)) return undefined
  const known = verifierKey(name, type, key.slice(1), sha256)
  return hexOf(known.id) === id ? known : undefined
}

export function checkpointText({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${base64Of(root)}\n`
}

export function signatureLine({ name, id }: VerifierKey, signature: Uint8Array): string {
  return `— ${name} ${base64Of(joined(id, signature))}\n`
}

/** The parts of a note, undefined when it is none. */
export function parseNote(note: string) {
  const end = note.lastIndexOf('\n\n')
  if (end < 0 || !note.endsWith('\n') || /[^\P{Cc}\n]/u.test(note)) return undefined
  const lines = note.slice(end + 2, -1).split('\n')
  const signatures = lines.map(parseSignatureLine)
  if (!signatures.every((signature) => signature !== undefined)) return undefined
  return { text: note.slice(0, end + 1), signatures }
}

export function parseSignatureLine(line: string): NoteSignature | undefined {
  const [, name = '', encoded = ''] = /^— (\S+) (\S+)$/.exec(line) ?? []
  const bytes = bytesOfBase64(encoded)
  if (!namePattern.test(name) || bytes === undefined || bytes.length <= idBytes) return undefined
  return { name, id: bytes.subarray(0, idBytes), signature: bytes.subarray(idBytes) }
}

export function parseCheckpoint(text: string): Checkpoint | undefined {
  const [origin = '', size = '', encoded = '', ...extensions] = text.split('\n')
  const root = bytesOfBase64(encoded)
  if (origin === '' || !sizePattern.test(size) || root?.length !== hashBytes) return undefined
  // The last line ends the text; lines of extensions are not empty.
  if (extensions.pop() !== '' || extensions.includes('')) return undefined
  return { origin, size: Number(size), root }
}

/** What a witness signs: the checkpoint's text with the seconds since 1970 in front. */
export function cosignedText(text: string, seconds: number): string {
  return `cosignature/v1\ntime ${seconds}\n${text}`
}

/** Time and signature of a witness, undefined when it has neither. */
export function parseCosignature(signature: Uint8Array) {
  if (signature.length !== 8 + 64) return undefined
  const view = new DataView(signature.buffer, signature.byteOffset)
  const seconds = Number(view.getBigUint64(0))
  if (seconds === 0 || !Number.isSafeInteger(seconds)) return undefined
  return { seconds, signature: signature.subarray(8) }
}

/** What a witness is sent: the size it knows, how the log grew from there, and the checkpoint. */
export function addCheckpointText(older: number, path: readonly Uint8Array[], note: string) {
  return `old ${older}\n${linesOf(path)}\n${note}`
}

const linesOf = (path: readonly Uint8Array[]) => path.map((hash) => `${base64Of(hash)}\n`).join('')

export interface OpenedCheckpoint extends Checkpoint {
  /** Names of others who say that they signed it; their keys are not known here. */
  readonly cosigners: readonly string[]
}

/** @throws LogFault unless the note is a checkpoint of the log with this key, signed by it */
export async function openCheckpoint(note: string, key: VerifierKey): Promise<OpenedCheckpoint> {
  const parsed = parseNote(note)
  const checkpoint = parsed && parseCheckpoint(parsed.text)
  if (parsed === undefined || checkpoint === undefined) {
    throw new LogFault('The checkpoint is not a signed note that says what a checkpoint says.')
  }
  if (checkpoint.origin !== key.name) {
    throw new LogFault('The checkpoint is of another log than its key.')
  }
  const isOwn = ({ name, id }: NoteSignature) => name === key.name && isSame(id, key.id)
  const own = parsed.signatures.filter(isOwn)
  if (own.length === 0) throw new LogFault('The checkpoint is not signed by the key of this log.')
  for (const { signature } of own) {
    if (!(await isSigned(key.publicKey, utf8(parsed.text), signature))) {
      throw new LogFault('The signature under the checkpoint is false.')
    }
  }
  const others = parsed.signatures.filter((line) => !isOwn(line))
  return { ...checkpoint, cosigners: [...new Set(others.map(({ name }) => name))] }
}

const plain = (bytes: Uint8Array) => new Uint8Array(bytes)

/** Checks an Ed25519 signature (RFC 8032), by the platform where it can, else by a library. */
export async function isSigned(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) {
  try {
    const key = await crypto.subtle.importKey('raw', plain(publicKey), 'Ed25519', false, ['verify'])
    return await crypto.subtle.verify('Ed25519', key, plain(signature), plain(message))
  } catch {
    const { hashes, verify } = await import('@noble/ed25519')
    hashes.sha512 = (await import('@noble/hashes/sha2.js')).sha512
    try {
      return verify(signature, message, publicKey, { zip215: false })
    } catch {
      return false
    }
  }
}

const header = 'c2sp.org/tlog-proof@v1'

/** A C2SP tlog-proof of an entry, which goes along as its extra data, with the checkpoint. */
export function logProofText(
  { index, entry }: { readonly index: number; readonly entry: Uint8Array },
  path: readonly Uint8Array[],
  note: string,
): string {
  return `${header}\nextra ${base64Of(entry)}\nindex ${index}\n${linesOf(path)}\n${note}`
}

export interface ProvenEntry {
  readonly entry: string
  readonly index: number
  /** Entries of the log by the checkpoint that the proof leads to. */
  readonly size: number
  readonly note: string
}

/** Follows a proof to its signed checkpoint. @throws LogFault when it is none or proves nothing */
export async function openLogProof(
  text: string,
  key: VerifierKey,
  { leafHash, nodeHash }: TreeHashes,
): Promise<ProvenEntry> {
  const end = text.indexOf('\n\n')
  const [first, extraLine = '', indexLine = '', ...hashLines] = text.slice(0, end).split('\n')
  const [, extra = ''] = /^extra (\S+)$/.exec(extraLine) ?? []
  const [, index] = /^index (0|[1-9]\d{0,14})$/.exec(indexLine) ?? []
  const entry = bytesOfBase64(extra)
  const path = hashLines.flatMap((line) => bytesOfBase64(line) ?? [])
  const isPath = path.length === hashLines.length && path.every((h) => h.length === hashBytes)
  if (end < 0 || first !== header || entry === undefined || index === undefined || !isPath) {
    throw new LogFault('The proof of the log cannot be read.')
  }
  const note = text.slice(end + 2)
  const checkpoint = await openCheckpoint(note, key)
  const leaf = { index: Number(index), hash: leafHash(entry) }
  if (!provesInclusion(leaf, checkpoint, path, nodeHash)) {
    throw new LogFault('The entry does not lead to the signed checkpoint.')
  }
  return { entry: textOf(entry), index: leaf.index, size: checkpoint.size, note }
}
