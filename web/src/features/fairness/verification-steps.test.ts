// What the checks of a draw say in words.

import { describe, expect, it } from 'vitest'
import { sha256 } from '../../lib/digest.ts'
import type { DrawProof } from './draw-proof.ts'
import { canonicalTable, rollCount } from './draw-table.ts'
import { outcomeText } from './result-words.ts'
import { rollPercent, verificationSteps } from './verification-steps.ts'
import { verifyProof } from './verify-proof.ts'

const table = {
  packTypeId: 1,
  consolationRedCoin: 5,
  entries: [
    {
      prizeId: 4,
      name: 'Mug',
      winFrequency: 1,
      totalPacks: 1,
      redCoinAmount: 0,
      rewardPackTypeId: 2,
      rewardPackQuantity: 3,
      limited: true,
    },
  ],
}
const serverSeed = '5a'.repeat(32)
const tableHash = await sha256(new TextEncoder().encode(canonicalTable(table)))

/** A proof whose only prize is won by every pack. */
async function sureProof(change: Partial<DrawProof['opening']> = {}): Promise<DrawProof> {
  const opening: DrawProof['opening'] = {
    id: 31,
    createdAt: '2026-11-20T10:00:20.000Z',
    packTypeId: 1,
    prizeId: 4,
    soldOut: false,
    soldOutPrizeId: null,
    redCoinEarned: 0,
    seedPairId: 9,
    nonce: 3,
    tableHash,
    serverSeedHash: await sha256(new Uint8Array(32).fill(0x5a)),
    clientSeed: 'mine',
    clientSeedFrom: 'player',
    serverSeed,
    scheme: 2,
    ...change,
  }
  return { opening, table, log: null }
}

async function textsOf(change: Partial<DrawProof['opening']> = {}) {
  const proof = await sureProof(change)
  const steps = verificationSteps(proof, await verifyProof(proof))
  return Object.fromEntries(steps.map(({ name, text }) => [name, text]))
}

describe('verificationSteps', () => {
  it('follows the order in which the checks build on one another', async () => {
    const proof = await sureProof()
    const steps = verificationSteps(proof, await verifyProof(proof))
    expect(steps.map(({ name }) => name)).toEqual(['table', 'commitment', 'roll', 'outcome', 'log'])
    expect(steps.map(({ verdict }) => verdict)).toEqual([...Array(4).fill('passed'), 'waiting'])
    expect(steps[2]?.values[0]).toEqual({
      name: 'Client seed, nonce and odds table',
      value: `mine:3:${tableHash}`,
    })
  })

  it('names the prize whose range holds the roll', async () => {
    expect((await textsOf()).outcome).toBe(
      'The roll lies in the range of “Mug”. That is what the opening says. It paid 3 packs of type 2.',
    )
  })

  it('says that a sold-out prize counts as none', async () => {
    const soldOut = { prizeId: null, soldOut: true, soldOutPrizeId: 4, redCoinEarned: 5 }
    const { outcome } = await textsOf(soldOut)
    expect(outcome).toContain('sold out')
    expect(outcome).toContain('Such a pack paid 5 RedCoin.')
  })

  it('says so when the opening tells something else', async () => {
    const { outcome } = await textsOf({ prizeId: null })
    expect(outcome).toContain('That is not what the opening says.')
  })

  it('says how to reveal a seed that is still secret', async () => {
    const { commitment, roll } = await textsOf({ serverSeed: null })
    expect(commitment).toContain('Rotate your seeds')
    expect(roll).toContain('still secret')
  })
})

describe('rollPercent', () => {
  it.each([
    [0n, 0],
    [rollCount, 100],
    [(rollCount * 3n) / 10n, 30],
    [rollCount / 3n, 33.3333],
  ])('writes %s rolls as %d percent', (roll, percent) => {
    expect(rollPercent(roll)).toBe(
      `${percent.toLocaleString(undefined, { maximumFractionDigits: 4 })}%`,
    )
  })
})

describe('outcomeText', () => {
  it.each([
    [{ prizeId: 4, soldOut: false, redCoinEarned: 50 }, 'Won: Mug'],
    [{ prizeId: null, soldOut: false, redCoinEarned: 5 }, 'No prize, 5 RedCoin'],
    [{ prizeId: null, soldOut: false, redCoinEarned: 0 }, 'No prize'],
    [
      { prizeId: null, soldOut: true, redCoinEarned: 5 },
      'Mug, but sold out: counts as no prize, 5 RedCoin',
    ],
  ])('says of %o: %s', (outcome, text) => {
    expect(outcomeText(outcome, 'Mug')).toBe(text)
  })
})
