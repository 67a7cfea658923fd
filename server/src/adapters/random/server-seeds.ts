// Server seeds: where they come from, and how they are kept secret until they are revealed.

import type { SealedText } from '../../rules/contact-info.ts'
import { Unavailable } from '../../rules/refusal.ts'
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

/** A seed can be opened in the row only for which it was sealed. */
const placeOf = (pairId: number) => `seed_pairs.server_seed:${pairId}`

export function serverSeeds(random: Random, encryption: Encryption): ServerSeeds {
  const seal = (serverSeed: string, pairId: number) => encryption.seal(serverSeed, placeOf(pairId))
  return {
    seal,
    clientSeed: () => random.bytes(8).toString('hex'),
    make(pairId) {
      const serverSeed = random.serverSeed().toString('hex')
      return { sealed: seal(serverSeed, pairId), commitment: seedCommitment(serverSeed) }
    },
    open({ id, serverSeed, sealedServerSeed }) {
      if (serverSeed !== null) return serverSeed
      const opened = sealedServerSeed === null ? undefined : openSealed(sealedServerSeed, id)
      if (opened !== undefined) return opened
      throw new Unavailable('A secret seed cannot be opened. Please tell the staff of this site.')
    },
  }

  function openSealed(sealed: SealedText, pairId: number): string | undefined {
    try {
      return encryption.open(sealed, placeOf(pairId))
    } catch {
      // What was changed or moved from another row says no more than what another key has sealed.
      return undefined
    }
  }
}
