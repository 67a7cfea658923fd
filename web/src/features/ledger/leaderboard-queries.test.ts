// Which positions stand on which page of the ranking.

import { describe, expect, it } from 'vitest'
import { limitOf, rankingPageMax } from './leaderboard-queries.ts'
import { pageOfPosition } from './ranking-list.tsx'

describe('a page of the ranking', () => {
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
