import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvLine } from './csv.ts'

/** A reader of RFC 4180 for one record. */
function readLine(line: string): string[] {
  const cells: string[] = []
  let cell = ''
  let isQuoted = false
  for (let at = 0; at < line.length - 2; at += 1) {
    const character = line[at]!
    if (character === '"' && isQuoted && line[at + 1] === '"') {
      cell += '"'
      at += 1
    } else if (character === '"') isQuoted = !isQuoted
    else if (character === ',' && !isQuoted) {
      cells.push(cell)
      cell = ''
    } else cell += character
  }
  return [...cells, cell]
}

describe('a line of CSV', () => {
  it('keeps numbers, leaves null empty and ends with CR LF', () => {
    expect(csvLine([-5, 0, null, 'plain'])).toBe('-5,0,,plain\r\n')
  })

  it('quotes what would part fields, and doubles quotes', () => {
    expect(csvLine(['a,b', 'say "hi"', 'two\nlines'])).toBe('"a,b","say ""hi""","two\nlines"\r\n')
  })

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '\nx', '\0x', '\uff1d1', '\uff0b1'])(
    'leads %j with an apostrophe',
    (text) => {
      const [cell] = readLine(csvLine([text]))
      expect(cell).toBe(`'${text}`)
    },
  )

  it.each([
    ['x;=1+1', "x;'=1+1"],
    ['x\t+1', "x\t'+1"],
    ['x; -1;@SUM(A1)', "x; '-1;'@SUM(A1)"],
    ['x;"=1+1', `x;"'=1+1`],
    ['x;"" \uff1d1', `x;"" '\uff1d1`],
    ['two\r\n=1+1', "two\r\n'=1+1"],
    [' =1+1', "' =1+1"],
    ['"=1+1', `'"=1+1`],
    ['a;b', 'a;b'],
    ['a-b;c=d', 'a-b;c=d'],
  ])('makes text of %j wherever a spreadsheet parts it', (text, safe) => {
    expect(readLine(csvLine([text]))).toEqual([safe])
  })

  it('starts no formula in a reader that parts at semicolons or tabs and knows no quotes', () => {
    const unit = fc.constantFrom('=', '+', '-', '@', ';', '\t', '"', ' ', '\n', '\r', ',', 'a', '1')
    fc.assert(
      fc.property(fc.array(fc.string({ unit }), { minLength: 1 }), (texts) => {
        const cells = csvLine(texts).split(/[;\t\r\n]/)
        for (const cell of cells) expect(cell).not.toMatch(/^[\s"]*[=+\-@]/)
      }),
    )
  })

  it('reads back as it was written, whatever the text, apart from those apostrophes', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }), (texts) => {
        const cells = readLine(csvLine(texts))
        expect(cells).toHaveLength(texts.length)
        for (const [index, text] of texts.entries()) {
          const cell = cells[index] ?? ''
          const bare = (written: string) => written.replaceAll("'", '')
          expect(bare(cell)).toBe(bare(text))
          if (!/[=+\-@\0\s\uff0b\uff0d\uff1d\uff20]/.test(text)) expect(cell).toBe(text)
        }
      }),
    )
  })
})
