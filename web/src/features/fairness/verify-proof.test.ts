// The browser's verifier against an independent drawing of the same packs with Node's cryptography.

/// <reference types="node" />

import { createHash, createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DrawProof } from './draw-proof.ts'
import { canonicalTable, drawnAt, rollCount, rollRanges, type TableEntry } from './draw-table.ts'
import { verifyProof } from './verify-proof.ts'

type Opening = DrawProof['opening']
type Table = DrawProof['table']

const hex64 = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => Buffer.from(bytes).toString('hex'))

const clientSeed = fc.stringMatching(/^[\x20-\x39\x3b-\x7e]{1,64}$/)

const table: fc.Arbitrary<Table> = fc
  .record({
    packTypeId: fc.integer({ min: 1, max: 1000 }),
    drafts: fc.uniqueArray(
      fc.record({
        prizeId: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
        name: fc.string({ unit: 'grapheme', maxLength: 20 }),
        winFrequency: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
        totalPacks: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
        redCoinAmount: fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
        rewardPackTypeId: fc.option(fc.integer({ min: 1, max: 99 })),
        rewardPackQuantity: fc.nat({ max: 50 }),
        limited: fc.boolean(),
      }),
      { maxLength: 8, selector: ({ prizeId }) => prizeId },
    ),
    consolationRedCoin: fc.nat(),
  })
  .map(({ packTypeId, consolationRedCoin, drafts }) => ({
    packTypeId,
    consolationRedCoin,
    entries: drafts.sort((left, right) => left.prizeId - right.prizeId),
  }))

/** The same without what only tables of scheme 2 hold. */
function firstTable({ packTypeId, entries }: Table): Table {
  const plain = entries.map(({ prizeId, name, winFrequency, totalPacks, redCoinAmount }) => ({
    prizeId,
    name,
    winFrequency,
    totalPacks,
    redCoinAmount,
  }))
  return { packTypeId, entries: plain }
}

function sha256(value: string | Uint8Array): string {
  return createHash('sha256').update(value).digest('hex')
}

/** The entry a roll draws, found by comparing fractions instead of thresholds. */
function drawnByFractions(entries: readonly TableEntry[], roll: bigint): TableEntry | null {
  let [above, below] = [0n, 1n]
  const sums = entries.map(({ winFrequency, totalPacks }) => {
    above = above * BigInt(totalPacks) + BigInt(Math.min(winFrequency, totalPacks)) * below
    below *= BigInt(totalPacks)
    return [above, below] as const
  })
  const [scaleUp, scaleDown] = above > below ? [below, above] : [1n, 1n]
  // roll < floor(2^52 * c) is the same as roll + 1 <= 2^52 * c for whole numbers.
  const at = sums.findIndex(
    ([sumAbove, sumBelow]) =>
      (roll + 1n) * sumBelow * scaleDown <= (1n << 52n) * sumAbove * scaleUp,
  )
  return entries[at] ?? null
}

/** A proof as an honest server writes it. */
function honestProof(drawn: Table, serverSeed: string, seed: string, nonce: number): DrawProof {
  const scheme = drawn.consolationRedCoin === undefined ? 1 : 2
  const tableHash = sha256(JSON.stringify(drawn))
  const digest = createHmac('sha256', Buffer.from(serverSeed, 'hex'))
    .update(scheme === 1 ? `${seed}:${nonce}` : `${seed}:${nonce}:${tableHash}`)
    .digest('hex')
  const won = drawnByFractions(drawn.entries, BigInt(`0x${digest.slice(0, 13)}`))
  return {
    opening: {
      id: 31,
      createdAt: '2026-11-20T10:00:20.000Z',
      packTypeId: drawn.packTypeId,
      prizeId: won?.prizeId ?? null,
      soldOut: false,
      soldOutPrizeId: null,
      redCoinEarned: won?.redCoinAmount ?? drawn.consolationRedCoin ?? 5,
      seedPairId: 9,
      nonce,
      tableHash,
      serverSeedHash: sha256(Buffer.from(serverSeed, 'hex')),
      clientSeed: seed,
      clientSeedFrom: 'player',
      serverSeed,
      scheme,
    },
    table: drawn,
  }
}

function changed(proof: DrawProof, change: Partial<Opening>): DrawProof {
  return { ...proof, opening: { ...proof.opening, ...change } }
}

const proof = fc
  .tuple(fc.oneof(table, table.map(firstTable)), hex64, clientSeed, fc.nat())
  .map(([drawn, serverSeed, seed, nonce]) => honestProof(drawn, serverSeed, seed, nonce))

const coins = {
  prizeId: 1,
  name: 'Coins',
  winFrequency: 1,
  totalPacks: 3,
  redCoinAmount: 50,
  rewardPackTypeId: null,
  rewardPackQuantity: 0,
  limited: true,
}
const hoodie = { ...coins, prizeId: 2, name: 'Hoodie', redCoinAmount: 0 }
const thirds = { packTypeId: 7, consolationRedCoin: 5, entries: [coins, hoodie] }

describe('verifyProof', () => {
  it('passes every draw that was made by the rules', async () => {
    await fc.assert(
      fc.asyncProperty(proof, async (honest) => {
        const result = await verifyProof(honest)
        expect(result.verdict).toBe('passed')
        expect(result.drawn?.prizeId ?? null).toBe(honest.opening.prizeId)
        expect(result.tableHash).toBe(honest.opening.tableHash)
      }),
    )
  })

  it('passes a known draw, digit by digit', async () => {
    const seed = `${'00'.repeat(31)}01`
    const result = await verifyProof(honestProof(thirds, seed, 'player', 3))
    const digest = createHmac('sha256', Buffer.from(seed, 'hex'))
      .update(`player:3:${sha256(canonicalTable(thirds))}`)
      .digest('hex')
    expect(result.digest).toBe(digest)
    expect(result.roll).toBe(BigInt(`0x${digest.slice(0, 13)}`))
  })

  it('fails when any part of a proof was altered', async () => {
    const other = fc.record(
      {
        prizeId: fc.integer({ min: 1, max: 99 }),
        packTypeId: fc.integer({ min: 2000 }),
        tableHash: hex64,
        serverSeedHash: hex64,
        serverSeed: hex64,
      },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(proof, other, async (honest, change) => {
        const forged = changed(honest, change)
        fc.pre(JSON.stringify(forged) !== JSON.stringify(honest))
        expect((await verifyProof(forged)).verdict).toBe('failed')
      }),
    )
  })

  it('fails the table when one number of it was altered afterwards', async () => {
    const honest = honestProof(thirds, 'ab'.repeat(32), 'seed', 0)
    const entries = [{ ...coins, winFrequency: 2 }, hoodie]
    const result = await verifyProof({ ...honest, table: { ...thirds, entries } })
    expect(result.checks.table).toBe('failed')
  })

  it.each([
    ['prizes out of order', [hoodie, coins]],
    ['a prize twice', [coins, coins]],
    ['a share that is no number', [{ ...coins, totalPacks: 0 }]],
    ['a share that is no whole number', [{ ...coins, winFrequency: 0.5 }]],
  ])('fails a table with %s instead of throwing', async (_, entries) => {
    const drawn = { packTypeId: 7, consolationRedCoin: 5, entries }
    const opening = honestProof(thirds, 'ab'.repeat(32), 'seed', 0).opening
    const result = await verifyProof({
      opening: { ...opening, tableHash: sha256(canonicalTable(drawn)) },
      table: drawn,
    })
    expect(result.checks.table).toBe('failed')
    expect(result.ranges).toEqual([])
  })

  it('fails the commitment alone when the seed is not the one committed to', async () => {
    const honest = honestProof(thirds, 'ab'.repeat(32), 'seed', 0)
    const { checks } = await verifyProof(changed(honest, { serverSeedHash: 'cd'.repeat(32) }))
    expect(checks).toEqual({
      table: 'passed',
      commitment: 'failed',
      roll: 'passed',
      outcome: 'passed',
      log: 'unchecked',
    })
  })

  it.each(['', 'ab', 'AB'.repeat(32), 'zz'.repeat(32)])(
    'fails the server seed %j',
    async (seed) => {
      const honest = honestProof(thirds, 'ab'.repeat(32), 'seed', 0)
      const result = await verifyProof(changed(honest, { serverSeed: seed }))
      expect(result.checks).toMatchObject({
        commitment: 'failed',
        roll: 'failed',
        outcome: 'failed',
      })
    },
  )

  it('waits for the seed while it is secret, and still checks the table', async () => {
    const honest = honestProof(thirds, 'ab'.repeat(32), 'seed', 0)
    const secret = await verifyProof(changed(honest, { serverSeed: null }))
    expect(secret.verdict).toBe('waiting')
    expect(secret.checks.table).toBe('passed')
    expect(secret.drawn).toBeUndefined()
    const forged = changed(honest, { serverSeed: null, tableHash: 'cd'.repeat(32) })
    expect((await verifyProof(forged)).verdict).toBe('failed')
  })

  it('takes a sold-out prize for a pack without prize, but only the prize that was drawn', async () => {
    for (let nonce = 0; nonce < 40; nonce += 1) {
      const honest = honestProof(thirds, 'ab'.repeat(32), 'seed', nonce)
      const outcomeOf = async (change: Partial<Opening>) =>
        (await verifyProof(changed(honest, change))).checks.outcome
      const drawn = honest.opening.prizeId
      const soldOut = { prizeId: null, soldOut: true, soldOutPrizeId: drawn, redCoinEarned: 5 }
      expect(await outcomeOf(soldOut)).toBe(drawn === null ? 'failed' : 'passed')
      expect(await outcomeOf({ ...soldOut, soldOutPrizeId: drawn === 1 ? 2 : 1 })).toBe('failed')
      expect(await outcomeOf({ ...soldOut, redCoinEarned: 4 })).toBe('failed')
      expect(await outcomeOf({ soldOut: true })).toBe('failed')
      expect(await outcomeOf({ soldOutPrizeId: 1 })).toBe('failed')
    }
  })

  it('takes no prize for sold out that has no end to its stock', async () => {
    const always = { ...coins, winFrequency: 3, limited: false }
    const honest = honestProof({ ...thirds, entries: [always] }, 'ab'.repeat(32), 'seed', 0)
    const soldOut = { prizeId: null, soldOut: true, soldOutPrizeId: 1, redCoinEarned: 5 }
    expect((await verifyProof(changed(honest, soldOut))).checks.outcome).toBe('failed')
  })

  it('takes the first scheme at its word about sold-out prizes and consolations', async () => {
    const always = firstTable({ packTypeId: 1, entries: [{ ...coins, winFrequency: 3 }] })
    const honest = honestProof(always, 'ab'.repeat(32), 'seed', 0)
    const soldOut = { prizeId: null, soldOut: true, redCoinEarned: 77 }
    expect((await verifyProof(changed(honest, soldOut))).checks.outcome).toBe('passed')
  })

  it('fails a prize or a pack without one that paid another amount', async () => {
    const always = { ...thirds, entries: [{ ...coins, winFrequency: 3 }] }
    const never = { ...thirds, entries: [] }
    for (const [drawn, paid] of [
      [always, 50],
      [never, 5],
    ] as const) {
      const honest = honestProof(drawn, 'ab'.repeat(32), 'seed', 0)
      expect(honest.opening.redCoinEarned).toBe(paid)
      const short = await verifyProof(changed(honest, { redCoinEarned: paid - 1 }))
      expect(short.checks.outcome).toBe('failed')
    }
  })

  it('fails a proof of scheme 2 whose roll is not bound to the table', async () => {
    const digest = (text: string) =>
      createHmac('sha256', Buffer.from('ab'.repeat(32), 'hex'))
        .update(text)
        .digest('hex')
    const first = { ...thirds, entries: [{ ...coins, winFrequency: 1, totalPacks: 2 }] }
    const half = 1n << 51n
    const isWon = (text: string) => BigInt(`0x${digest(text).slice(0, 13)}`) < half
    const hash = sha256(canonicalTable(first))
    const nonce = Array.from({ length: 99 }, (_, at) => at).find(
      (at) => isWon(`seed:${at}`) && !isWon(`seed:${at}:${hash}`),
    )!
    const honest = honestProof(first, 'ab'.repeat(32), 'seed', nonce)
    const forged = changed(honest, { prizeId: 1, redCoinEarned: 50 })
    expect((await verifyProof(forged)).checks.outcome).toBe('failed')
  })

  it('fails a proof of scheme 2 with a table of scheme 1', async () => {
    const honest = honestProof(firstTable(thirds), 'ab'.repeat(32), 'seed', 0)
    expect((await verifyProof(changed(honest, { scheme: 2 }))).checks.table).toBe('failed')
  })
})

describe('rollRanges', () => {
  it('lays the ranges side by side from 0 and draws as exact fractions do', () => {
    fc.assert(
      fc.property(table, fc.bigInt({ min: 0n, max: rollCount - 1n }), ({ entries }, roll) => {
        const ranges = rollRanges(entries)
        const starts = [0n, ...ranges.map(({ to }) => to)].slice(0, ranges.length)
        expect(ranges.map(({ from }) => from)).toEqual(starts)
        expect((ranges.at(-1)?.to ?? 0n) <= rollCount).toBe(true)
        // Where two ranges meet is where a mistake would show.
        const edges = ranges.flatMap(({ to }) => [to - 1n, to]).filter((at) => at < rollCount)
        for (const at of [roll, 0n, ...edges].filter((edge) => edge >= 0n)) {
          expect(drawnAt(ranges, at)).toEqual(drawnByFractions(entries, at))
        }
      }),
    )
  })

  it('is exact where floating point is not', () => {
    const [first, second] = rollRanges([coins, hoodie])
    expect(first?.to).toBe(1501199875790165n)
    expect(second?.to).toBe(3002399751580330n)
  })

  it('ends at the last roll when the shares add up to more than 1', () => {
    const ranges = rollRanges([
      { ...coins, winFrequency: 9, totalPacks: 1 },
      { ...hoodie, winFrequency: 1, totalPacks: 1 },
    ])
    expect(ranges.map(({ to }) => to)).toEqual([rollCount / 2n, rollCount])
  })
})
