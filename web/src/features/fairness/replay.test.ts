// The replay of the log: an honest one passes, and every way to bend it is named.

import { describe, expect, it } from 'vitest'
import {
  commitmentOf,
  firstSeeds,
  sampleEntries,
  sampleOpenings,
  sampleTable,
  sampleTableHash,
  sha256,
} from '../../../test/draw-samples.ts'
import { startReplay } from './replay.ts'

type Entry = Record<string, unknown>

function replayed(entries: readonly unknown[]) {
  const replay = startReplay()
  for (const [index, entry] of entries.entries()) replay.take(index, JSON.stringify(entry))
  return replay
}

const faultsOf = (entries: readonly unknown[]) =>
  replayed(entries).faults.map(({ index, text }) => `${index} ${text}`)

const honest = sampleEntries(60) as Entry[]
const openingsFrom = 3
const firstWhere = (isWanted: (entry: Entry) => boolean) => honest.findIndex(isWanted)
const hoodieWin = firstWhere(({ type, prizeId }) => type === 'opening' && prizeId === 2)
const soldOut = firstWhere(({ soldOutPrizeId }) => soldOutPrizeId === 2)
const lost = firstWhere(
  ({ type, prizeId, soldOutPrizeId }) =>
    type === 'opening' && prizeId === null && soldOutPrizeId === null,
)

/** The log with one entry changed. */
const changed = (at: number, change: Entry) =>
  honest.map((entry, index) => (index === at ? { ...entry, ...change } : entry))

describe('an honest log', () => {
  it('passes, with every draw of the revealed pair drawn again', () => {
    const replay = replayed(honest)
    expect(replay.faults).toEqual([])
    expect(replay.counts).toEqual({
      openings: 60,
      replayed: 60,
      commitments: 1,
      revealed: 1,
      tables: 1,
      stockChanges: 1,
    })
    // The world of the tests holds every kind of outcome.
    expect([hoodieWin, soldOut, lost].every((at) => at >= openingsFrom)).toBe(true)
  })

  it('passes while seeds are secret, and says how many draws wait', () => {
    const replay = replayed(honest.slice(0, -1))
    expect(replay.faults).toEqual([])
    expect(replay.counts).toMatchObject({ openings: 60, replayed: 0 })
  })

  it('may tell a large table in parts', () => {
    const text = JSON.stringify(sampleTable)
    const parts = [text.slice(0, 50), text.slice(50)].map((piece, index) => ({
      type: 'table',
      tableHash: sampleTableHash,
      part: index + 1,
      parts: 2,
      text: piece,
    }))
    expect(faultsOf([honest[0], ...parts, ...honest.slice(2)])).toEqual([])
    expect(faultsOf([honest[0], parts[1], ...honest.slice(2)])[0]).toBe(
      '1 is a piece of an odds table out of its order',
    )
  })

  it('goes on from the first log, whose chain and draws are checked as well', () => {
    const { pairId, serverSeed, clientSeed } = firstSeeds
    const table = { packTypeId: 1, entries: [plain] }
    const tableHash = sha256(JSON.stringify(table))
    const body = JSON.stringify({
      position: 1,
      openingRequestAt: '2026-01-01T00:00:00.000Z',
      packTypeId: 1,
      tableHash,
      serverSeedHash: commitmentOf(firstSeeds),
      firstNonce: 0,
      quantity: 2,
      prizeIds: [1, 1],
      previousHash: '0'.repeat(64),
    })
    const entries = [
      { type: 'commitment', pairId, serverSeedHash: commitmentOf(firstSeeds), scheme: 1 },
      { type: 'table', tableHash, table },
      { type: 'carried', position: 1, body, hash: sha256(body) },
      { type: 'reveal', pairId, serverSeed, clientSeed },
    ]
    expect(faultsOf(entries)).toEqual([])
    expect(replayed(entries).counts.replayed).toBe(2)
    const forged = body.replace('[1,1]', '[1,7]')
    const bent = entries.with(2, {
      type: 'carried',
      position: 1,
      body: forged,
      hash: sha256(forged),
    })
    expect(faultsOf(bent)).toEqual(['2 is not what its seeds and its odds give'])
    const broken = entries.with(2, {
      type: 'carried',
      position: 1,
      body: forged,
      hash: sha256(body),
    })
    expect(faultsOf(broken)).toEqual(['2 does not say what its fingerprint says'])
    expect(faultsOf(entries.with(2, { ...entries[2], position: 2 } as never))[0]).toContain(
      'does not go on',
    )
  })
})

const plain = { prizeId: 1, name: 'Coins', winFrequency: 1, totalPacks: 1, redCoinAmount: 5 }

describe('a bent log', () => {
  it.each<[string, () => unknown[], string]>([
    [
      'a win given away',
      () => changed(lost, { prizeId: 1, redCoinEarned: 50 }),
      `${lost} is not what its seeds and its odds give`,
    ],
    [
      'a win kept back as sold out',
      () =>
        changed(hoodieWin, { prizeId: null, soldOutPrizeId: 2, stockAfter: 0, redCoinEarned: 5 }),
      `${hoodieWin} leaves 0 of prize 2, of which 3 were there`,
    ],
    [
      'a sold-out prize that was not hit',
      () => changed(lost, { soldOutPrizeId: 2, stockAfter: 0 }),
      `${lost} is not what its seeds and its odds give`,
    ],
    [
      'a prize won more often than it was there',
      () => changed(soldOut, { prizeId: 2, soldOutPrizeId: null, redCoinEarned: 0, stockAfter: 0 }),
      `${soldOut} leaves 0 of prize 2, of which 0 were there`,
    ],
    [
      'a win that does not say what was left',
      () => changed(hoodieWin, { stockAfter: null }),
      `${hoodieWin} does not say what was left of prize 2`,
    ],
    [
      'stock nobody was told of',
      () => changed(2, { prizeId: 1 }),
      `${hoodieWin} leaves 2 of prize 2, of which nobody was told how many were there`,
    ],
    [
      'stock that does not add up',
      () => [...honest.slice(0, -1), { type: 'stock', prizeId: 2, delta: 1, after: 9 }],
      '63 changes the stock of prize 2 from 0 by 1 to 9',
    ],
    [
      'a draw left out',
      () => honest.filter((_, index) => index !== openingsFrom + 4),
      `${openingsFrom + 4} has nonce 5 where 4 comes next`,
    ],
    [
      'a draw made twice',
      () => honest.toSpliced(openingsFrom + 4, 0, honest[openingsFrom + 3]!),
      `${openingsFrom + 4} has nonce 3 where 4 comes next`,
    ],
    [
      'another client seed',
      () => changed(lost, { clientSeedHash: sha256('theirs') }),
      `${lost} was drawn with another client seed`,
    ],
    [
      'less paid',
      () => changed(lost, { redCoinEarned: 4 }),
      `${lost} is not what its seeds and its odds give`,
    ],
    [
      'a draw before its commitment',
      () => [...honest.slice(1, 4), honest[0]],
      '2 draws with seed pair 1, which was not committed to before',
    ],
    [
      'a commitment exchanged for another',
      () => [honest[0], { ...honest[0], serverSeedHash: 'ab'.repeat(32) }],
      '1 commits to seed pair 1 a second time',
    ],
    [
      'another seed revealed',
      () => changed(honest.length - 1, { serverSeed: '5b'.repeat(32) }),
      '63 reveals another seed for pair 1 than the one committed to',
    ],
    [
      'a draw after the seed was revealed',
      () => [...honest, { ...sampleOpenings(firstSeeds, 61, 3)[60] }],
      '64 draws with a seed pair that was revealed before',
    ],
    [
      'a table that was changed',
      () => changed(1, { table: { ...sampleTable, consolationRedCoin: 6 } }),
      '1 holds an odds table that its fingerprint does not name',
    ],
    [
      'a draw from odds nobody has seen',
      () => changed(lost, { tableHash: 'cd'.repeat(32) }),
      `${lost} is drawn from odds not in the log before`,
    ],
    [
      'the odds of another pack',
      () => changed(lost, { packTypeId: 2 }),
      `${lost} is drawn from the odds of another pack type`,
    ],
    ['something else', () => [{ type: 'greeting' }], '0 is none that this page knows'],
  ])('shows %s', (_what, entries, fault) => {
    expect(faultsOf(entries())).toContain(fault)
  })

  it('is told with its first faults and their number', () => {
    const replay = replayed(Array(50).fill({ type: 'greeting' }))
    expect([replay.faults.length, replay.faultCount]).toEqual([20, 50])
  })
})
