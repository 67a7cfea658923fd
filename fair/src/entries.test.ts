// Entries of the log: read only to the letter, and nothing but the six kinds.

import { describe, expect, it } from 'vitest'
import { tableOfText, tableText } from './draw.ts'
import {
  type Entry,
  entryBytesMax,
  entryOfText,
  entryText,
  type LogEntry,
  minuteOf,
  openingOfText,
  tableEntries,
} from './entries.ts'
import { entry, table } from './sample-tables.fixture.ts'

const hash = 'ab'.repeat(32)
const samples: Record<string, LogEntry> = {
  chain: { type: 'chain', chainId: 1, commitment: hash },
  table: { type: 'table', tableHash: hash, table: table(entry(1)) },
  'part of a table': { type: 'table', tableHash: hash, part: 1, parts: 2, text: '{"pack' },
  stock: { type: 'stock', prizeId: 1, delta: -5, after: 0 },
  'stock without an end': { type: 'stock', prizeId: 1, delta: 0, after: null },
  opening: {
    ...{ type: 'opening', id: '0190-a', at: '2026-11-23T12:00:00.000Z', packTypeId: 1 },
    ...{ tableHash: hash, chainId: 1, index: 0, serverSeed: hash, entropy: hash },
    ...{ entropyFrom: 'player', next: hash },
    results: [
      [1, null, 4, 0],
      [null, 2, 0, 5],
      [null, null, null, 5],
    ],
  },
  end: { type: 'end', chainId: 1, index: 7, serverSeed: hash },
  'end of a lost seed': { type: 'end', chainId: 1, index: 7, serverSeed: null },
  shipment: {
    ...{ type: 'shipment', opening: '0190-a', position: 0, step: 'wanted' },
    ...{ day: '2026-11-23', due: '2026-12-23' },
  },
}

describe.each(Object.entries(samples))('%s', (_name, sample) => {
  const text = entryText(sample)

  it('is read back as it was written', () => {
    expect(entryOfText(text)).toEqual(sample)
  })

  it('is not read with a key more, less, twice or elsewhere, nor with white space', () => {
    const pairs = Object.entries(JSON.parse(text) as object)
    const without = Object.fromEntries(pairs.slice(0, -1))
    const turned = Object.fromEntries([...pairs.slice(1), ...pairs.slice(0, 1)])
    const wrong = [
      JSON.stringify({ ...JSON.parse(text), more: 1 }),
      JSON.stringify(without),
      JSON.stringify(turned),
      text.replace('{', '{"type":"chain",'),
      text.replace(',', ', '),
      `${text}\n`,
    ]
    for (const other of wrong) expect([other, entryOfText(other)]).toEqual([other, undefined])
  })

  it('is not read with another kind of value anywhere', () => {
    for (const [key, value] of Object.entries(JSON.parse(text) as object)) {
      if (value === null) continue
      const other = JSON.stringify({ ...JSON.parse(text), [key]: { other: true } })
      expect([key, entryOfText(other)]).toEqual([key, undefined])
    }
  })
})

it.each([
  '',
  'null',
  '[]',
  '{}',
  '{"type":"reveal","pairId":1,"serverSeed":"a","clientSeed":"b"}',
  '{"type":"commitment","pairId":1,"serverSeedHash":"a"}',
  `{"type":"chain","chainId":0,"commitment":"${hash}"}`,
  `{"type":"chain","chainId":1,"commitment":"${hash.toUpperCase()}"}`,
  `{"type":"chain","chainId":1.5,"commitment":"${hash}"}`,
  entryText({ ...(samples.opening as LogEntry & { type: 'opening' }), results: [] }),
  entryText({ ...(samples.opening as LogEntry & { type: 'opening' }), results: [[1, 1, 0, 0]] }),
])('nothing else is an entry: %s', (text) => {
  expect(entryOfText(text)).toBeUndefined()
})

it('an opening is read where it agrees with what is said of it, and nothing else is', () => {
  const { opening, chain } = samples as { opening: Entry<'opening'>; chain: LogEntry }
  const text = entryText(opening)
  expect(openingOfText(text, { chainId: 1, index: 0 })).toEqual(opening)
  expect(openingOfText(text, { chainId: 1, index: 1 })).toBeUndefined()
  expect(openingOfText(entryText(chain))).toBeUndefined()
})

it('tables of any length are published in entries that fit, and come together again', () => {
  const long = table(
    ...Array.from({ length: 900 }, (_, at) => entry(at + 1, { name: '"🎁🎁🎁'.repeat(9) })),
  )
  for (const one of [table(entry(1)), long]) {
    const entries = tableEntries(hash, one).map(entryText)
    for (const text of entries) {
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(entryBytesMax)
      expect(entryOfText(text)).toBeDefined()
      // Not every language puts the halves of a character together again.
      expect(text).not.toMatch(/\\ud[89a-f]/)
    }
    const read = entries.map((text) => JSON.parse(text) as { text?: string; table?: unknown })
    const whole = read.map(({ text }) => text ?? '').join('') || tableText(one)
    expect(tableOfText(whole)).toEqual(one)
  }
  expect(tableEntries(hash, long).length).toBeGreaterThan(1)
})

it('the time of an opening is cut to its minute', () => {
  expect(minuteOf(new Date('2026-11-23T12:34:56.789Z'))).toBe('2026-11-23T12:34:00.000Z')
})
