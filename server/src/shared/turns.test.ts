// Turns under one key: few at a time, in order, and nobody waits for another key. Groups: what
// waits goes together, nobody is forgotten, and too many are refused.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Unavailable } from './domain-error.ts'
import {
  KeyedSemaphore,
  MicroBatcher,
  type MicroBatcherLimits,
  type Settled,
  sharedRuns,
} from './turns.ts'

const limits = { maxConcurrency: 4, maxQueue: 1_000 }

/** Work that ends when it is told to, and what has begun so far. */
function workshop() {
  const begun: string[] = []
  const ends = new Map<string, (failure?: Error) => void>()
  const work = (name: string) => () => {
    begun.push(name)
    return new Promise<string>((resolve, reject) => {
      ends.set(name, (failure) => (failure === undefined ? resolve(name) : reject(failure)))
    })
  }
  return { begun, work, end: (name: string, failure?: Error) => ends.get(name)!(failure) }
}

const turn = async () => {
  for (const _ of [1, 2]) await nextTurn()
}

it('has one run at a time, and hands what comes of it to all who called meanwhile', async () => {
  const { begun, work, end } = workshop()
  const names = ['first', 'second']
  const look = sharedRuns(() => work(names[begun.length]!)())
  const both = [look(), look()]
  end('first', new Error('away'))
  for (const run of both) await expect(run).rejects.toThrow('away')
  const next = look()
  end('second')
  expect(await next).toBe('second')
  expect(begun).toEqual(names)
})

describe('turns of one person', () => {
  it('are four at a time, in the order they were asked for', async () => {
    const turns = new KeyedSemaphore(limits)
    const { begun, work, end } = workshop()
    const all = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => turns.take(1, work(name)))
    await turn()
    expect(begun).toEqual(['a', 'b', 'c', 'd'])
    end('c')
    await turn()
    expect(begun).toEqual(['a', 'b', 'c', 'd', 'e'])
    for (const name of ['a', 'b', 'd', 'e']) end(name)
    await turn()
    end('f')
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
  })

  it('leave everybody else alone', async () => {
    const turns = new KeyedSemaphore(limits)
    const { begun, work } = workshop()
    for (let count = 0; count < 500; count += 1) void turns.take(1, work(`flood${count}`))
    void turns.take(2, work('calm'))
    await turn()
    expect(begun).toHaveLength(5)
    expect(begun).toContain('calm')
  })

  it('pass on when one fails, and are given back in the end', async () => {
    const turns = new KeyedSemaphore(limits)
    const { begun, work, end } = workshop()
    const failing = ['a', 'b', 'c', 'd', 'e'].map((name) => turns.take(1, work(name)))
    const outcomes = Promise.allSettled(failing)
    await turn()
    for (const name of ['a', 'b', 'c', 'd']) end(name, new Error(name))
    await turn()
    end('e')
    expect((await outcomes).map(({ status }) => status)).toEqual([
      ...Array.from({ length: 4 }, () => 'rejected'),
      'fulfilled',
    ])
    for (const name of ['f', 'g', 'h', 'i']) void turns.take(1, work(name))
    await turn()
    expect(begun.slice(5)).toEqual(['f', 'g', 'h', 'i'])
  })

  it('are refused with a time to come back when a thousand wait', async () => {
    const turns = new KeyedSemaphore(limits)
    const { work } = workshop()
    for (let count = 0; count < 1_004; count += 1) void turns.take(1, work(`${count}`))
    const refused = turns.take(1, work('one more'))
    await expect(refused).rejects.toBeInstanceOf(Unavailable)
    await expect(refused).rejects.toMatchObject({ retryAfterSeconds: 5 })
  })
})

const roomy: MicroBatcherLimits = {
  maxBatchSize: 100,
  weightMax: 100,
  maxConcurrency: 1,
  maxQueue: 100,
}

/** Work that ends when it is told to, and remembers its groups. */
function heldWork(limits: Partial<MicroBatcherLimits> = {}) {
  const groups: (readonly string[])[] = []
  const ends: (() => void)[] = []
  const batcher = new MicroBatcher<string, string>({ ...roomy, ...limits }, async (items) => {
    groups.push(items)
    await new Promise<void>((resolve) => ends.push(resolve))
    return items.map(
      (item): Settled<string> =>
        item === 'bad'
          ? { status: 'rejected', reason: new Error('bad') }
          : { status: 'fulfilled', value: item.toUpperCase() },
    )
  })
  return { batcher, groups, ends }
}

describe('a batcher', () => {
  it('starts with what has come together, and takes what comes meanwhile as the next group', async () => {
    const { batcher, groups, ends } = heldWork()
    const first = Promise.all([batcher.enqueue('a'), batcher.enqueue('b')])
    await turn()
    const second = Promise.all([batcher.enqueue('c'), batcher.enqueue('d'), batcher.enqueue('e')])
    await turn()
    expect(groups).toEqual([['a', 'b']])
    ends[0]?.()
    expect(await first).toEqual(['A', 'B'])
    await turn()
    expect(groups).toEqual([
      ['a', 'b'],
      ['c', 'd', 'e'],
    ])
    ends[1]?.()
    expect(await second).toEqual(['C', 'D', 'E'])
  })

  it('loses no turn of the event loop alone, and waits for one with others after a crowd', async () => {
    const { batcher, groups, ends } = heldWork()
    const alone = batcher.enqueue('a')
    await Promise.resolve()
    expect(groups).toEqual([['a']])
    ends[0]?.()
    await alone
    await turn()
    const crowd = Promise.all([batcher.enqueue('b'), batcher.enqueue('c')])
    await Promise.resolve()
    expect(groups.at(-1)).toEqual(['b', 'c'])
    ends[1]?.()
    await crowd
    await turn()
    const first = batcher.enqueue('d')
    await Promise.resolve()
    const second = batcher.enqueue('e')
    await turn()
    expect(groups.slice(2)).toEqual([['d', 'e']])
    ends[2]?.()
    await Promise.all([first, second])
  })

  it('tells each item what came of it alone', async () => {
    const { batcher, ends } = heldWork()
    const results = Promise.allSettled([
      batcher.enqueue('a'),
      batcher.enqueue('bad'),
      batcher.enqueue('c'),
    ])
    await turn()
    ends[0]?.()
    expect((await results).map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
    ])
  })

  it('keeps to size, weight and number of groups, and lets what is too heavy go alone', async () => {
    const { batcher, groups, ends } = heldWork({
      maxBatchSize: 3,
      weightMax: 10,
      maxConcurrency: 2,
    })
    const taken = [
      ...['a', 'b', 'c', 'd'].map((item) => batcher.enqueue(item)),
      batcher.enqueue('e', 9),
      batcher.enqueue('f', 2),
      batcher.enqueue('huge', 50),
      batcher.enqueue('g'),
    ]
    await turn()
    expect(groups).toEqual([
      ['a', 'b', 'c'],
      ['d', 'e'],
    ])
    for (let next = 0; next < 5; next += 1) {
      ends[next]?.()
      await turn()
    }
    await Promise.all(taken)
    expect(groups.slice(2)).toEqual([['f'], ['huge'], ['g']])
  })

  it('asks to come again when too many wait, and goes on once they are done', async () => {
    const { batcher, ends } = heldWork({ maxQueue: 2 })
    const first = batcher.enqueue('a')
    await turn()
    const waiting = [batcher.enqueue('b'), batcher.enqueue('c')]
    await expect(batcher.enqueue('d')).rejects.toMatchObject({
      name: 'Unavailable',
      retryAfterSeconds: 2,
    })
    ends[0]?.()
    await first
    await turn()
    const late = batcher.enqueue('e')
    ends[1]?.()
    await Promise.all(waiting)
    await turn()
    ends[2]?.()
    expect(await late).toBe('E')
  })

  it('fails a whole group whose work fails, and goes on with the next', async () => {
    let isBroken = true
    const batcher = new MicroBatcher<string, string>(roomy, async (items) => {
      if (isBroken) throw new Error('broken')
      return items.map((value) => ({ status: 'fulfilled', value }))
    })
    const results = await Promise.allSettled([batcher.enqueue('a'), batcher.enqueue('b')])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    isBroken = false
    expect(await batcher.enqueue('c')).toBe('c')
  })
})
