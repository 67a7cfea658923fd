// A small honest log, and how each kind of lie is told in it.

import { hexOf } from './bytes.ts'
import { commitmentOf, drawPacks, rollsOf, tableHash, tableText, thresholdsOf } from './draw.ts'
import { type Entry, entryText, type LogEntry } from './entries.ts'
import { portableHashing } from './hashing.ts'
import { entry, table } from './sample-tables.fixture.ts'

const seedAt = (chainId: number, index: number) =>
  Uint8Array.from({ length: 32 }, (_, at) =>
    at === 0 ? index >> 8 : (chainId * 7 + index * 31 + at) % 256,
  )
/** Hex of the seed of a place, and its commitment. */
export const seedHex = (chainId: number, index: number) => hexOf(seedAt(chainId, index))
export const commitmentAt = (chainId: number, index: number) =>
  commitmentOf(seedAt(chainId, index), portableHashing)

/** Both prizes pay; prize 2 has a stock, which runs out. */
export const offered = table(
  entry(1, { totalPacks: 4, redCoinAmount: 9 }),
  entry(2, { totalPacks: 2, limited: true, redCoinAmount: 7 }),
)
export const offeredHash = tableHash(tableText(offered), portableHashing)
const thresholds = thresholdsOf(offered.entries)

/** Draws as the product does, keeping the stock of prize 2. */
export class SampleLog {
  readonly entries: LogEntry[] = [
    { type: 'stock', prizeId: 2, delta: 3, after: 3 },
    { type: 'table', tableHash: offeredHash, table: offered },
  ]
  private stock = 3
  private readonly indexes = new Map<number, number>()

  open(chainId: number, packs: number, minute = '12:00'): this {
    const index = this.indexes.get(chainId) ?? 0
    this.indexes.set(chainId, index + 1)
    if (index === 0) {
      this.entries.push({ type: 'chain', chainId, commitment: commitmentAt(chainId, 0) })
    }
    const entropy = hexOf(Uint8Array.from({ length: 32 }, (_, at) => (at * 3 + index) % 256))
    const terms = { seed: seedAt(chainId, index), entropy, tableHash: offeredHash }
    const rolls = rollsOf(terms, packs, portableHashing)
    const { drawn } = drawPacks(thresholds, [undefined, this.stock], rolls)
    const results = drawn.map(({ won, soldOut }): Entry<'opening'>['results'][number] => {
      if (soldOut !== undefined) return [null, 2, 0, 5]
      if (won === undefined) return [null, null, null, 5]
      if (won === 0) return [1, null, null, 9]
      this.stock -= 1
      return [2, null, this.stock, 7]
    })
    this.entries.push({
      ...{ type: 'opening', id: `${chainId}-${index}`, at: `2026-11-23T${minute}:00.000Z` },
      ...{ packTypeId: 1, tableHash: offeredHash, chainId, index },
      ...{ serverSeed: seedHex(chainId, index), entropy, entropyFrom: 'player' },
      ...{ next: commitmentAt(chainId, index + 1), results },
    })
    return this
  }

  end(
    chainId: number,
    serverSeed: string | null = seedHex(chainId, this.indexes.get(chainId) ?? 0),
  ) {
    const index = this.indexes.get(chainId) ?? 0
    this.entries.push({ type: 'end', chainId, index, serverSeed })
    return this
  }

  /** Staff set the stock of prize 2. */
  restock(after: number): this {
    this.entries.push({ type: 'stock', prizeId: 2, delta: after - this.stock, after })
    this.stock = after
    return this
  }

  texts(): string[] {
    return this.entries.map(entryText)
  }
}
