// Server seeds: where they come from, and how they are kept secret until they are revealed.

import type { SealedText } from '../../rules/contact-info.ts'
import { Unavailable } from '../../shared/domain-error.ts'
import { seedContext } from '../../shared/sealed-contexts.ts'
import type { Encryption } from '../encryption/encryption.ts'
import type { Random } from './random.ts'
import { seedCommitment } from './rolls.ts'

/** How a server seed stands in its row: sealed, in plain text once revealed. */
export interface KeptSeed {
  /** Id of the seed pair. */
  readonly id: number
  readonly serverSeed: string | null
  readonly sealedServerSeed: SealedText | null
}

export interface ServerSeeds {
  /** A new seed of 32 bytes for the pair, sealed, and its commitment. */
  make(pairId: number): { readonly sealed: SealedText; readonly commitment: string }
  seal(serverSeed: string, pairId: number): SealedText
  /** A client seed for players whose browser has sent none: 16 random hex digits. */
  clientSeed(): string
  /**
   * The seed as 64 hex digits.
   * @throws Unavailable when it cannot be opened: another key has sealed it, or it was changed
   */
  open(kept: KeptSeed): string
}

export function serverSeeds(random: Random, encryption: Encryption): ServerSeeds {
  const seal = (serverSeed: string, pairId: number) =>
    encryption.seal(serverSeed, seedContext(pairId))
  return {
    seal,
    clientSeed: () => random.bytes(8).toString('hex'),
    make(pairId) {
      const serverSeed = random.serverSeed().toString('hex')
      return { sealed: seal(serverSeed, pairId), commitment: seedCommitment(serverSeed) }
    },
    open({ id, serverSeed, sealedServerSeed }) {
      if (serverSeed !== null) return serverSeed
      const opened =
        sealedServerSeed === null ? undefined : encryption.open(sealedServerSeed, seedContext(id))
      if (opened !== undefined) return opened
      throw new Unavailable('A secret seed cannot be opened. Please tell the staff of this site.')
    },
  }
}
