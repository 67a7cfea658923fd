// Chance for tests: what is drawn depends on the name of the test alone, never on luck.

import { createHash } from 'node:crypto'
import { v4 } from 'uuid'
import { expect } from 'vitest'
import { type Random, systemRandom } from '../src/adapters/random/random.ts'

const opened = new Map<string, number>()

/** Which of a file’s sources this one is: two that share a database must not draw alike. */
function nextIn(path: string): number {
  const number = (opened.get(path) ?? 0) + 1
  opened.set(path, number)
  return number
}

/** Chance that begins anew with each test. Names in the order of time stay the clock's. */
export function seededRandom(): Random {
  const { testPath = '' } = expect.getState()
  const file = testPath.slice(testPath.lastIndexOf('/') + 1)
  const own = `${file} ${nextIn(testPath)}`
  let test = ''
  let drawn = 0
  const digest = () => {
    const { currentTestName = '' } = expect.getState()
    if (currentTestName !== test) {
      test = currentTestName
      drawn = 0
    }
    drawn += 1
    return createHash('sha256').update(`${own} ${test} ${drawn}`).digest()
  }
  const bytes = (count: number) =>
    Buffer.concat(Array.from({ length: Math.ceil(count / 32) }, digest)).subarray(0, count)
  return {
    bytes,
    serverSeed: () => bytes(32),
    uuid: () => v4({ random: bytes(16) }),
    uuidInOrder: () => systemRandom.uuidInOrder(),
  }
}

/** Numbers from 0 up to 1, as `Math.random` answers them, by the name of the test. */
export function seededNumbers(): () => number {
  const { bytes } = seededRandom()
  return () => bytes(4).readUInt32BE() / 2 ** 32
}
