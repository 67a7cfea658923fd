// Looks at the books without the rests between their steps, which are for the sake of requests.

import { afterAll, beforeAll } from 'vitest'
import { throttles } from '../src/features/books/throttle.ts'

/** For the tests of one file. */
export function useNoRests(): void {
  const kinds = Object.values(throttles) as { rest: number }[]
  const rests = kinds.map(({ rest }) => rest)
  beforeAll(() => {
    for (const kind of kinds) kind.rest = 0
  })
  afterAll(() => {
    for (const [index, kind] of kinds.entries()) kind.rest = rests[index] ?? 0
  })
}
