// What the pieces of requests accept and refuse, for any input.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { integerMax, pageNumberMax } from './limits.ts'
import { oneLineName } from './names.ts'
import {
  clearablePictureUrl,
  clearableText,
  clearableUrl,
  codePoints,
  crossRule,
  flag,
  idNumber,
  nameText,
  PageNumber,
  pageLimit,
  plainText,
  requestObject,
  SearchText,
  wholeNumber,
} from './values.ts'

function sentenceOf(schema: z.ZodMiniType, value: unknown): string | undefined {
  const result = schema.safeParse(value)
  return result.success ? undefined : result.error.issues[0]?.message
}

describe('wholeNumber', () => {
  const percent = wholeNumber({ message: 'no', min: 0, max: 100, tooLarge: 'too large' })
  const signed = wholeNumber({ message: 'no', min: -100, max: 100, nonZero: true })

  it('takes every number in its range, as a number and as digits', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100 }), (number) => {
        expect(z.parse(percent, number)).toBe(number)
        expect(z.parse(percent, String(number))).toBe(number)
      }),
    )
  })

  it('refuses every number outside its range, as a number and as digits', () => {
    const outside = fc.oneof(fc.integer({ max: -1 }), fc.integer({ min: 101 }))
    fc.assert(
      fc.property(outside, (number) => {
        expect(percent.safeParse(number).success).toBe(false)
        expect(percent.safeParse(String(number)).success).toBe(false)
      }),
    )
  })

  it.each([
    [[5]],
    [true],
    ['0x10'],
    [' 5 '],
    [1.5],
    [''],
    ['1.5'],
    ['5e1'],
    ['+5'],
    ['٣'],
    ['5\n'],
    [null],
    [undefined],
    [{}],
    [Number.NaN],
    [Number.POSITIVE_INFINITY],
  ])('refuses %j with the one sentence of its rule', (value) => {
    const result = percent.safeParse(value)
    expect(result.success).toBe(false)
    const messages = result.error?.issues.map((issue) => issue.message)
    expect(messages).toEqual([value === Number.POSITIVE_INFINITY ? 'too large' : 'no'])
  })

  it('never takes a text that is not plain digits', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!/^[0-9]+$/.test(text))
        expect(percent.safeParse(text).success).toBe(false)
      }),
    )
  })

  it('says when a number is too large', () => {
    expect(sentenceOf(percent, 101)).toBe('too large')
    expect(sentenceOf(percent, '99999999999999999999')).toBe('too large')
    expect(sentenceOf(signed, 101)).toBe('no')
  })

  it('takes a minus sign only where the range goes below 0, and no 0 where it is refused', () => {
    expect(z.parse(signed, '-7')).toBe(-7)
    expect(sentenceOf(percent, '-7')).toBe('no')
    expect(sentenceOf(signed, 0)).toBe('no')
    expect(sentenceOf(signed, '-0')).toBe('no')
  })

  it('never answers minus zero', () => {
    expect(Object.is(z.parse(percent, -0), 0)).toBe(true)
  })

  it('keeps ids within what the database can hold', () => {
    const id = idNumber('Invalid id')
    expect(z.parse(id, String(integerMax))).toBe(integerMax)
    expect(sentenceOf(id, integerMax + 1)).toBe('Invalid id')
    expect(sentenceOf(id, 0)).toBe('Invalid id')
  })
})

describe('flag', () => {
  it('takes true and false, also as the texts of a form', () => {
    const isOn = flag('yes or no')
    expect([true, 'true', false, 'false'].map((value) => z.parse(isOn, value))).toEqual([
      true,
      true,
      false,
      false,
    ])
    for (const value of [1, 0, 'TRUE', 'on', '', null, undefined, [true]]) {
      expect(sentenceOf(isOn, value)).toBe('yes or no')
    }
  })
})

describe('texts', () => {
  const name = nameText({ label: 'Name', max: 5, required: 'Name is required' })
  const note = plainText({ label: 'Note', max: 5 })

  it('counts people’s characters, not code units', () => {
    expect(codePoints('😀😀')).toBe(2)
    expect(z.parse(name, '😀😀😀😀😀')).toBe('😀😀😀😀😀')
    expect(sentenceOf(name, '😀😀😀😀😀😀')).toBe('Name must be 5 characters or less')
  })

  it('trims names and leaves texts as written', () => {
    expect(z.parse(name, '  ab \t')).toBe('ab')
    expect(z.parse(note, ' ab ')).toBe(' ab ')
  })

  it('takes hidden and direction marks out of names and keeps the joiner of emoji', () => {
    expect(z.parse(name, '\u202ea\u200bb\ufeff')).toBe('ab')
    expect(z.parse(name, '👩\u200d💻')).toBe('👩\u200d💻')
    expect(sentenceOf(name, '\u200b\u2060 ')).toBe('Name is required')
  })

  it.each(['\u3164', '\u2800 \u2800', '\u200d', '\ufe0f', '\u115f\u1160', '\uffa0'])(
    'takes %j for no name, since nobody would see it',
    (unseen) => {
      expect(sentenceOf(name, unseen)).toBe('Name is required')
      expect(z.parse(name, `a${unseen}b`)).toContain('a')
    },
  )

  it('composes what was typed in parts', () => {
    expect(z.parse(name, 'e\u0301')).toBe('\u00e9')
  })

  it.each([['a\0b'], ['a\ud800b']])('refuses %j, which no database can store', (text) => {
    expect(sentenceOf(name, text)).toBe('Name contains a character that is not allowed')
    expect(sentenceOf(note, text)).toBe('Note contains a character that is not allowed')
  })

  it.each([[undefined], [null], [5], [''], ['   '], [['a']]])(
    'says that the name is required for %j',
    (value) => {
      expect(sentenceOf(name, value)).toBe('Name is required')
    },
  )

  it('never lets through a name that is blank, too long or holds NUL', () => {
    const unit = fc.constantFrom('a', 'e\u0301', ' ', '\t', '\u200b', '\ud800', '\0', '😀')
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 8 }), (text) => {
        const result = name.safeParse(text)
        if (!result.success) return
        expect(result.data.trim()).toBe(result.data)
        expect(result.data).not.toBe('')
        expect([...result.data].length).toBeLessThanOrEqual(5)
        expect(result.data).not.toContain('\0')
      }),
    )
  })

  it('reads a blank clearable text as null', () => {
    const city = clearableText({ label: 'City', max: 5 })
    expect([null, '', '  ', 'Bonn'].map((value) => z.parse(city, value))).toEqual([
      null,
      null,
      null,
      'Bonn',
    ])
  })
})

describe('clearableUrl', () => {
  const url = clearableUrl({ label: 'Image URL', max: 100 })

  it.each([['https://example.org/a.png?x=1#y'], ['http://example.org'], ['/uploads/a.png']])(
    'takes %s',
    (text) => {
      expect(z.parse(url, text)).toBe(text)
    },
  )

  it.each([
    ['javascript:alert(1)'],
    ['data:text/html,hi'],
    ['//example.org/a.png'],
    ['/\\example.org'],
    ['https://exa mple.org'],
    ['https://user@example.org'],
    ['https://example.org/"><script>'],
    ['ftp://example.org'],
    ['a.png'],
  ])('refuses %s', (text) => {
    expect(sentenceOf(url, text)).toBe('Image URL must be a web address')
  })
})

it('a name keeps the marks that letters need and loses those that pile up', () => {
  const name = nameText({ label: 'Name', max: 50 })
  const marks = (count: number) => '\u0301\u0302\u0303\u0304'.repeat(count)
  expect(z.parse(name, `x${marks(12)}y`)).toBe(`x${marks(1)}y`)
  // Neither does what joins them.
  expect(z.parse(name, `x${`${marks(1)}\u200d\u200c`.repeat(12)}y`)).toBe(
    `x${marks(1)}\u200d\u200cy`,
  )
  for (const kept of ['Tiếng Việt', 'किशोरी', 'אָלֶף', '👩‍👩‍👧‍👦', '❤️‍🔥', 'ก็ดี้']) {
    expect(z.parse(name, kept)).toBe(kept.normalize('NFC'))
  }
})

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
    [`x${'\u0334'.repeat(40)}y`, `x${'\u0334'.repeat(4)}y`],
    [`x${'\u0334\u0335\u0336\u0337\u200d'.repeat(9)}y`, 'x\u0334\u0335\u0336\u0337\u200dy'],
    ['क्‍ष ❤️‍🔥', 'क्‍ष ❤️‍🔥'],
  ])('%j becomes %j', (given, kept) => {
    expect(oneLineName(given)).toBe(kept)
  })

  it.each(['', ' ', '\n\t', '\u200b\u202e', '\u3164'])(
    'is nothing when nothing of %j is left',
    (given) => {
      expect(oneLineName(given)).toBeUndefined()
    },
  )

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

describe('clearablePictureUrl', () => {
  const url = clearablePictureUrl({ label: 'Image URL', max: 100 })

  it.each(['https://images.test/a.png', '/uploads/1.webp', '/art/pack-crown.svg'])(
    'takes %s',
    (text) => {
      expect(z.parse(url, text)).toBe(text)
    },
  )

  it.each([
    '/api/auth/emergency-logout',
    '/a.png',
    '/uploads/../api/auth/emergency-logout',
    '/uploads/%2e%2e/api/auth/emergency-logout',
    '/art/%2E./api',
    '/art/..%2fapi',
    '/Uploads/1',
  ])('refuses %s, which is no picture of this site', (text) => {
    expect(sentenceOf(url, text)).toBe('Image URL must be a web address of a picture')
  })

  it('means none when it is blank', () => {
    expect(z.parse(url, ' ')).toBeNull()
  })
})

describe('pages', () => {
  const limit = pageLimit(25, 100)

  it('falls back to the default for any value that is no good number', () => {
    for (const value of ['0', '-1', 'x', '1.5', '', '101', ['5'], {}, null, undefined]) {
      expect(z.parse(limit, value)).toBe(25)
    }
    for (const value of ['0', '-1', 'x', '1.5', '', ['5'], {}, null, undefined]) {
      expect(z.parse(PageNumber, value)).toBe(1)
    }
  })

  it('takes good values and counts a huge page as the last that is offered', () => {
    expect(z.parse(limit, '100')).toBe(100)
    expect(z.parse(PageNumber, '7')).toBe(7)
    expect(z.parse(PageNumber, '9'.repeat(30))).toBe(pageNumberMax)
  })

  it('searches for a username as screens write it', () => {
    const texts = [' @ana ', 'ana@example.org', '@'].map((text) => z.parse(SearchText, text))
    expect(texts).toEqual(['ana', 'ana@example.org', '@'])
  })

  it('cuts a long search between two characters, never in one', () => {
    const text = 'a'.repeat(199)
    expect(z.parse(SearchText, `${text}😀b`)).toBe(`${text}😀`)
  })

  it('never throws', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(z.parse(PageNumber, value)).toBeGreaterThanOrEqual(1)
        expect(z.parse(limit, value)).toBeLessThanOrEqual(100)
        expect(codePoints(z.parse(SearchText, value))).toBeLessThanOrEqual(200)
      }),
    )
  })
})

describe('requestObject', () => {
  const schema = requestObject({ id: idNumber('Invalid id') })

  it('drops unknown keys', () => {
    expect(z.parse(schema, { id: 1, role: 'admin' })).toEqual({ id: 1 })
  })

  it.each([[null], [[]], ['{}'], [5]])('refuses %j', (value) => {
    expect(sentenceOf(schema, value)).toBe('The request must be an object')
  })
})

describe('crossRule', () => {
  const schema = requestObject({
    first: idNumber('first'),
    second: z.optional(idNumber('second')),
    third: idNumber('third'),
  }).check(
    crossRule((value: { second?: number }) =>
      value.second === undefined
        ? { path: 'second', message: 'second needed', before: ['third'] }
        : undefined,
    ),
  )
  const messages = (value: unknown) =>
    schema.safeParse(value).error?.issues.map((issue) => issue.message)

  it('puts its issue where the field stands in the schema', () => {
    expect(messages({})).toEqual(['first', 'second needed', 'third'])
    expect(messages({ first: 1 })).toEqual(['second needed', 'third'])
    expect(messages({ first: 1, third: 1 })).toEqual(['second needed'])
  })

  it('keeps quiet about a field that is refused already, and about no object', () => {
    expect(messages({ first: 1, second: 'x', third: 1 })).toEqual(['second'])
    expect(messages(null)).toEqual(['The request must be an object'])
  })
})
