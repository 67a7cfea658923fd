import { describe, expect, it } from 'vitest'
import { revealFilm } from './result-view.tsx'
import {
  flipDurationMs,
  flipMs,
  hurriedFlipMs,
  nearbyOrigin,
  openingFilm,
  openingStepMs,
  type PartMotion,
  stageBeats,
} from './stage-timeline.ts'

const films: Record<string, readonly PartMotion[]> = {
  opening: openingFilm(nearbyOrigin),
  prize: revealFilm({ kind: 'prize', turnMs: flipMs, isDealt: false, rarity: 3 }),
  redcoin: revealFilm({ kind: 'redcoin', turnMs: hurriedFlipMs, isDealt: true, rarity: 0 }),
}

it.each(Object.entries(films))(
  'the %s film moves by transform and opacity alone, in order and inside itself, both defined at its ends',
  (_, film) => {
    for (const { part, keyframes } of film) {
      const animated = keyframes.flatMap((keyframe) => Object.keys(keyframe))
      const allowed = ['transform', 'opacity', 'offset', 'easing']
      expect(animated.filter((key) => !allowed.includes(key))).toEqual([])
      const offsets = keyframes.map((keyframe) => keyframe.offset ?? 0)
      expect(offsets, part).toEqual([...offsets].sort((left, right) => left - right))
      expect([Math.min(...offsets), Math.max(...offsets)], part).toEqual([0, 1])
      for (const keyframe of [keyframes[0], keyframes.at(-1)]) {
        expect(keyframe?.transform, part).toBeDefined()
        expect(keyframe?.opacity, part).toBeDefined()
      }
    }
  },
)

/** Parts that know the outcome (by colour and pattern) and so stay dark until the tear. */
const outcomeParts = ['slit', 'bloom']

describe('the opening film', () => {
  const film = openingFilm(nearbyOrigin)

  it('shows nothing that knows the outcome before the tear', () => {
    for (const part of outcomeParts) {
      const keyframes = film.find((each) => each.part === part)?.keyframes ?? []
      const lit = keyframes.findIndex((keyframe) => Number(keyframe.opacity) > 0)
      expect(lit, part).toBeGreaterThan(0)
      const lastDark = keyframes[lit - 1]
      expect((lastDark?.offset ?? 0) * openingStepMs).toBeGreaterThanOrEqual(stageBeats.tear)
    }
  })

  it('has a single flash', () => {
    const bloom = film.find((each) => each.part === 'bloom')!
    const peaks = bloom.keyframes.filter((keyframe) => Number(keyframe.opacity) > 0)
    expect(peaks.map((keyframe) => keyframe.opacity)).toEqual([0.75])
  })

  it('lets nothing shine through the card: it is there from one moment to the next', () => {
    const keyframes = film.find(({ part }) => part === 'card')?.keyframes ?? []
    expect(new Set(keyframes.map(({ opacity }) => opacity))).toEqual(new Set([0, 1]))
    const fades = keyframes.filter(({ offset, opacity }, index) => {
      const before = keyframes[index - 1] ?? keyframes[0]
      return opacity !== before?.opacity && offset !== before?.offset
    })
    expect(fades).toEqual([])
  })

  it('lifts at most eight layers', () => {
    expect(film.length).toBeLessThanOrEqual(8)
  })

  it('starts the pack where its card was', () => {
    const [top] = openingFilm({ x: -120, y: 300, scale: 0.5 }).filter(
      (each) => each.part === 'pack-top',
    )
    expect(top?.keyframes[0]?.transform).toContain('translate(-120px, 300px) scale(0.5)')
  })
})

describe('the time a card takes to turn', () => {
  it('shortens from the fourth card on, unless the card is a prize', () => {
    expect([0, 1, 2, 3, 49].map((index) => flipDurationMs(index, false))).toEqual([
      320, 320, 320, 180, 180,
    ])
    expect(flipDurationMs(20, true)).toBe(320)
  })
})
