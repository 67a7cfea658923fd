// The rolls: fixed vectors, and a million of them within four sigma.

import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { entryAt } from '../../rules/draw.ts'
import { oddsThresholds } from '../../rules/odds.ts'
import { loadedRandom, systemRandom } from './random.ts'
import { fairRolls, seedCommitment, sha256Hex } from './rolls.ts'

const seed = '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f'
const table = 'ab'.repeat(32)

describe('rolls', () => {
  for (const [scheme, end] of [
    [1, ''],
    [2, `:${table}`],
  ] as const) {
    it(`are the first 52 bits of the HMAC of scheme ${scheme}, nonces without gaps`, () => {
      const expected = [7, 8, 9].map((nonce) => {
        const message = `lucky:${nonce}${end}`
        const hmac = createHmac('sha256', Buffer.from(seed, 'hex')).update(message).digest()
        return Number(hmac.readBigUInt64BE(0) >> 12n)
      })
      const seeds = { scheme, serverSeed: seed, clientSeed: 'lucky' }
      expect(fairRolls(seeds, table, 7, 3)).toEqual(expected)
    })
  }

  it('follow fixed vectors', () => {
    const seeds = { scheme: 1, serverSeed: seed, clientSeed: 'client' } as const
    expect(fairRolls(seeds, table, 0, 2)).toEqual([1637123224556221, 2428645201319423])
    expect(seedCommitment(seed)).toBe(
      '630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd',
    )
    expect(sha256Hex('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  })

  it('win a prize of 1 in 100 within four sigma over a million draws', () => {
    const draws = 1_000_000
    const thresholds = oddsThresholds([
      { prizeId: 1, name: 'One', winFrequency: 1, totalPacks: 100, redCoinAmount: 0 },
    ])
    let wins = 0
    for (const roll of fairRolls(
      { scheme: 2, serverSeed: seed, clientSeed: 'million' },
      table,
      0,
      draws,
    )) {
      if (entryAt(thresholds, roll) === 0) wins += 1
    }
    const sigma = Math.sqrt(draws * 0.01 * 0.99)
    expect(Math.abs(wins - draws * 0.01)).toBeLessThan(4 * sigma)
  }, 60_000)
})

describe('loaded dice', () => {
  it('show the seeds they were given in order, then real chance again', () => {
    const dice = loadedRandom()
    dice.load([Buffer.alloc(32, 1), Buffer.alloc(32, 2)])
    expect([dice.serverSeed()[0], dice.serverSeed()[0]]).toEqual([1, 2])
    expect(dice.serverSeed().equals(dice.serverSeed())).toBe(false)
    dice.load([Buffer.alloc(32, 1)])
    dice.reset()
    expect(dice.serverSeed().equals(Buffer.alloc(32, 1))).toBe(false)
    expect(systemRandom.serverSeed()).toHaveLength(32)
  })
})
