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

  it('reads back as it was written, whatever the text, apart from that apostrophe', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }), (texts) => {
        const cells = readLine(csvLine(texts))
        expect(cells).toHaveLength(texts.length)
        for (const [index, text] of texts.entries()) {
          expect([text, `'${text}`]).toContain(cells[index])
        }
      }),
    )
  })
})
