// Lengths of time in words, for sentences of the server.

import { numberText } from '../shared/number-text.ts'

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** '3 hours' for 11,000 seconds: the largest unit that fits, rounded down; '0 seconds' at least. */
export function durationText(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const [unit, size] = units.find(([, length]) => whole >= length) ?? ['second', 1]
  const count = Math.floor(whole / size)
  return `${numberText(count)} ${unit}${count === 1 ? '' : 's'}`
}
