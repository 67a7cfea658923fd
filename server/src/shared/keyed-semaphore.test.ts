// Turns under one key: few at a time, in order, and nobody waits for another key.

import { describe, expect, it } from 'vitest'
import { Unavailable } from './domain-error.ts'
import { KeyedSemaphore } from './keyed-semaphore.ts'

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

const turn = () => new Promise((resolve) => setImmediate(resolve))

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
