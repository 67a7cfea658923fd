// Signed notes and checkpoints as text, as C2SP signed-note, tlog-checkpoint, tlog-cosignature and
// tlog-proof spell them. Hashing is passed in; signing and checking signatures is done elsewhere.

/** SHA-256 of bytes. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array

/** What kind of signature a key makes, part of its id. */
export const signatureTypes = { ed25519: 1, cosignature: 4 } as const

/** A name and a public key, as it stands in front of a signature. */
export interface VerifierKey {
  readonly name: string
  readonly id: Uint8Array
  readonly type: number
  readonly publicKey: Uint8Array
}

export interface NoteSignature {
  readonly name: string
  readonly id: Uint8Array
  /** The bytes behind the key's id. */
  readonly signature: Uint8Array
}

export interface Checkpoint {
  readonly origin: string
  readonly size: number
  readonly root: Uint8Array
}

const idBytes = 4
const hashBytes = 32
const keyBytes = 32
/** Neither spaces nor plus, since the forms below use them between their parts. */
const namePattern = /^[^\s+\p{Cc}\p{Z}]+$/u
const sizePattern = /^(0|[1-9]\d{0,15})$/

/** The key with its id: the first four bytes of SHA-256(name || newline || type || public key). */
export function verifierKey(
  name: string,
  type: number,
  publicKey: Uint8Array,
  sha256: Sha256,
): VerifierKey {
  const head = new TextEncoder().encode(`${name}\n`)
  const id = sha256(joinBytes([head, Uint8Array.of(type), publicKey])).subarray(0, idBytes)
  return { name, id, type, publicKey }
}

/** `name+id+key`, which is what others are given to check signatures. */
export function verifierKeyText({ name, id, type, publicKey }: VerifierKey): string {
  return `${name}+${toHex(id)}+${toBase64(joinBytes([Uint8Array.of(type), publicKey]))}`
}

/** Undefined for anything but an Ed25519 key of a known kind whose id is right. */
export function parseVerifierKey(text: string, sha256: Sha256): VerifierKey | undefined {
  const [, name = '', id = '', encoded = ''] = /^([^+]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text) ?? []
  const key = fromBase64(encoded)
  const type = key?.[0]
  if (key?.length !== keyBytes + 1 || type === undefined || !namePattern.test(name))
    return undefined
  if (type !== signatureTypes.ed25519 && type !== signatureTypes.cosignature) return undefined
  const known = verifierKey(name, type, key.slice(1), sha256)
  return toHex(known.id) === id ? known : undefined
}

/** The text that is signed. */
export function checkpointText({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${toBase64(root)}\n`
}

/** One line at the end of a note. */
export function signatureLine(
  key: Pick<VerifierKey, 'name' | 'id'>,
  signature: Uint8Array,
): string {
  return `— ${key.name} ${toBase64(joinBytes([key.id, signature]))}\n`
}

/** The parts of a note, undefined when it is none. */
export function parseNote(
  note: string,
): { readonly text: string; readonly signatures: readonly NoteSignature[] } | undefined {
  const end = note.lastIndexOf('\n\n')
  if (end < 0 || !note.endsWith('\n') || /[^\P{Cc}\n]/u.test(note)) return undefined
  const lines = note.slice(end + 2, -1).split('\n')
  const signatures = lines.map(parseSignatureLine)
  if (!signatures.every((signature) => signature !== undefined)) return undefined
  return { text: note.slice(0, end + 1), signatures }
}

/** Undefined for a line that is no signature. */
export function parseSignatureLine(line: string): NoteSignature | undefined {
  const [, name = '', encoded = ''] = /^— (\S+) (\S+)$/.exec(line) ?? []
  const bytes = fromBase64(encoded)
  if (!namePattern.test(name) || bytes === undefined || bytes.length <= idBytes) return undefined
  return { name, id: bytes.subarray(0, idBytes), signature: bytes.subarray(idBytes) }
}

/** Undefined for a text that is no checkpoint. */
export function parseCheckpoint(text: string): Checkpoint | undefined {
  const [origin = '', size = '', encoded = '', ...extensions] = text.split('\n')
  const root = fromBase64(encoded)
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
export function parseCosignature(
  signature: Uint8Array,
): { readonly seconds: number; readonly signature: Uint8Array } | undefined {
  if (signature.length !== 8 + 64) return undefined
  const view = new DataView(signature.buffer, signature.byteOffset)
  const seconds = Number(view.getBigUint64(0))
  if (seconds === 0 || !Number.isSafeInteger(seconds)) return undefined
  return { seconds, signature: signature.subarray(8) }
}

/**
 * The proof that an entry stands in the log, in one text with the checkpoint it leads to. The entry
 * itself goes along as the extra data, so that nobody has to guess what was hashed.
 */
export function logProofText(
  { index, entry }: { readonly index: number; readonly entry: Uint8Array },
  path: readonly Uint8Array[],
  note: string,
): string {
  const hashes = path.map((hash) => `${toBase64(hash)}\n`).join('')
  const head = `c2sp.org/tlog-proof@v1\nextra ${toBase64(entry)}\nindex ${index}\n`
  return `${head}${hashes}\n${note}`
}

/** What a witness is sent: the size it knows, how the log grew from there, and the checkpoint. */
export function addCheckpointText(
  older: number,
  path: readonly Uint8Array[],
  note: string,
): string {
  return `old ${older}\n${path.map((hash) => `${toBase64(hash)}\n`).join('')}\n${note}`
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}

/** Undefined for what is not base64 as it is written here, so that each value has one spelling. */
export function fromBase64(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text) || text.length % 4 !== 0) return undefined
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  return toBase64(bytes) === text ? bytes : undefined
}

function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}
