// The proof file: one opening and its odds table as JSON, to be kept and checked anywhere.

import { FirstOddsTable, OpeningProof } from '@redpack/contract'
import * as z from 'zod/mini'
import { saveJson } from '../../lib/save-file.ts'
import type { DrawProof } from './draw-proof.ts'

/** Largest proof file that is read, in bytes. */
export const proofFileBytesMax = 5 * 1024 * 1024

/** Hands a proof to the browser as a file to keep. */
export function downloadProof(proof: DrawProof): void {
  const version = proof.log === undefined ? 1 : 2
  saveJson(`draw-proof-${proof.opening.id}.json`, { version, ...proof })
}

/** Files of the first version: all of scheme 1, and nothing in them about the log. */
const FirstProof = z.object({
  version: z.literal(1),
  opening: z.object({
    id: z.int(),
    createdAt: z.string(),
    packTypeId: z.int(),
    prizeId: z.nullable(z.int()),
    soldOut: z.boolean(),
    redCoinEarned: z.int(),
    seedPairId: z.int(),
    nonce: z.int(),
    tableHash: z.string(),
    serverSeedHash: z.string(),
    clientSeed: z.string(),
    serverSeed: z.nullable(z.string()),
  }),
  table: FirstOddsTable,
})

/**
 * Reads a proof from the text of a file.
 * @throws Error with a sentence for the reader when the text is no proof
 */
export function readProof(text: string): DrawProof {
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    throw new Error('This file is not JSON.')
  }
  const proof = OpeningProof.safeParse(content)
  if (proof.success) return proof.data
  const first = FirstProof.safeParse(content)
  if (!first.success) throw new Error('This file is not a proof of an opening.')
  const { opening, table } = first.data
  return {
    opening: { ...opening, scheme: 1, soldOutPrizeId: null, clientSeedFrom: null },
    table,
  }
}
