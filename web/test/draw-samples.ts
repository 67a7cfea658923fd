// A small world of fair draws for tests, played with Node's cryptography by the rules of
// docs/economy.md, and told as the entries of the public log.

/// <reference types="node" />

import { createHash, createHmac } from 'node:crypto'

export const sha256 = (value: string | Uint8Array) =>
  createHash('sha256').update(value).digest('hex')

export const sampleTable = {
  packTypeId: 1,
  consolationRedCoin: 5,
  entries: [
    {
      prizeId: 1,
      name: 'Coins',
      winFrequency: 1,
      totalPacks: 4,
      redCoinAmount: 50,
      rewardPackTypeId: null,
      rewardPackQuantity: 0,
      limited: false,
    },
    {
      prizeId: 2,
      name: 'Hoodie',
      winFrequency: 1,
      totalPacks: 4,
      redCoinAmount: 0,
      rewardPackTypeId: 3,
      rewardPackQuantity: 2,
      limited: true,
    },
  ],
}
export const sampleTableHash = sha256(JSON.stringify(sampleTable))

export interface SampleSeeds {
  readonly pairId: number
  readonly serverSeed: string
  readonly clientSeed: string
}

export const firstSeeds: SampleSeeds = {
  pairId: 1,
  serverSeed: '5a'.repeat(32),
  clientSeed: 'mine',
}

/** The commitment to a server seed. */
export const commitmentOf = ({ serverSeed }: SampleSeeds) => sha256(Buffer.from(serverSeed, 'hex'))

export interface SampleOpening {
  readonly type: 'opening'
  readonly id: number
  readonly at: string
  readonly packTypeId: number
  readonly tableHash: string
  readonly pairId: number
  readonly nonce: number
  readonly clientSeedHash: string
  readonly prizeId: number | null
  readonly soldOutPrizeId: number | null
  readonly stockAfter: number | null
  readonly redCoinEarned: number
}

/** Openings of one pair from nonce 0 on, with this many hoodies to win. */
export function sampleOpenings(
  seeds: SampleSeeds,
  count: number,
  hoodies: number,
): SampleOpening[] {
  let left = hoodies
  return Array.from({ length: count }, (_, nonce) => {
    const digest = createHmac('sha256', Buffer.from(seeds.serverSeed, 'hex'))
      .update(`${seeds.clientSeed}:${nonce}:${sampleTableHash}`)
      .digest('hex')
    const quarter = Number(BigInt(`0x${digest.slice(0, 13)}`) >> 50n)
    const isSoldOut = quarter === 1 && left === 0
    const prizeId = quarter === 0 ? 1 : quarter === 1 && left > 0 ? 2 : null
    if (prizeId === 2) left -= 1
    return {
      type: 'opening',
      id: 1000 * seeds.pairId + nonce,
      at: '2026-11-20T10:00:00.000Z',
      packTypeId: 1,
      tableHash: sampleTableHash,
      pairId: seeds.pairId,
      nonce,
      clientSeedHash: sha256(seeds.clientSeed),
      prizeId,
      soldOutPrizeId: isSoldOut ? 2 : null,
      stockAfter: prizeId === 2 ? left : isSoldOut ? 0 : null,
      redCoinEarned: prizeId === 1 ? 50 : prizeId === 2 ? 0 : 5,
    }
  })
}

/** Everything that an honest log tells of openings of one revealed pair. */
export function sampleEntries(count: number, hoodies = 3): unknown[] {
  const { pairId, serverSeed, clientSeed } = firstSeeds
  return [
    { type: 'commitment', pairId, serverSeedHash: commitmentOf(firstSeeds) },
    { type: 'table', tableHash: sampleTableHash, table: sampleTable },
    { type: 'stock', prizeId: 2, delta: hoodies, after: hoodies },
    ...sampleOpenings(firstSeeds, count, hoodies),
    { type: 'reveal', pairId, serverSeed, clientSeed },
  ]
}
