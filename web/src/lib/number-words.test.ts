// Numbers in words.

import { expect, it } from 'vitest'
import { numberWords } from '../features/grants/grant-fields.tsx'

it.each([
  [0, 'zero'],
  [13, 'thirteen'],
  [40, 'forty'],
  [99, 'ninety-nine'],
  [105, 'one hundred five'],
  [10_001, 'ten thousand one'],
  [20_000, 'twenty thousand'],
  [12_000_500, 'twelve million five hundred'],
  [
    Number.MAX_SAFE_INTEGER,
    'nine quadrillion seven trillion one hundred ninety-nine billion two hundred fifty-four million seven hundred forty thousand nine hundred ninety-one',
  ],
])('%d is %s', (value, words) => {
  expect(numberWords(value)).toBe(words)
})
