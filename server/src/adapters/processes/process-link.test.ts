// Two processes ask each other, and neither waits for ever.

import { describe, expect, it } from 'vitest'
import { ProcessLink } from './process-link.ts'

/** Two links whose messages are copied as between processes, each in a later turn. */
function pair(): [ProcessLink, ProcessLink] {
  const takers: ((message: unknown) => void)[] = []
  const channel = (own: number) => ({
    send: (message: object) => {
      const copy = JSON.parse(JSON.stringify(message)) as unknown
      setImmediate(() => takers[1 - own]?.(copy))
    },
    listen: (take: (message: unknown) => void) => {
      takers[own] = take
    },
  })
  return [new ProcessLink(channel(0)), new ProcessLink(channel(1))]
}

describe('a link between two processes', () => {
  it('brings each answer to its own question, in both directions', async () => {
    const [one, other] = pair()
    one.on('metrics', async (wait) => {
      await new Promise((resolve) => setTimeout(resolve, Number(wait)))
      return `took ${wait}`
    })
    other.on('clock', (seconds) => Number(seconds) + 1)
    const answers = [30, 1, 15].map((wait) => other.ask('metrics', wait, 5_000))
    expect(await one.ask('clock', 41, 5_000)).toBe(42)
    expect(await Promise.all(answers)).toEqual(['took 30', 'took 1', 'took 15'])
  })

  it('says so when the other side fails, or knows nothing of the matter', async () => {
    const [one, other] = pair()
    other.on('metrics', () => {
      throw new Error('a secret')
    })
    await expect(one.ask('metrics', 0, 5_000)).rejects.toThrow('The other process could not answer')
    await expect(one.ask('clock', 0, 5_000)).rejects.toThrow('The other process could not answer')
  })

  it('gives up on a side that is silent, and minds no late answer', async () => {
    const [one, other] = pair()
    let release = () => undefined as unknown
    other.on('place', () => new Promise((resolve) => (release = () => resolve('late'))))
    await expect(one.ask('place', 0, 20)).rejects.toThrow('took longer than 20 ms')
    release()
    other.on('place', () => 'in time')
    expect(await one.ask('place', 0, 5_000)).toBe('in time')
  })

  it('passes over messages that are not its own', async () => {
    let take = (_message: unknown): void => undefined
    new ProcessLink({ send: () => undefined, listen: (taker) => (take = taker) })
    for (const message of [undefined, null, 'text', { cmd: 'NODE_CLUSTER' }]) take(message)
    take({ redpack: 'answer', id: 99 })
  })
})
