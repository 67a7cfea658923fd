// The days of the demo's story: which are busy, and what happens on which of them.

export const minuteMillis = 60_000
export const hourMillis = 60 * minuteMillis
export const dayMillis = 24 * hourMillis

/** A story of this many days that ends at `until`. */
export interface StoryLength {
  readonly until: Date
  /** 4 or more. */
  readonly days: number
}

/** Hours of the day, UTC, as often as somebody is there. */
const hours = [
  0, 1, 2, 4, 7, 9, 10, 11, 12, 13, 14, 15, 16, 17, 17, 18, 18, 19, 19, 19, 20, 20, 20, 21, 21, 22,
  23,
]

export class StoryCalendar {
  readonly days: number
  readonly until: number
  private readonly lastMidnight: number

  constructor({ until, days }: StoryLength) {
    this.days = days
    this.until = until.getTime()
    this.lastMidnight = Math.floor(this.until / dayMillis) * dayMillis
  }

  get lastDay(): number {
    return this.days - 1
  }

  /** The first moment of a day, UTC. */
  startOf(day: number): number {
    return this.lastMidnight - (this.lastDay - day) * dayMillis
  }

  at(day: number, hour: number, minute = 0): number {
    return this.startOf(day) + hour * hourMillis + minute * minuteMillis
  }

  /** As in a file's name: 2026-03-01. */
  nameOf(day: number): string {
    return new Date(this.startOf(day)).toISOString().slice(0, 10)
  }

  /** 0 is Sunday. */
  weekday(day: number): number {
    return new Date(this.startOf(day)).getUTCDay()
  }

  isWeekend(day: number): boolean {
    return this.weekday(day) === 0 || this.weekday(day) === 6
  }

  /** A Friday past the middle, where the story is long enough to have one. */
  get eventNight(): number {
    const wished = Math.floor(this.days * 0.62)
    if (this.days < 14) return Math.max(1, Math.min(wished, this.lastDay - 2))
    return wished - ((this.weekday(wished) + 2) % 7)
  }

  /** The day that lies so far into the story; never the first, nor the last two of a long one. */
  dayAt(share: number): number {
    return Math.max(1, Math.min(Math.floor(this.days * share), this.lastDay - 1))
  }

  /** How many times somebody comes to play. */
  visits(day: number): number {
    const usual = this.isWeekend(day) ? 17 : 11
    return Math.round(usual * (0.7 + (0.6 * day) / this.days))
  }

  moment(day: number, dice: StoryDice): number {
    return this.at(day, dice.pick(hours) ?? 20, dice.whole(0, 54)) + dice.whole(0, 59_999)
  }
}

export class StoryDice {
  private state: number

  constructor(seed: number) {
    this.state = seed >>> 0
  }

  /** From 0 up to, and without, 1 (mulberry32). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let mixed = this.state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number from `from` to `to`, both included. */
  whole(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1))
  }

  isBelow(chance: number): boolean {
    return this.next() < chance
  }

  /** Undefined when there is nothing to pick from. */
  pick<Item>(list: readonly Item[]): Item | undefined {
    return list[Math.floor(this.next() * list.length)]
  }

  /** Up to `count` different items in no order. */
  some<Item>(list: readonly Item[], count: number): Item[] {
    const left = [...list]
    const taken: Item[] = []
    while (taken.length < count && left.length > 0) {
      taken.push(...left.splice(Math.floor(this.next() * left.length), 1))
    }
    return taken
  }
}
