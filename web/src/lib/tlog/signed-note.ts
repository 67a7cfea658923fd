// Signed notes and the keys that verify them (C2SP signed-note), Ed25519 only.

import { sha256 } from '@noble/hashes/sha2.js'
import { type Bytes, bytesOfBase64, hexOf, joined, utf8 } from './bytes.ts'
import { isSigned } from './ed25519.ts'
import { LogFault } from './log-fault.ts'

export interface VerifierKey {
  readonly name: string
  /** 8 hex digits. */
  readonly id: string
  readonly publicKey: Bytes
  /** The key as it was written. */
  readonly text: string
}

export interface NoteSignature {
  readonly name: string
  readonly id: string
  readonly signature: Bytes
}

export interface Note {
  /** What is signed, with its final newline. */
  readonly text: string
  readonly signatures: readonly NoteSignature[]
}

const ed25519Type = 1
const publicKeyBytes = 32
const idBytes = 4
/** More signature lines than any honest note has. */
const signaturesMax = 64
const namePattern = /^[^\s+]+$/u

/** @throws LogFault when the text is no Ed25519 key, or its id is not that of its key */
export function readVerifierKey(written: string): VerifierKey {
  const text = written.trim()
  const [, name = '', id = '', key = ''] = /^([^\s+]+)\+([0-9a-f]{8})\+(.+)$/u.exec(text) ?? []
  const bytes = bytesOfBase64(key)
  if (bytes?.length !== publicKeyBytes + 1 || bytes[0] !== ed25519Type) {
    throw new LogFault('The key of the log is not one that can be read.')
  }
  const found = hexOf(sha256(joined(utf8(`${name}\n`), bytes)).slice(0, idBytes))
  if (found !== id) throw new LogFault('The key of the log does not have the id that it names.')
  return { name, id, publicKey: bytes.slice(1), text }
}

/** @throws LogFault when the text is no signed note */
export function readNote(note: string): Note {
  const end = note.lastIndexOf('\n\n')
  const lines = note.slice(end + 2).split('\n')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what a note may not hold
  const hasControls = /[\u0000-\u0009\u000b-\u001f]/.test(note)
  if (end < 0 || hasControls || lines.pop() !== '' || lines.length > signaturesMax) {
    throw new LogFault('The checkpoint is not a signed note.')
  }
  return { text: note.slice(0, end + 1), signatures: lines.map(readSignature) }
}

function readSignature(line: string): NoteSignature {
  const [dash, name = '', encoded = '', ...more] = line.split(' ')
  const bytes = bytesOfBase64(encoded)
  const isLine = dash === '\u2014' && namePattern.test(name) && more.length === 0
  if (!isLine || !bytes || bytes.length <= idBytes) {
    throw new LogFault('The checkpoint has a line that is no signature.')
  }
  return { name, id: hexOf(bytes.slice(0, idBytes)), signature: bytes.slice(idBytes) }
}

/** Whether a signature line was written by the key, going by name and id. */
export function isBy(key: Pick<VerifierKey, 'name' | 'id'>, line: NoteSignature): boolean {
  return line.name === key.name && line.id === key.id
}

/** @throws LogFault unless the key has signed the note, and every time that it says so */
export async function requireSignature(note: Note, key: VerifierKey): Promise<void> {
  const own = note.signatures.filter((line) => isBy(key, line))
  if (own.length === 0) throw new LogFault('The checkpoint is not signed by the key of this log.')
  for (const { signature } of own) {
    if (!(await isSigned(key.publicKey, utf8(note.text), signature))) {
      throw new LogFault('The signature under the checkpoint is false.')
    }
  }
}
