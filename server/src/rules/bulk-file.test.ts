import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DomainError } from '../shared/domain-error.ts'
import { isCsvFile, readBulkFile } from './bulk-file.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const read = (text: string) => readBulkFile(bytes(text), 'redcoin')
const ana = { row: 2, username: 'ana', amount: '5' }

describe('the file of a bulk grant', () => {
  it.each([
    ['commas', 'username,amount\nana,5'],
    ['CR LF and a last line end', 'username,amount\r\nana,5\r\n'],
    ['lone CR', 'username,amount\rana,5'],
    ['a byte-order mark', '\ufeffusername,amount\nana,5'],
    ['quoted cells', '"username","amount"\n"ana","5"'],
    ['any order and case of the header, and other columns', 'Amount,Note,USERNAME\n5,hi,ana'],
    ['white space around cells', ' username , amount \n ana , 5 '],
    ['semicolons', 'username;amount\nana;5'],
    ['semicolons, and a column with a comma in its name', 'Name, first;username;amount\nA;ana;5'],
    ['tabs', 'username\tamount\tnote\nana\t5\t"for, us; both"'],
    ['blank cells at the end', 'username,amount,,\nana,5,,'],
  ])('may have %s', (_what, text) => {
    expect(read(text)).toEqual([ana])
  })

  it.each([
    ['Windows-1252', Buffer.from('username;amount;für\r\nana;5;Grüße\r\nzoë;6;', 'latin1')],
    ['UTF-16', Buffer.from('\ufeffusername\tamount\r\nana\t5\r\nzoë\t6\r\n', 'utf16le')],
    ['UTF-16, turned', Buffer.from('\ufeffusername,amount\nana,5\nzoë,6', 'utf16le').swap16()],
  ])('may be written in %s, as spreadsheets do', (_what, file) => {
    expect(readBulkFile(file, 'redcoin')).toEqual([ana, { row: 3, username: 'zoë', amount: '6' }])
  })

  it('counts rows as a spreadsheet does, blank lines too, and a line end inside a cell once', () => {
    const text = '\nusername,amount\n\nana,5\n"two\nlines",6\n,,\nben,7\n'
    expect(read(text)).toEqual([
      { row: 4, username: 'ana', amount: '5' },
      { row: 5, username: 'two\nlines', amount: '6' },
      { row: 7, username: 'ben', amount: '7' },
    ])
  })

  it('keeps rows that lack a cell, for their verdict', () => {
    expect(read('username,amount\nana\n,5')).toEqual([
      { row: 2, username: 'ana', amount: '' },
      { row: 3, username: '', amount: '5' },
    ])
  })

  it.each([
    ['', 'The CSV file needs a header row: username,amount'],
    ['username,quantity\nana,5', 'The CSV file needs a header row: username,amount'],
    ['ana,5\nusername,amount', 'The CSV file needs a header row: username,amount'],
    ['username,amount\n\n', 'The CSV file has no rows below its header'],
    ['username,amount\n"ana,5', 'The CSV file has a quotation mark that is not closed'],
    ['username,amount\nana\0,5', 'The CSV file is not UTF-8 text'],
    [`username,amount${'\nana,5'.repeat(10_001)}`, 'The CSV file must have 10,000 rows or less'],
  ])('is refused with a sentence: case %#', (text, message) => {
    expect(() => read(text)).toThrow(new DomainError('invalid_input', message))
  })

  it('is refused when its bytes are no text, as those of a workbook', () => {
    const workbook = Uint8Array.of(0x50, 0x4b, 3, 4, 20, 0, 0xc3, 0x28)
    expect(() => readBulkFile(workbook, 'packs')).toThrow('not UTF-8')
  })

  it('may have a million blank lines, which count in the number of a row', () => {
    const blank = '\n'.repeat(500_000)
    expect(read(`${blank}username,amount${blank}ana,5`)).toEqual([{ ...ana, row: 1_000_001 }])
  })

  it('is read no further than one row too many', () => {
    const unread = '"this mark is never closed'
    expect(() => read(`username,amount${'\nana,5'.repeat(10_001)}\n${unread}`)).toThrow('10,000')
  })

  it('is judged as well when its first line is long and blank', () => {
    // Long enough that a search which begins anew at each blank would never end.
    expect(() => read(' '.repeat(1_000_000))).toThrow('needs a header row')
  })

  it('is refused soon when it holds nothing but line ends', () => {
    const costOf = (file: Uint8Array) => {
      const costs = Array.from({ length: 3 }, () => {
        const before = process.cpuUsage()
        expect(() => readBulkFile(file, 'redcoin')).toThrow(DomainError)
        return process.cpuUsage(before).user
      })
      return Math.min(...costs)
    }
    // One row too many: as long, and read to its end.
    const full = bytes(`username,amount\n${`${'a'.repeat(98)},\n`.repeat(10_001)}`)
    const ends = bytes('\n'.repeat(full.length))
    expect(costOf(ends) / costOf(full)).toBeLessThan(10)
  })

  it('holds 10,000 rows', () => {
    expect(read(`username,amount${'\nana,5'.repeat(10_000)}`)).toHaveLength(10_000)
  })

  it('reads back whatever cells are quoted, whatever the separator', () => {
    const cell = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => {
      const plain = text.replaceAll('\0', '').trim()
      return plain === text && plain !== ''
    })
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1 }), fc.boolean(), (rows, odd) => {
        const separator = odd ? ';' : ','
        const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
        const lines = rows.map((row) => row.map(quoted).join(separator))
        const text = [`username${separator}amount`, ...lines].join('\n')
        expect(read(text).map(({ username, amount }) => [username, amount])).toEqual(rows)
      }),
    )
  })

  it('never does anything but read or refuse', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'a,;"\r\n 1') }), (text) => {
        try {
          read(`username,amount\n${text}`)
        } catch (error) {
          expect(error).toBeInstanceOf(DomainError)
        }
      }),
    )
  })
})

it.each([
  ['names.csv', 'text/plain', true],
  ['NAMES.CSV', 'application/vnd.ms-excel', true],
  ['names.txt', 'text/csv', false],
  ['names.csv.exe', 'text/csv', false],
  ['names', 'text/csv', true],
  ['names', 'application/octet-stream', false],
])('%s sent as %s is a CSV file: %s', (name, type, expected) => {
  expect(isCsvFile(name, type)).toBe(expected)
})
