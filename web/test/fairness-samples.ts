// A server that draws fairly, for tests: its chain, odds and answers follow from each other, and a
// test can make it cheat. Files that pages hand out, and openings for lists.

import {
  type ChainResponse,
  type FairOpening,
  fairnessContract,
  type OddsResponse,
  type OddsTable,
  type OpeningProof,
  type OpenPacksResponse,
  packsContract,
} from '@redpack/contract'
import { hexOf } from '@redpack/fair/bytes'
import {
  commitmentOf,
  drawPacks,
  tableHash as hashOf,
  rollsOf,
  tableText,
  thresholdsOf,
} from '@redpack/fair/draw'
import { entryText, minuteOf } from '@redpack/fair/entries'
import { portableHashing } from '@redpack/fair/hashing'
import { HttpResponse } from 'msw'
import { vi } from 'vitest'
import { signedLog } from '../../fair/src/sample-log.fixture.ts'
import { answers, replies } from './mock-server.ts'
import { samplePagination } from './samples.ts'

export const table: OddsTable = {
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
export const tableHash = hashOf(tableText(table), portableHashing)

const seedAt = (index: number) => new Uint8Array(32).fill(0x50 + index)
export const seedHex = (index: number) => hexOf(seedAt(index))
export const commitmentAt = (index: number) => commitmentOf(seedAt(index), portableHashing)

/** The odds answer of a table. */
export function oddsOf(of: OddsTable): OddsResponse {
  const entries = of.entries.map((entry) => ({ ...entry, chance: 1, soldOut: false }))
  const hash = hashOf(tableText(of), portableHashing)
  return { ...of, entries, tableHash: hash, scaled: false, noPrizeChance: 0 }
}

interface Asked {
  readonly packTypeId: number
  readonly quantity: number
  readonly entropy: string
  readonly commitment: string
}

/** What a test changes of an honest answer; a response goes out as it is. */
export type Cheat = (answer: OpenPacksResponse, asked: Asked) => OpenPacksResponse | Response

export interface FairServer {
  /** What it was asked, in order. */
  readonly asked: Asked[]
  /** Opens, of the odds and chain of this server. */
  readonly handlers: ReturnType<typeof answers>[]
  cheat: Cheat | undefined
  chainId: number
  index: number
  ended: ChainResponse['ended']
}

/** A server that serves one chain and one table. */
export function fairServer(of: OddsTable = table): FairServer {
  const odds = oddsOf(of)
  const chainOf = (): ChainResponse => ({
    chainId: server.chainId,
    index: server.index,
    commitment: commitmentAt(server.index),
    ended: server.ended,
  })
  const server: FairServer = {
    asked: [],
    cheat: undefined,
    chainId: 1,
    index: 0,
    ended: [],
    handlers: [
      replies(fairnessContract.chain, () => HttpResponse.json(chainOf())),
      answers(fairnessContract.odds, odds),
      answers(fairnessContract.table, of),
      replies(packsContract.open, async (request) => {
        const asked = (await request.json()) as Asked
        server.asked.push(asked)
        if (asked.commitment !== commitmentAt(server.index)) {
          const problem = { code: 'commitment_moved', message: 'Moved', error: 'Moved' }
          return HttpResponse.json({ ...problem, requestId: 'r' }, { status: 409 })
        }
        const honest = answerTo(asked, of, server)
        const sent = server.cheat?.(honest, asked) ?? honest
        server.index += 1
        return sent instanceof Response ? sent : HttpResponse.json(sent)
      }),
    ],
  }
  return server
}

/** What an honest server answers. */
export function answerTo(
  { quantity, entropy, commitment }: Asked,
  of: OddsTable,
  { chainId, index }: Pick<FairServer, 'chainId' | 'index'>,
): OpenPacksResponse {
  const hash = hashOf(tableText(of), portableHashing)
  const rolls = rollsOf(
    { seed: seedAt(index), entropy, tableHash: hash },
    quantity,
    portableHashing,
  )
  const { drawn } = drawPacks(thresholdsOf(of.entries), [], rolls)
  return {
    results: drawn.map(({ won }) => {
      const entry = of.entries[won ?? -1]
      const redCoinEarned = entry ? entry.redCoinAmount : of.consolationRedCoin
      if (!entry) return { won: false, prizeId: null, prize: null, claimId: null, redCoinEarned }
      const { prizeId: id, name, redCoinAmount } = entry
      const picture = { imageData: null, imageType: null }
      const prize = { id, name, description: '', claimInstructions: '', redCoinAmount, ...picture }
      return { won: true, prizeId: id, prize, claimId: 'PR-1A2B3C4D', redCoinEarned }
    }),
    proof: {
      ...{ requestId: `request-${index}`, chainId, index, commitment, serverSeed: seedHex(index) },
      ...{ entropy, entropyFrom: 'player', tableHash: hash },
      nextCommitment: commitmentAt(index + 1),
    },
    updatedBalance: 100,
  }
}

/** An opening of a pack that holds the mug whatever the roll. */
export function opening(change: Partial<FairOpening> = {}): FairOpening {
  return {
    ...{ id: 31, createdAt: '2026-11-20T10:00:00.000Z', packTypeId: 1, prizeId: 4 },
    ...{ soldOut: false, soldOutPrizeId: null, redCoinEarned: 0, requestId: 'r-31', position: 0 },
    ...{ tableHash, commitment: commitmentAt(0), serverSeed: seedHex(0) },
    ...{ entropy: 'e0'.repeat(32), entropyFrom: 'player', chainId: 1, index: 0 },
    ...change,
  }
}

const { requestId: id, createdAt, packTypeId, chainId, index, ...drawn } = opening()
/** The log with the entry of the sample opening. */
export const log = signedLog([
  entryText({ type: 'table', tableHash, table }),
  entryText({ type: 'chain', chainId: 1, commitment: commitmentAt(0) }),
  entryText({
    ...{ type: 'opening', id, at: minuteOf(new Date(createdAt)), packTypeId, tableHash, chainId },
    ...{ index, serverSeed: drawn.serverSeed, entropy: drawn.entropy, entropyFrom: 'player' },
    ...{ next: commitmentAt(1), results: [[4, null, null, 0]] },
  }),
])

export function proofOf(change: Partial<FairOpening> = {}): OpeningProof {
  return { version: 1, opening: opening(change), table, log: log.proof(2) }
}

export function listOf(...openings: FairOpening[]) {
  return answers(fairnessContract.openings, {
    openings,
    pagination: samplePagination(openings.length),
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
