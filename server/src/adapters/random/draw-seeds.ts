// Server seeds of draw chains: where they come from, and how they are kept secret until an opening
// or the end of the chain reveals them.

import { hexOf } from '@redpack/fair/bytes'
import { commitmentOf, seedBehind } from '@redpack/fair/draw'
import { type SealedText, seedContext } from '../../shared/sealed-text.ts'
import type { Encryption } from '../encryption/encryption.ts'
import { nodeHashing } from './hashing.ts'
import type { Random } from './random.ts'

export interface KeptSeed {
  readonly chainId: number
  readonly index: number
  readonly commitment: string
  readonly sealedSeed: SealedText
}

/** The chain of a user that has not ended. */
export interface OpenChain extends KeptSeed {
  readonly userId: number
  /** The UTC day that it serves, as in 2026-11-23. */
  readonly day: string
}

export type DrawSeeds = ReturnType<typeof drawSeeds>

export function drawSeeds(random: Random, encryption: Encryption) {
  return {
    /** Names of the keys that are here. */
    keyIds: encryption.keyIds,
    /** A new seed of 32 bytes for a place in a chain. */
    make(chainId: number, index: number) {
      const seed = random.serverSeed()
      const sealed = encryption.seal(hexOf(seed), seedContext(chainId, index))
      return { sealed, commitment: commitmentOf(seed, nodeHashing) }
    },
    /** Undefined when it cannot be opened, or is not what was committed to. */
    open({ chainId, index, commitment, sealedSeed }: KeptSeed): Uint8Array | undefined {
      const text = encryption.open(sealedSeed, seedContext(chainId, index))
      return seedBehind(commitment, text ?? '', nodeHashing)
    },
  }
}
