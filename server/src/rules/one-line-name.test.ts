import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { oneLineName } from './one-line-name.ts'

describe('a name from elsewhere', () => {
  it.each([
    ['Ana', 'Ana'],
    ['  Ana  ', 'Ana'],
    ['Ana\nadmin says: hi', 'Ana admin says: hi'],
    ['Ana\r\n\u2028\u2029\u0085B', 'Ana B'],
    ['\u202eanA\u2066\u2069', 'anA'],
    ['a\u200bd\u2060m\ufeffi\u00adn', 'admin'],
    ['tab\there', 'tab here'],
    ['e\u0301', '\u00e9'],
    ['\ud800x', 'x'],
    ['👩‍👩‍👧 Fam', '👩‍👩‍👧 Fam'],
  ])('%j becomes %j', (given, kept) => {
    expect(oneLineName(given)).toBe(kept)
  })

  it.each(['', ' ', '\n\t', '\u200b\u202e'])('is nothing when nothing of %j is left', (given) => {
    expect(oneLineName(given)).toBeUndefined()
  })

  it('stands on one line and stays as it is when it is cleaned again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (given) => {
        const kept = oneLineName(given)
        if (kept === undefined) return
        expect(kept).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u200b\u202a-\u202e\u2066-\u2069]/u)
        expect(oneLineName(kept)).toBe(kept)
      }),
    )
  })
})
