// Which positions stand on which page of the ranking.

import type { LeaderboardEntry } from '@redpack/contract'
import { describe, expect, it } from 'vitest'
import { entriesOfPage, firstPositionOf, limitOf, rankingPageMax } from './leaderboard-queries.ts'
import { pageOfPosition } from './ranking-list.tsx'

const everyone: LeaderboardEntry[] = Array.from({ length: 120 }, (_, index) => ({
  rank: index + 1,
  displayName: `Viewer ${index + 1}`,
  username: `viewer${index + 1}`,
  avatar: null,
  redCoinBalance: 1000 - index,
}))

describe('a page of the ranking', () => {
  it.each([
    [1, 4, 53],
    [2, 54, 103],
    [3, 104, 120],
  ])('%i holds the positions %i to %i', (page, first, last) => {
    const ranks = entriesOfPage(everyone, page).map(({ rank }) => rank)
    expect(ranks.at(0)).toBe(first)
    expect(ranks.at(-1)).toBe(last)
    expect(firstPositionOf(page)).toBe(first)
  })

  it('is empty beyond the end', () => {
    expect(entriesOfPage(everyone, 4)).toEqual([])
  })

  it('never asks for more than the server answers', () => {
    expect(limitOf(rankingPageMax)).toBeLessThanOrEqual(10_000)
    expect(limitOf(rankingPageMax + 1)).toBeGreaterThan(10_000)
  })

  it.each([
    [1, 1],
    [4, 1],
    [53, 1],
    [54, 2],
    [103, 2],
    [104, 3],
  ])('has position %i on page %i', (position, page) => {
    expect(pageOfPosition(position)).toBe(page)
  })
})
