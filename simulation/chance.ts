// Chance and time of the simulated world. A name alone decides what is drawn: the same seed, actor
// and turn draw alike, whoever else acts.

import { createHash } from 'node:crypto'
import { v4, v7 } from 'uuid'
import type { Clock } from '../server/src/adapters/clock/clock.ts'
import type { Random } from '../server/src/adapters/random/random.ts'

export class Chance {
  private block = Buffer.alloc(0)
  private drawn = 0

  constructor(private readonly name: string) {}

  bytes(count: number): Buffer {
    while (this.block.length < count) {
      this.drawn += 1
      const more = createHash('sha512').update(`${this.name} ${this.drawn}`).digest()
      this.block = Buffer.concat([this.block, more])
    }
    const bytes = Buffer.from(this.block.subarray(0, count))
    this.block = this.block.subarray(count)
    return bytes
  }

  /** From 0 up to 1. */
  readonly number = () => this.bytes(6).readUIntBE(0, 6) / 2 ** 48

  /** A whole number from `min` to `max`, both included. */
  readonly between = (min: number, max: number) => min + Math.floor(this.number() * (max - min + 1))

  readonly isLikely = (probability: number) => this.number() < probability

  /** @throws RangeError when there is nothing to pick from */
  pick<Item>(items: readonly Item[]): Item {
    if (items.length === 0) throw new RangeError('Nothing to pick from')
    return items[this.between(0, items.length - 1)] as Item
  }
}

/** A clock that the schedule alone moves; nobody waits, the time has passed. */
export class SimulatedClock implements Clock {
  constructor(public millis: number) {}

  readonly now = () => new Date(this.millis)
  readonly pause = async (millis: number) => {
    this.millis += millis
  }
}

const RealDate = Date

/** A Monday, so that weeks begin where they should. */
export const begin = Date.parse('2026-01-05T06:00:00.000Z')

/** The machine's time in milliseconds, for figures that are shown and decide nothing. */
export const realMillis = performance.now.bind(performance)

/**
 * Has everything in this process read `clock`: the embedded database asks JavaScript what time it
 * is, and its leases and defaults must follow the schedule. Nothing takes time within an act, so no
 * job rests and how far one gets does not depend on the machine.
 */
export function ruleTime(clock: SimulatedClock): void {
  performance.now = () => clock.millis - begin
  globalThis.Date = class extends RealDate {
    constructor(...given: [] | [number]) {
      super(...(given.length === 0 ? ([clock.millis] as const) : given))
    }

    static override now = () => Math.floor(clock.millis)
    /** Dates that were made before are dates. */
    static override [Symbol.hasInstance] = (value: unknown) => value instanceof RealDate
  } as unknown as DateConstructor
}

/** The product's chance. It begins anew with each act, so that acts left out change no other. */
export class ProductRandom implements Random {
  /** Every server seed that was made, in hex, until somebody was shown it. */
  readonly secrets = new Set<string>()
  private chance = new Chance('before the first act')
  private made = 0

  constructor(private readonly clock: SimulatedClock) {}

  begin(name: string): void {
    this.chance = new Chance(`product ${name}`)
  }

  readonly bytes = (count: number) => this.chance.bytes(count)
  readonly uuid = () => v4({ random: this.chance.bytes(16) })

  serverSeed(): Buffer {
    const seed = this.chance.bytes(32)
    this.secrets.add(seed.toString('hex'))
    return seed
  }

  uuidInOrder(): string {
    this.made += 1
    return v7({ msecs: this.clock.millis, seq: this.made, random: this.chance.bytes(16) })
  }
}
