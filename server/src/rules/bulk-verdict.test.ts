import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type BulkScene, type Carrier, judgeRows } from './bulk-file.ts'

const person = (id: number, username: string, has = 0): Carrier => ({
  id,
  username,
  displayName: username.toUpperCase(),
  has,
})

const scene: BulkScene = {
  carriers: new Map([
    ['ana', [person(1, 'ana', 90)]],
    ['ben', [person(2, 'ben')]],
    ['twin', [person(3, 'twin'), person(4, 'twin')]],
  ]),
  former: new Map([
    ['benny', { id: 2, username: 'ben', displayName: 'BEN' }],
    ['ana', { id: 9, username: 'somebody else', displayName: 'X' }],
  ]),
  max: 100,
}

const verdicts = (...rows: (readonly [string, string])[]) =>
  judgeRows(
    rows.map(([username, amount], index) => ({ row: index + 2, username, amount })),
    scene,
  )

describe('a row of a bulk grant', () => {
  it('is applied when its name and number are good', () => {
    expect(verdicts(['ana', '10'])).toEqual([
      {
        row: 2,
        username: 'ana',
        userId: 1,
        displayName: 'ANA',
        verdict: 'ok',
        reason: null,
        amount: 10,
        after: 100,
      },
    ])
  })

  it.each([
    ['Ana', '1', 'unknown', 'unknown user'],
    ['', '1', 'unknown', 'no username'],
    ['twin', '1', 'ambiguous', 'several users have this name'],
    ['benny', '1', 'renamed', 'renamed to ben'],
    ['ben', '', 'bad_number', 'not a whole number'],
    ['ben', '1.5', 'bad_number', 'not a whole number'],
    ['ben', '1e3', 'bad_number', 'not a whole number'],
    ['ben', '٣', 'bad_number', 'not a whole number'],
    ['ben', '0', 'bad_number', 'below 1'],
    ['ben', '-4', 'bad_number', 'below 1'],
    ['ana', '11', 'over_limit', 'over the limit'],
    ['ben', '9'.repeat(400), 'over_limit', 'over the limit'],
  ])('with %j and %j is %s: %s', (username, amount, verdict, reason) => {
    const [row] = verdicts([username, amount])
    expect(row).toMatchObject({ verdict, reason, after: null })
  })

  it('is a duplicate when its name has stood above, even in a bad row', () => {
    const rows = verdicts(
      ['ana', 'x'],
      ['ana', '1'],
      ['zoe', '1'],
      ['zoe', '1'],
      ['', '1'],
      ['', '1'],
    )
    expect(rows.map(({ verdict }) => verdict)).toEqual([
      'bad_number',
      'duplicate',
      'unknown',
      'duplicate',
      'unknown',
      'unknown',
    ])
  })

  it('gets one verdict, at most one good one per user, and never leaves the limit', () => {
    const name = fc.constantFrom('ana', 'ben', 'twin', 'benny', 'zoe', '')
    const number = fc.oneof(fc.integer().map(String), fc.string())
    fc.assert(
      fc.property(fc.array(fc.tuple(name, number)), (rows) => {
        const judged = verdicts(...rows)
        expect(judged.map(({ row }) => row)).toEqual(rows.map((_row, index) => index + 2))
        const good = judged.filter(({ verdict }) => verdict === 'ok')
        expect(new Set(good.map(({ userId }) => userId)).size).toBe(good.length)
        for (const { amount, after, reason } of good) {
          expect(amount).toBeGreaterThanOrEqual(1)
          expect(after).toBeLessThanOrEqual(scene.max)
          expect(reason).toBeNull()
        }
        expect(
          judged.every(({ verdict, reason }) => (verdict === 'ok') === (reason === null)),
        ).toBe(true)
      }),
    )
  })
})
