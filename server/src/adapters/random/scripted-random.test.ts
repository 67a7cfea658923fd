// Seeds that were named in advance are used once, in order, by whichever process comes first.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { seededRandom } from '../../../test/seeded-random.ts'
import { scriptedRandom } from './scripted-random.ts'

const root = mkdtempSync(join(tmpdir(), 'redpack-dice-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const seedOf = (byte: number) => Buffer.alloc(32, byte)

describe('the dice of several processes', () => {
  const [first, second] = [1, 2].map(() => scriptedRandom(join(root, 'dice'), seededRandom()))
  beforeEach(() => first!.reset())

  it('hand each seed out once, in the order they were named', () => {
    first!.load([1, 2, 3].map(seedOf))
    expect(first!.serverSeed()).toEqual(seedOf(1))
    expect(second!.serverSeed()).toEqual(seedOf(2))
    first!.load([4].map(seedOf))
    expect(first!.serverSeed()).toEqual(seedOf(3))
    expect(second!.serverSeed()).toEqual(seedOf(4))
  })

  it('are chance when the seeds are used up, or taken back', () => {
    first!.load([1, 2].map(seedOf))
    expect(second!.serverSeed()).toEqual(seedOf(1))
    first!.reset()
    const [left, right] = [second!.serverSeed(), second!.serverSeed()]
    expect(left).not.toEqual(seedOf(2))
    expect(left).toHaveLength(32)
    expect(left).not.toEqual(right)
  })
})
