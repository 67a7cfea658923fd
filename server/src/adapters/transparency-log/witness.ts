// A witness as C2SP tlog-witness describes it: it is shown how the log grew, and cosigns.

import { isSame } from '@redpack/fair/bytes'
import {
  addCheckpointText,
  cosignedText,
  parseCosignature,
  parseNote,
  parseSignatureLine,
  parseVerifierKey,
  type VerifierKey,
} from '@redpack/fair/notes'
import type { Config } from '../../config.ts'
import { nodeHashing } from '../random/hashing.ts'
import { isSignedBy } from './ed25519.ts'

const timeoutMillis = 2_000
const answerBytesMax = 16_384

/** How a witness answered; it never throws, since a witness that is away blocks nothing. */
export type WitnessAnswer =
  | { readonly kind: 'cosigned'; readonly line: string }
  /** It knows another size of the log than it was told. */
  | { readonly kind: 'conflict'; readonly size: number }
  | { readonly kind: 'failed'; readonly reason: string }

export interface Witness {
  readonly name: string
  /** Names the witness in the database and to whoever checks its cosignatures. */
  readonly verifierKey: string
  /** Shows it a checkpoint, with the proof that the log only grew since `older`. */
  cosign(older: number, path: readonly Uint8Array[], note: string): Promise<WitnessAnswer>
}

/** Reads a key as the setting gives it; undefined when it is not one of a witness. */
export function witnessKey(text: string): VerifierKey | undefined {
  const key = parseVerifierKey(text, nodeHashing.sha256)
  return key?.type === 4 ? key : undefined
}

export function witnessAt({ verifierKey, url }: Config['logWitnesses'][number]): Witness {
  const key = witnessKey(verifierKey)
  if (key === undefined) throw new Error('LOG_WITNESSES names a key that is none of a witness')
  return {
    name: key.name,
    verifierKey,
    async cosign(older, path, note) {
      try {
        const response = await fetch(`${url}/add-checkpoint`, {
          method: 'POST',
          headers: { 'content-type': 'text/plain; charset=utf-8' },
          body: addCheckpointText(older, path, note),
          redirect: 'error',
          signal: AbortSignal.timeout(timeoutMillis),
        })
        const text = (await response.text()).slice(0, answerBytesMax)
        return judge(response.status, text, key, note)
      } catch (error) {
        const isLate = error instanceof Error && error.name === 'TimeoutError'
        return failed(isLate ? 'It does not answer in time' : 'It cannot be reached')
      }
    },
  }
}

const failed = (reason: string): WitnessAnswer => ({ kind: 'failed', reason })

function judge(status: number, text: string, key: VerifierKey, note: string): WitnessAnswer {
  if (status === 409 && /^(0|[1-9]\d{0,15})\n$/.test(text)) {
    return { kind: 'conflict', size: Number(text) }
  }
  if (status === 404) return failed('It does not know this log')
  if (status === 403) return failed('It does not know the key that signs this log')
  if (status === 422) return failed('It says that this log is not what it has seen before')
  if (status !== 200) return failed(`It answered ${status}`)
  const line = text.split('\n').find((found) => isCosigned(found, key, note))
  if (line === undefined) return failed('Its answer is no cosignature of its key')
  return { kind: 'cosigned', line: `${line}\n` }
}

function isCosigned(line: string, key: VerifierKey, note: string): boolean {
  const found = parseSignatureLine(line)
  const text = parseNote(note)?.text
  if (found === undefined || text === undefined) return false
  if (found.name !== key.name || !isSame(found.id, key.id)) return false
  const cosignature = parseCosignature(found.signature)
  if (cosignature === undefined) return false
  return isSignedBy(key.publicKey, cosignedText(text, cosignature.seconds), cosignature.signature)
}
