// What the public log needs outside the database: a signing key, witnesses, and a record of what
// was signed that restoring the database does not revert.

import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { isSame, utf8 } from '@redpack/fair/bytes'
import {
  addCheckpointText,
  cosignedText,
  isSigned,
  parseCosignature,
  parseNote,
  parseSignatureLine,
  parseVerifierKey,
  type VerifierKey,
} from '@redpack/fair/notes'
import type { Config } from '../../config/config.ts'
import { textOf } from '../outbound/call-json.ts'
import { nodeHashing } from '../random/hashing.ts'

// What stands in front of a private key in its usual encoding (RFC 8410).
const privateHead = Buffer.from('302e020100300506032b657004220420', 'hex')

/** The signer of a seed of 64 hexadecimal digits. */
export function signerOf(seedHex: string) {
  const der = Buffer.concat([privateHead, Buffer.from(seedHex, 'hex')])
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' })
  return {
    publicKey: Uint8Array.from(Buffer.from(x, 'base64url')),
    sign: (text: string): Uint8Array => sign(null, Buffer.from(text), key),
  }
}
export type Signer = ReturnType<typeof signerOf>

const timeoutMillis = 2_000
const answerBytesMax = 16_384

/** How a witness answered; it never throws, since a witness that is away blocks nothing. */
export type WitnessAnswer =
  | { readonly kind: 'cosigned'; readonly line: string }
  /** It knows another size of the log than it was told. */
  | { readonly kind: 'conflict'; readonly size: number }
  | { readonly kind: 'failed'; readonly reason: string }

/** Reads a key as the setting gives it; undefined when it is not one of a witness. */
export function witnessKey(text: string): VerifierKey | undefined {
  const key = parseVerifierKey(text, nodeHashing.sha256)
  return key?.type === 4 ? key : undefined
}

export type Witness = ReturnType<typeof witnessAt>

export function witnessAt({ verifierKey, url }: Config['logWitnesses'][number]) {
  const key = witnessKey(verifierKey)
  if (key === undefined) throw new Error('LOG_WITNESSES names a key that is none of a witness')
  return {
    name: key.name,
    /** Names the witness in the database and to whoever checks its cosignatures. */
    verifierKey,
    /** Shows it a checkpoint, with the proof that the log only grew since `older`. */
    async cosign(older: number, path: readonly Uint8Array[], note: string): Promise<WitnessAnswer> {
      try {
        const response = await fetch(`${url}/add-checkpoint`, {
          method: 'POST',
          headers: { 'content-type': 'text/plain; charset=utf-8' },
          body: addCheckpointText(older, path, note),
          redirect: 'error',
          signal: AbortSignal.timeout(timeoutMillis),
        })
        const text = (await textOf(response)).slice(0, answerBytesMax)
        return await judge(response.status, text, key, note)
      } catch (error) {
        const isLate = error instanceof Error && error.name === 'TimeoutError'
        return failed(isLate ? 'It does not answer in time' : 'It cannot be reached')
      }
    },
  }
}

const failed = (reason: string): WitnessAnswer => ({ kind: 'failed', reason })

async function judge(
  status: number,
  text: string,
  key: VerifierKey,
  note: string,
): Promise<WitnessAnswer> {
  if (status === 409 && /^(0|[1-9]\d{0,15})\n$/.test(text)) {
    return { kind: 'conflict', size: Number(text) }
  }
  if (status === 404) return failed('It does not know this log')
  if (status === 403) return failed('It does not know the key that signs this log')
  if (status === 422) return failed('It says that this log is not what it has seen before')
  if (status !== 200) return failed(`It answered ${status}`)
  for (const line of text.split('\n')) {
    if (await isCosigned(line, key, note)) return { kind: 'cosigned', line: `${line}\n` }
  }
  return failed('Its answer is no cosignature of its key')
}

async function isCosigned(line: string, key: VerifierKey, note: string): Promise<boolean> {
  const found = parseSignatureLine(line)
  const text = parseNote(note)?.text
  if (text === undefined || found?.name !== key.name || !isSame(found.id, key.id)) return false
  const made = parseCosignature(found.signature)
  if (made === undefined) return false
  return isSigned(key.publicKey, utf8(cosignedText(text, made.seconds)), made.signature)
}

/** Keeps the newest signed checkpoint outside the database. */
export interface SignedMemory {
  read(): string | undefined
  keep(note: string): void
}

export interface PublicLog {
  /** Undefined while no key is set; then nothing is signed and everything else goes on. */
  readonly signer: Signer | undefined
  readonly witnesses: readonly Witness[]
  readonly memory: SignedMemory
  /** The Discord channel that gets the checkpoint of each day. */
  readonly discordChannelId: string | undefined
}

const forgetful: SignedMemory = { read: () => undefined, keep: () => undefined }

/** Opens nothing: witnesses are called when there is a checkpoint to cosign. */
export function publicLog(
  config: Pick<Config, 'logSigningKey' | 'logWitnesses' | 'logDiscordChannelId'>,
  memory: SignedMemory = forgetful,
): PublicLog {
  const { logSigningKey, logWitnesses, logDiscordChannelId } = config
  return {
    signer: logSigningKey === undefined ? undefined : signerOf(logSigningKey),
    witnesses: logWitnesses.map(witnessAt),
    memory,
    discordChannelId: logDiscordChannelId,
  }
}
