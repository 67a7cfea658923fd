// Who waits for whom in this process: work under one key takes turns in the order it was asked for;
// work that costs little more for many than for one is done in groups, of which the next gathers
// meanwhile.

import { Unavailable } from './domain-error.ts'

interface SemaphoreLimits {
  /** Pieces of work under one key that run at the same time; 1 makes it a mutex. */
  readonly maxConcurrency: number
  /** Pieces under one key that may wait; whoever comes then is asked to come again. */
  readonly maxQueue: number
  /** What that one is told. */
  readonly refusal?: () => Error
}

interface Line {
  running: number
  readonly waiting: (() => void)[]
}

/**
 * A line for each key inside this process: what waits in one takes nothing from the others, neither
 * a connection nor a place in front of one. Other processes are kept apart by the database alone.
 */
export class KeyedSemaphore {
  private readonly lines = new Map<number, Line>()
  private readonly limits: SemaphoreLimits

  constructor(limits: SemaphoreLimits) {
    this.limits = limits
  }

  /**
   * Runs `work` when fewer than so many of this key are running, first come first served.
   * @throws Unavailable, or the refusal of the limits, when too many wait already
   */
  async take<Result>(key: number, work: () => Promise<Result>): Promise<Result> {
    const line = this.lines.get(key) ?? { running: 0, waiting: [] }
    this.lines.set(key, line)
    if (line.running < this.limits.maxConcurrency) line.running += 1
    // Who ends hands the turn on, so the number of those running stays as it is.
    else await this.wait(line)
    try {
      return await work()
    } finally {
      const next = line.waiting.shift()
      if (next !== undefined) next()
      else line.running -= 1
      if (line.running === 0) this.lines.delete(key)
    }
  }

  private wait({ waiting }: Line): Promise<void> {
    const { maxQueue, refusal } = this.limits
    if (waiting.length >= maxQueue) {
      throw refusal?.() ?? new Unavailable('Too many requests are waiting')
    }
    return new Promise((resolve) => waiting.push(resolve))
  }
}

/** Runs `work` once at a time: whoever calls during a run gets what that run answers or throws. */
export function sharedRuns<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let underWay: Promise<Result> | undefined
  return () => {
    underWay ??= work().finally(() => {
      underWay = undefined
    })
    return underWay
  }
}

export interface MicroBatcherLimits {
  /** Items that are worked on together at most. */
  readonly maxBatchSize: number
  /** The sum of the weights of what is worked on together; an item heavier than this goes alone. */
  readonly weightMax: number
  /** Groups that are worked on at the same time. */
  readonly maxConcurrency: number
  /** Items that may wait; whoever comes then is asked to come again. */
  readonly maxQueue: number
}

interface Waiting<Item, Result> {
  readonly item: Item
  readonly weight: number
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

/** What came of one item of a group. */
export type Settled<Result> =
  | { readonly status: 'fulfilled'; readonly value: Result }
  | { readonly status: 'rejected'; readonly reason: unknown }

/**
 * Takes whatever waits as the next group, first come first served, with no timer. After a group of
 * one the next is worked on at once; otherwise what has arrived with it is read first. `work`
 * answers in the order of the items; what it throws fails all of them.
 */
export class MicroBatcher<Item, Result> {
  private readonly waiting: Waiting<Item, Result>[] = []
  private under = 0
  private isStarting = false
  private isQuiet = true
  private readonly work: (items: readonly Item[]) => Promise<readonly Settled<Result>[]>
  private readonly limits: MicroBatcherLimits

  constructor(
    limits: MicroBatcherLimits,
    work: (items: readonly Item[]) => Promise<readonly Settled<Result>[]>,
  ) {
    this.limits = limits
    this.work = work
  }

  /**
   * @throws Unavailable when too many wait already, or what `work` says of the item
   */
  enqueue(item: Item, weight = 1): Promise<Result> {
    if (this.waiting.length >= this.limits.maxQueue) {
      return Promise.reject(
        new Unavailable('Too many people ask for this at once, please try again', {
          retryAfterSeconds: 2,
        }),
      )
    }
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, weight, resolve, reject })
      this.startSoon()
    })
  }

  /**
   * In a crowd after what has arrived with this item has been read too, which is a turn of the
   * event loop. Alone there is nothing to gain from that turn, and an opening would take three.
   */
  private startSoon(): void {
    if (this.isStarting || this.under >= this.limits.maxConcurrency) return
    this.isStarting = true
    const start = () => {
      this.isStarting = false
      this.start()
    }
    if (this.isQuiet) queueMicrotask(start)
    else setImmediate(start)
  }

  private start(): void {
    const group = this.nextGroup()
    if (group.length === 0) return
    this.under += 1
    this.isQuiet = group.length === 1
    void this.settle(group).finally(() => {
      this.under -= 1
      this.startIfAnyWait()
    })
    this.startIfAnyWait()
  }

  private startIfAnyWait(): void {
    if (this.waiting.length === 0) return
    this.isQuiet = false
    this.startSoon()
  }

  private nextGroup(): Waiting<Item, Result>[] {
    const { maxBatchSize, weightMax } = this.limits
    let count = 0
    let weight = 0
    for (const next of this.waiting) {
      if (count > 0 && (count >= maxBatchSize || weight + next.weight > weightMax)) break
      count += 1
      weight += next.weight
    }
    return this.waiting.splice(0, count)
  }

  private async settle(group: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.work(group.map(({ item }) => item))
      for (const [index, { resolve, reject }] of group.entries()) {
        const result = results[index]
        if (result === undefined) reject(new Error('A group answered for too few of its items'))
        else if (result.status === 'fulfilled') resolve(result.value)
        else reject(result.reason)
      }
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }
}

/**
 * Reads that are asked for together are made together, `maxConcurrency` groups at a time. `read`
 * answers in the order of the keys, of which two may be equal.
 */
export function batchedReads<Key, Result>(
  read: (keys: readonly Key[]) => Promise<readonly Result[]>,
  maxConcurrency = 2,
): MicroBatcher<Key, Result> {
  const limits = { maxBatchSize: 200, weightMax: 200, maxConcurrency, maxQueue: 20_000 }
  return new MicroBatcher(limits, async (keys) =>
    (await read(keys)).map((value) => ({ status: 'fulfilled', value })),
  )
}
