// Chance that a name alone decides: the same seed, actor and turn draw alike, whoever else acts.

import { createHash } from 'node:crypto'
import { v4, v7 } from 'uuid'
import type { Random } from '../server/src/adapters/random/random.ts'
import type { SimulatedClock } from './simulated-clock.ts'

export class Chance {
  private readonly name: string
  private block: Buffer = Buffer.alloc(0)
  private drawn = 0

  constructor(name: string) {
    this.name = name
  }

  bytes(count: number): Buffer {
    while (this.block.length < count) {
      this.drawn += 1
      const more = createHash('sha512').update(`${this.name} ${this.drawn}`).digest()
      this.block = Buffer.concat([this.block, more])
    }
    const bytes = this.block.subarray(0, count)
    this.block = this.block.subarray(count)
    return Buffer.from(bytes)
  }

  /** From 0 up to 1. */
  number(): number {
    return this.bytes(6).readUIntBE(0, 6) / 2 ** 48
  }

  /** A whole number from `min` to `max`, both included. */
  between(min: number, max: number): number {
    return min + Math.floor(this.number() * (max - min + 1))
  }

  isLikely(probability: number): boolean {
    return this.number() < probability
  }

  /** @throws RangeError when there is nothing to pick from */
  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.between(0, items.length - 1)]
    if (item === undefined) throw new RangeError('Nothing to pick from')
    return item
  }

  hex(bytes: number): string {
    return this.bytes(bytes).toString('hex')
  }
}

/** The product's chance. It begins anew with each act, so that acts left out change no other. */
export class ProductRandom implements Random {
  /** Every server seed that was made, in hex, until somebody was shown it. */
  readonly secrets = new Set<string>()
  private readonly clock: SimulatedClock
  private chance = new Chance('before the first act')
  private made = 0

  constructor(clock: SimulatedClock) {
    this.clock = clock
  }

  begin(name: string): void {
    this.chance = new Chance(`product ${name}`)
  }

  bytes(count: number): Buffer {
    return this.chance.bytes(count)
  }

  serverSeed(): Buffer {
    const seed = this.chance.bytes(32)
    this.secrets.add(seed.toString('hex'))
    return seed
  }

  uuid(): string {
    return v4({ random: this.chance.bytes(16) })
  }

  uuidInOrder(): string {
    this.made += 1
    return v7({ msecs: this.clock.millis, seq: this.made, random: this.chance.bytes(16) })
  }
}
