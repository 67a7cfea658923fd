// The countries are those of ISO 3166-1, by what the Unicode project knows of regions.

import { expect, it } from 'vitest'
import { countryCodes } from './delivery-rules.ts'

/** Regions of Unicode that ISO 3166-1 gives to no country. */
const others = 'AC CP CQ DG EA EU EZ IC QO TA UN XA XB XK ZZ'.split(' ')

it('are every region with a name that is neither superseded nor made for other ends', () => {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const regions = letters.flatMap((one) => letters.map((other) => one + other))
  const known = regions.filter((code) => {
    // A code of a country that is no more leads to its successor.
    const isCurrent = new Intl.Locale(`und-${code}`).region === code
    return isCurrent && names.of(code) !== undefined && !others.includes(code)
  })
  expect(countryCodes).toEqual(known)
})
