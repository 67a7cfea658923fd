// The caller's own place in the ranking, and hiding from it.

import type { OwnRank } from '@redpack/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Person, told, useTestDeps } from '../../../test/deps.ts'

const t = useTestDeps()
const path = '/api/redcoin/leaderboard/me'
const people = new Map<string, Person>()
const person = (name: string) => people.get(name)!

/** Seven ranked people; dan, eve and fay share a balance, so their ids decide. */
beforeEach(async () => {
  people.clear()
  const balances = { ana: 900, ben: 800, cat: 700, dan: 600, eve: 600, fay: 600, gus: 100, zoe: 0 }
  for (const [name, coins] of Object.entries(balances)) {
    people.set(name, await t.person(name, { coins }))
  }
  t.deps.events.publish({ type: 'leaderboard_changed' })
})

const rankOf = async (name: string): Promise<OwnRank> => (await person(name).get(path)).json()
const shortly = ({ rank, neighbours }: OwnRank) => ({
  rank,
  near: neighbours.map((one) => `${one.rank} ${one.username}${one.isSelf ? '!' : ''}`),
})
const hide = (name: string, isHidden: unknown) =>
  person(name).send('PUT', '/api/user/leaderboard-visibility', { isHidden })
const publicList = async (): Promise<string[]> =>
  (await t.app.inject('/api/redcoin/leaderboard'))
    .json()
    .map((entry: { rank: number; username: string }) => `${entry.rank} ${entry.username}`)

describe('GET /api/redcoin/leaderboard/me', () => {
  it('answers the place and two people on each side, with every field', async () => {
    await t.rows(`UPDATE users SET avatar = '/b.png', display_name = 'B' WHERE username = 'ben'`)
    const answer = await person('cat').get(path)
    expect(answer.statusCode).toBe(200)
    const entry = (rank: number, username: string, redCoinBalance: number) => ({
      rank,
      displayName: username,
      username,
      redCoinBalance,
      avatar: null,
      isSelf: username === 'cat',
    })
    expect(answer.json()).toEqual({
      rank: 3,
      redCoinBalance: 700,
      isHidden: false,
      neighbours: [
        entry(1, 'ana', 900),
        { ...entry(2, 'ben', 800), displayName: 'B', avatar: '/b.png' },
        entry(3, 'cat', 700),
        entry(4, 'dan', 600),
        entry(5, 'eve', 600),
      ],
    })
  })

  it('agrees with the public ranking for everyone, ties and ends included', async () => {
    const list = await publicList()
    expect(list).toEqual(['1 ana', '2 ben', '3 cat', '4 dan', '5 eve', '6 fay', '7 gus'])
    for (const [index, line] of list.entries()) {
      const [rank, name] = line.split(' ')
      const near = list.slice(Math.max(0, index - 2), index + 3)
      expect(shortly(await rankOf(name!))).toEqual({
        rank: Number(rank),
        near: near.map((other) => (other === line ? `${other}!` : other)),
      })
    }
  })

  it('has no place for who has no RedCoin, nor for the protected account', async () => {
    expect(await rankOf('zoe')).toEqual({
      rank: null,
      redCoinBalance: 0,
      isHidden: false,
      neighbours: [],
    })
    await t.rows(`UPDATE users SET is_protected = true, role = 'super_user' WHERE username = 'ana'`)
    expect(shortly(await rankOf('ana'))).toEqual({ rank: null, near: [] })
    expect(shortly(await rankOf('ben'))).toEqual({ rank: 1, near: ['1 ben!', '2 cat', '3 dan'] })
  })
})

describe('PUT /api/user/leaderboard-visibility', () => {
  it('takes the caller out of the public ranking at once, keeps the own view, and is undone', async () => {
    expect(await publicList()).toHaveLength(7)
    const answer = await hide('cat', true)
    expect([answer.statusCode, answer.json()]).toEqual([200, { isHidden: true }])
    expect(await publicList()).toEqual(['1 ana', '2 ben', '3 dan', '4 eve', '5 fay', '6 gus'])
    const own = await rankOf('cat')
    expect([own.isHidden, shortly(own)]).toEqual([
      true,
      { rank: 3, near: ['1 ana', '2 ben', '3 cat!', '3 dan', '4 eve'] },
    ])
    expect(shortly(await rankOf('dan')).near).toEqual([
      '1 ana',
      '2 ben',
      '3 dan!',
      '4 eve',
      '5 fay',
    ])
    expect((await hide('cat', 'false')).json()).toEqual({ isHidden: false })
    expect(await publicList()).toContain('3 cat')
  })

  it('refuses anything but yes or no, and changes nobody else', async () => {
    for (const value of [undefined, null, 1, 'yes', [true]]) {
      expect(await told(hide('cat', value))).toBe('400 Choose whether to be hidden')
    }
    await person('cat').send('PUT', '/api/user/leaderboard-visibility', {
      isHidden: true,
      userId: person('ana').id,
    })
    expect(await t.column('SELECT username FROM users WHERE is_hidden_from_leaderboard')).toEqual([
      'cat',
    ])
  })
})
