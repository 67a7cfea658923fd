// The public log with another key, other witnesses, or a memory of what was signed.

import type { Deps } from '../src/adapters/deps.ts'
import { type SignedMemory, signerOf } from '../src/adapters/transparency-log/public-log.ts'
import type { TestDeps } from './deps.ts'

export const otherSigner = signerOf('20'.repeat(32))

export function signedMemory(): SignedMemory {
  let kept: string | undefined
  return {
    read: () => kept,
    keep(note) {
      kept = note
    },
  }
}

export const logDeps = ({ deps }: TestDeps, log: Partial<Deps['publicLog']>): Deps => ({
  ...deps,
  publicLog: { ...deps.publicLog, ...log },
})
