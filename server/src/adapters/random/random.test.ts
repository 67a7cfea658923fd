// Names that are unlike all others, and where they stand in an index.

import { expect, it } from 'vitest'
import { systemRandom } from './random.ts'

it('makes names that stand in the order in which they were made, as text too', () => {
  const names = Array.from({ length: 10_000 }, () => systemRandom.uuidInOrder())
  expect(names.toSorted()).toEqual(names)
  expect(new Set(names).size).toBe(names.length)
  expect(names[0]).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
})
