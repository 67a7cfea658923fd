// An honest opening is proven at once; each way to cheat is told by its name.

import { describe, expect, it } from 'vitest'
import { hexOf } from './bytes.ts'
import {
  type AskedOpening,
  commitmentOf,
  drawPacks,
  faultOfOpening,
  rollsOf,
  type ToldOpening,
  tableHash,
  tableText,
  thresholdsOf,
  withheldPrizes,
} from './draw.ts'
import { portableHashing } from './hashing.ts'
import { entry, table } from './sample-tables.fixture.ts'

const filled = (value: number) => new Uint8Array(32).fill(value)
const offered = table(entry(1, { totalPacks: 2, redCoinAmount: 9 }), entry(2, { limited: true }))
const text = tableText(offered)
const other = tableText(table(entry(1, { totalPacks: 3, redCoinAmount: 9 })))

const asked: AskedOpening = {
  commitment: commitmentOf(filled(1), portableHashing),
  chainId: 4,
  index: 2,
  entropy: hexOf(filled(7)),
  tableHash: tableHash(text, portableHashing),
  packTypeId: 1,
  quantity: 50,
}

/** What a server answers that draws with this seed, entropy and table. */
function answered(seed = filled(1), entropy = asked.entropy, from = offered): ToldOpening {
  const hashOfTable = tableHash(tableText(from), portableHashing)
  const terms = { seed, entropy, tableHash: hashOfTable }
  const rolls = rollsOf(terms, asked.quantity, portableHashing)
  const { drawn } = drawPacks(thresholdsOf(from.entries), [undefined, 3], rolls)
  return {
    ...{ chainId: 4, index: 2, serverSeed: hexOf(seed), entropy, entropyFrom: 'player' },
    ...{ tableHash: hashOfTable, nextCommitment: commitmentOf(filled(2), portableHashing) },
    results: drawn.map(({ won, soldOut }) => ({
      prizeId: won === undefined ? null : (from.entries[won]?.prizeId ?? null),
      soldOutPrizeId: soldOut === undefined ? null : (from.entries[soldOut]?.prizeId ?? null),
      redCoinEarned: won === undefined ? 5 : (from.entries[won]?.redCoinAmount ?? 0),
    })),
  }
}

const faultOf = (told: ToldOpening, shown = text) =>
  faultOfOpening(asked, told, shown, portableHashing)

describe('an opening', () => {
  const honest = answered()

  it('that is honest is proven', () => {
    expect(honest.results.some(({ prizeId }) => prizeId === 1)).toBe(true)
    expect(honest.results.some(({ soldOutPrizeId }) => soldOutPrizeId === 2)).toBe(true)
    expect(faultOf(honest)).toBeUndefined()
  })

  it('is proven without being told which prize was sold out, but not without a certain win', () => {
    const untold = honest.results.map(({ prizeId, redCoinEarned }) => ({ prizeId, redCoinEarned }))
    expect(faultOf({ ...honest, results: untold })).toBeUndefined()
    const none = untold.map(() => ({ prizeId: null, redCoinEarned: 5 }))
    expect(faultOf({ ...honest, results: none })).toBe('result')
  })

  it.each<[string, Partial<ToldOpening>, string]>([
    ['another seed', answered(filled(3)), 'seed'],
    ['a seed that is none', { serverSeed: 'zz' }, 'seed'],
    ['the same commitment again', { nextCommitment: asked.commitment }, 'seed'],
    ['another entropy', answered(filled(1), hexOf(filled(8))), 'entropy'],
    ['the entropy of the server', { entropyFrom: 'server' }, 'entropy'],
    ['another table', answered(filled(1), asked.entropy, table(entry(1))), 'table'],
    ['fewer packs', { results: honest.results.slice(1) }, 'quantity'],
    ['more packs', { results: [...honest.results, ...honest.results] }, 'quantity'],
    ['an index again', { index: 1 }, 'index'],
    ['another chain', { chainId: 5 }, 'index'],
    ['results in another order', { results: honest.results.toReversed() }, 'result'],
  ])('with %s is not', (_what, lie, fault) => {
    expect(faultOf({ ...honest, ...lie })).toBe(fault)
  })

  it('is not with a win that is denied, or paid less', () => {
    const at = honest.results.findIndex(({ prizeId }) => prizeId === 1)
    const changed = (lie: object) => ({
      ...honest,
      results: honest.results.map((result, place) =>
        place === at ? { ...result, ...lie } : result,
      ),
    })
    expect(faultOf(changed({ prizeId: null, redCoinEarned: 5 }))).toBe('result')
    expect(faultOf(changed({ redCoinEarned: 8 }))).toBe('pay')
  })

  it('is not under a text that is not the table that was shown', () => {
    expect(faultOf(honest, other)).toBe('table')
  })
})

describe('what was withheld', () => {
  it('is drawn again once its seed is known, and from no other', () => {
    const prizes = withheldPrizes(asked, hexOf(filled(1)), text, portableHashing)
    expect(prizes).toHaveLength(50)
    expect(prizes?.filter((prize) => prize === 1)).toHaveLength(
      answered().results.filter(({ prizeId }) => prizeId === 1).length,
    )
    expect(withheldPrizes(asked, hexOf(filled(3)), text, portableHashing)).toBeUndefined()
    expect(withheldPrizes(asked, hexOf(filled(1)), other, portableHashing)).toBeUndefined()
    const elsewhere = { ...asked, packTypeId: asked.packTypeId + 1 }
    expect(withheldPrizes(elsewhere, hexOf(filled(1)), text, portableHashing)).toBeUndefined()
  })
})
