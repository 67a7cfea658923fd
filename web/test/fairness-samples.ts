// Openings, seeds and proofs that tests of the Fairness page speak of, and its files.

import {
  type FairOpening,
  fairnessContract,
  type OpeningProof,
  type SeedsResponse,
} from '@redpack/contract'
import { vi } from 'vitest'
import { canonicalTable } from '../src/features/fairness/draw-table.ts'
import { sha256 } from '../src/lib/digest.ts'
import { sampleLog } from './log-samples.ts'
import { answers } from './mock-server.ts'

export const table = {
  packTypeId: 1,
  consolationRedCoin: 5,
  entries: [
    {
      prizeId: 4,
      name: 'Coffee Mug',
      winFrequency: 1,
      totalPacks: 1,
      redCoinAmount: 0,
      rewardPackTypeId: null,
      rewardPackQuantity: 0,
      limited: false,
    },
  ],
}
export const tableHash = await sha256(new TextEncoder().encode(canonicalTable(table)))
export const serverSeed = '5a'.repeat(32)
export const serverSeedHash = await sha256(new Uint8Array(32).fill(0x5a))

/** An opening of a pack that holds the mug whatever the roll. */
export function opening(change: Partial<FairOpening> = {}): FairOpening {
  return {
    id: 31,
    createdAt: '2026-11-20T10:00:00.000Z',
    packTypeId: 1,
    prizeId: 4,
    soldOut: false,
    soldOutPrizeId: null,
    redCoinEarned: 0,
    seedPairId: 1,
    nonce: 12,
    tableHash,
    serverSeedHash,
    clientSeed: 'mine',
    clientSeedFrom: 'player',
    serverSeed,
    scheme: 2,
    ...change,
  }
}

/** The log with the entry of the sample opening. */
export const log = sampleLog([
  JSON.stringify({ type: 'commitment', pairId: 1, serverSeedHash }),
  JSON.stringify({ type: 'commitment', pairId: 2, serverSeedHash: 'a1'.repeat(32) }),
  JSON.stringify({
    type: 'opening',
    id: 31,
    at: '2026-11-20T10:00:00.000Z',
    packTypeId: 1,
    tableHash,
    pairId: 1,
    nonce: 12,
    clientSeedHash: await sha256(new TextEncoder().encode('mine')),
    prizeId: 4,
    soldOutPrizeId: null,
    stockAfter: null,
    redCoinEarned: 0,
  }),
])

export function proofOf(change: Partial<FairOpening> = {}): OpeningProof {
  return { version: 2, opening: opening(change), table, log: log.proof(2) }
}

export function seeds(nonce: number, change: Partial<SeedsResponse['active']> = {}): SeedsResponse {
  return {
    active: {
      id: 2,
      serverSeedHash: 'a1'.repeat(32),
      clientSeed: 'before',
      clientSeedFrom: 'player',
      nonce,
      scheme: 2,
      ...change,
    },
    next: { serverSeedHash: 'b2'.repeat(32) },
  }
}

export function listOf(...openings: FairOpening[]) {
  return answers(fairnessContract.openings, {
    openings,
    pagination: {
      totalItems: openings.length,
      totalPages: 1,
      hasPreviousPage: false,
      hasNextPage: false,
      page: 1,
      limit: 25,
    },
  })
}

/** Keeps the files that the page hands to the browser. */
export function keepFiles(): Blob[] {
  const files: Blob[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
  URL.createObjectURL = (file) => {
    files.push(file as Blob)
    return 'blob:file'
  }
  URL.revokeObjectURL = () => undefined
  return files
}

/** jsdom's files cannot be read as text. */
export function readable(file: File, text: string): File {
  return Object.assign(file, { text: () => Promise.resolve(text) })
}

export function textOf(blob: Blob): Promise<string> {
  return new Promise((resolve) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.readAsText(blob)
  })
}
