// Gathering: what waits goes together, nobody is forgotten, and too many are refused.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Gathering, type GatheringLimits, type Settled } from './gathering.ts'

const roomy: GatheringLimits = { sizeMax: 100, weightMax: 100, atOnceMax: 1, waitingMax: 100 }

/** Work that ends when it is told to, and remembers its groups. */
function heldWork(limits: Partial<GatheringLimits> = {}) {
  const groups: (readonly string[])[] = []
  const ends: (() => void)[] = []
  const gathering = new Gathering<string, string>({ ...roomy, ...limits }, async (items) => {
    groups.push(items)
    await new Promise<void>((resolve) => ends.push(resolve))
    return items.map(
      (item): Settled<string> =>
        item === 'bad'
          ? { status: 'rejected', reason: new Error('bad') }
          : { status: 'fulfilled', value: item.toUpperCase() },
    )
  })
  return { gathering, groups, ends }
}

const turn = async () => {
  for (const _ of [1, 2]) await nextTurn()
}

describe('a gathering', () => {
  it('starts with what has come together, and takes what comes meanwhile as the next group', async () => {
    const { gathering, groups, ends } = heldWork()
    const first = Promise.all([gathering.take('a'), gathering.take('b')])
    await turn()
    const second = Promise.all([gathering.take('c'), gathering.take('d'), gathering.take('e')])
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
    const { gathering, groups, ends } = heldWork()
    const alone = gathering.take('a')
    await Promise.resolve()
    expect(groups).toEqual([['a']])
    ends[0]?.()
    await alone
    await turn()
    const crowd = Promise.all([gathering.take('b'), gathering.take('c')])
    await Promise.resolve()
    expect(groups.at(-1)).toEqual(['b', 'c'])
    ends[1]?.()
    await crowd
    await turn()
    const first = gathering.take('d')
    await Promise.resolve()
    const second = gathering.take('e')
    await turn()
    expect(groups.slice(2)).toEqual([['d', 'e']])
    ends[2]?.()
    await Promise.all([first, second])
  })

  it('tells each item what came of it alone', async () => {
    const { gathering, ends } = heldWork()
    const results = Promise.allSettled([
      gathering.take('a'),
      gathering.take('bad'),
      gathering.take('c'),
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
    const { gathering, groups, ends } = heldWork({ sizeMax: 3, weightMax: 10, atOnceMax: 2 })
    const taken = [
      ...['a', 'b', 'c', 'd'].map((item) => gathering.take(item)),
      gathering.take('e', 9),
      gathering.take('f', 2),
      gathering.take('huge', 50),
      gathering.take('g'),
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
    const { gathering, ends } = heldWork({ waitingMax: 2 })
    const first = gathering.take('a')
    await turn()
    const waiting = [gathering.take('b'), gathering.take('c')]
    await expect(gathering.take('d')).rejects.toMatchObject({
      name: 'Unavailable',
      retryAfterSeconds: 2,
    })
    ends[0]?.()
    await first
    await turn()
    const late = gathering.take('e')
    ends[1]?.()
    await Promise.all(waiting)
    await turn()
    ends[2]?.()
    expect(await late).toBe('E')
  })

  it('fails a whole group whose work fails, and goes on with the next', async () => {
    let isBroken = true
    const gathering = new Gathering<string, string>(roomy, async (items) => {
      if (isBroken) throw new Error('broken')
      return items.map((value) => ({ status: 'fulfilled', value }))
    })
    const results = await Promise.allSettled([gathering.take('a'), gathering.take('b')])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    isBroken = false
    expect(await gathering.take('c')).toBe('c')
  })
})
