// A small honest log, and a log of any entries with its signed tree.

/// <reference types="node" />

import { generateKeyPairSync, sign } from 'node:crypto'
import { hexOf, joined, utf8 } from './bytes.ts'
import { commitmentOf, drawPacks, rollsOf, tableHash, tableText, thresholdsOf } from './draw.ts'
import { type Entry, entryText, type LogEntry } from './entries.ts'
import { portableHashing } from './hashing.ts'
import {
  checkpointText,
  logProofText,
  signatureLine,
  signatureTypes,
  type VerifierKey,
  verifierKey,
} from './notes.ts'
import { entry, table } from './sample-tables.fixture.ts'
import {
  bundleOf,
  growTree,
  inclusionRanges,
  rootOfEdge,
  type TileName,
  tileWidth,
  treeHashes,
} from './tree.ts'

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

export interface SampleKey extends VerifierKey {
  /** A signature line under a note. */
  readonly line: (text: string) => string
}

/** A new key of this name. */
export function sampleKey(name = 'play.example.com/log'): SampleKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const raw = Uint8Array.from(publicKey.export({ type: 'spki', format: 'der' }).subarray(-32))
  const key = verifierKey(name, signatureTypes.ed25519, raw, portableHashing.sha256)
  // Copied, since a test of the browser has a Uint8Array of its own.
  const signed = (text: string) => Uint8Array.from(sign(null, utf8(text), privateKey))
  return { ...key, line: (text) => signatureLine(key, signed(text)) }
}

const hashes = treeHashes(portableHashing)
const rootOf = (leaves: readonly Uint8Array[]) =>
  rootOfEdge(growTree(0, [], leaves, hashes.nodeHash).edge, hashes)

/** A log of these entries as a server has it, honest or not. */
export function signedLog(entries: readonly string[], key = sampleKey()) {
  const bodies = entries.map(utf8)
  const leaves = bodies.map(hashes.leafHash)
  const headAt = (size: number) => ({ size, root: rootOf(leaves.slice(0, size)) })
  const checkpoint = (size = entries.length) => {
    const text = checkpointText({ origin: key.name, ...headAt(size) })
    return `${text}\n${key.line(text)}`
  }
  return {
    ...{ key, entries, checkpoint, head: headAt(entries.length) },
    tile({ level, index, width }: TileName): Uint8Array {
      const first = index * tileWidth
      if (level === 'entries') return bundleOf(bodies.slice(first, first + width))
      const span = tileWidth ** level
      const roots = Array.from({ length: width }, (_, at) =>
        rootOf(leaves.slice((first + at) * span, (first + at + 1) * span)),
      )
      return joined(...roots)
    },
    proof(index: number): string {
      const path = inclusionRanges(index, leaves.length).map(({ start, end }) =>
        rootOf(leaves.slice(start, end)),
      )
      return logProofText({ index, entry: utf8(entries[index] ?? '') }, path, checkpoint())
    },
  }
}
export type SignedLog = ReturnType<typeof signedLog>
