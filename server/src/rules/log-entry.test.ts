// The entries of the public log, byte for byte: strangers make the same ones.

import { describe, expect, it } from 'vitest'
import {
  DamagedLogSource,
  entryBytesMax,
  type LoggedOpening,
  type LoggedRequest,
  logEntries,
} from './log-entry.ts'

const hash = 'ab'.repeat(32)
const bytesOf = (text: string) => Buffer.byteLength(text, 'utf8')

function opening(change: Partial<LoggedOpening> = {}): LoggedOpening {
  return {
    ...{ id: 1, nonce: 0, prizeId: null, soldOutPrizeId: null, stockAfter: null },
    redCoinEarned: 5,
    ...change,
  }
}

function request(change: Partial<LoggedRequest> = {}): LoggedRequest {
  return {
    createdAt: new Date('2026-11-20T12:34:59.999Z'),
    ...{ packTypeId: 3, tableHash: hash, pairId: 8, clientSeedHash: 'c1', firstNonce: 4 },
    quantity: 2,
    openings: [
      opening({ id: 11, nonce: 4, prizeId: 6, stockAfter: 2, redCoinEarned: 0 }),
      opening({ id: 12, nonce: 5, soldOutPrizeId: 6 }),
    ],
    ...change,
  }
}

describe('an entry', () => {
  it('of a commitment names its scheme only when that is the older one', () => {
    const commitment = { kind: 'commitment', pairId: 7, serverSeedHash: hash } as const
    expect(logEntries({ ...commitment, scheme: 2 })).toEqual([
      `{"type":"commitment","pairId":7,"serverSeedHash":"${hash}"}`,
    ])
    expect(logEntries({ ...commitment, scheme: 1 })).toEqual([
      `{"type":"commitment","pairId":7,"serverSeedHash":"${hash}","scheme":1}`,
    ])
  })

  it('of stock and of a reveal says what has changed', () => {
    expect(logEntries({ kind: 'stock', prizeId: 6, delta: -1, after: null })).toEqual([
      '{"type":"stock","prizeId":6,"delta":-1,"after":null}',
    ])
    const reveal = { kind: 'reveal', pairId: 8, serverSeed: 's', clientSeed: 'é "q"' } as const
    expect(logEntries(reveal)).toEqual([
      '{"type":"reveal","pairId":8,"serverSeed":"s","clientSeed":"é \\"q\\""}',
    ])
  })

  it('of an opening is one for each pack, its time cut to the minute', () => {
    const shared = `"at":"2026-11-20T12:34:00.000Z","packTypeId":3,"tableHash":"${hash}","pairId":8`
    expect(logEntries({ kind: 'openings', request: request() })).toEqual([
      `{"type":"opening","id":11,${shared},"nonce":4,"clientSeedHash":"c1","prizeId":6,"soldOutPrizeId":null,"stockAfter":2,"redCoinEarned":0}`,
      `{"type":"opening","id":12,${shared},"nonce":5,"clientSeedHash":"c1","prizeId":null,"soldOutPrizeId":6,"stockAfter":null,"redCoinEarned":5}`,
    ])
  })

  it.each<[string, Partial<LoggedRequest>]>([
    ['a pack is missing', { quantity: 3 }],
    ['there is one too many', { quantity: 1 }],
    ['the nonces begin elsewhere', { firstNonce: 5 }],
    [
      'the second nonce is not the next',
      {
        openings: [opening({ nonce: 4 }), opening({ nonce: 6 })],
      },
    ],
  ])('of an opening is none when %s', (_, change) => {
    const make = () => logEntries({ kind: 'openings', request: request(change) })
    expect(make).toThrow(DamagedLogSource)
    expect(make).toThrow('openings of the request are missing')
  })

  it('that was written before stays as it was', () => {
    expect(logEntries({ kind: 'written', body: '{"a": 1}' })).toEqual(['{"a": 1}'])
    for (const body of ['{"a"', '{"a":\n1}', '']) {
      const make = () => logEntries({ kind: 'written', body })
      expect(make).toThrow('the text is not JSON in one line')
    }
  })
})

describe('the length of an entry', () => {
  /** JSON of a text of that many characters: two more for its quotes. */
  const written = (character: string, count: number) => `"${character.repeat(count)}"`

  it.each([
    ['a', 1],
    ['é', 2],
    ['€', 3],
    ['😀', 4],
  ])('counts %s as %i bytes, and may be %i at most', (character, size) => {
    const room = Math.floor((entryBytesMax - 2) / size)
    const longest = written(character, room)
    expect(logEntries({ kind: 'written', body: longest })).toEqual([longest])
    const make = () => logEntries({ kind: 'written', body: written(character, room + 1) })
    expect(make).toThrow('the entry is too long')
  })
})

describe('the entry of an odds table', () => {
  const table = (name: string) => JSON.stringify({ packTypeId: 1, entries: [{ name }] })

  it('holds the table itself', () => {
    const body = table('Mug "é"')
    expect(logEntries({ kind: 'table', tableHash: hash, body })).toEqual([
      `{"type":"table","tableHash":"${hash}","table":${body}}`,
    ])
  })

  it.each(['{"a": 1}', '{', '{"a":1e2}', ''])(
    'is none for %j, which nobody could hash again',
    (body) => {
      const make = () => logEntries({ kind: 'table', tableHash: hash, body })
      expect(make).toThrow(DamagedLogSource)
      expect(make).toThrow('the text of the odds table is not what was hashed')
    },
  )

  it.each(['x', '"', '😀', `${'x'.repeat(9_960)}😀`])(
    'comes in parts that fit and give the text again when it is too large (%#)',
    (unit) => {
      const body = table(unit.repeat(Math.ceil(150_000 / unit.length)))
      const parts = logEntries({ kind: 'table', tableHash: hash, body }).map((entry) => {
        expect(bytesOf(entry)).toBeLessThanOrEqual(entryBytesMax)
        return JSON.parse(entry)
      })
      expect(parts.map(({ text }) => text).join('')).toBe(body)
      expect(parts.length).toBeGreaterThan(1)
      for (const [index, { text, ...part }] of parts.entries()) {
        expect(part).toEqual({
          ...{ type: 'table', tableHash: hash, part: index + 1, parts: parts.length },
        })
        // A character of two halves is in one part or in the next.
        expect(text.isWellFormed?.() ?? true).toBe(true)
        expect(text.length).toBeLessThanOrEqual(10_000)
      }
    },
  )
})
