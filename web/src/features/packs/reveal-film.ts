// How a card turns over and what greets it; transform and opacity only.

import type { OutcomeKind } from './outcome.ts'

import type { PartMotion } from './stage-timeline.ts'

/** Length of the whole greeting in milliseconds; the card itself turns in the first part of it. */
export const revealFilmMs = 1200

export interface Reveal {
  readonly kind: OutcomeKind
  /** Time the card takes to turn, in milliseconds. */
  readonly turnMs: number
  /** True for every card but the first, which lies there already: it is dealt from the side. */
  readonly isDealt: boolean
}

const easeOut = 'cubic-bezier(0.2, 0.8, 0.2, 1)'
const easeIn = 'cubic-bezier(0.5, 0, 0.9, 0.5)'
const springOut = 'cubic-bezier(0.2, 1.4, 0.4, 1)'

function at(ms: number): number {
  return Math.min(1, ms / revealFilmMs)
}

function edge(degrees: number): string {
  return `perspective(60rem) rotateY(${degrees}deg)`
}

function turning({ turnMs, isDealt }: Reveal): PartMotion[] {
  const middle = at(turnMs / 2)
  const beside = isDealt ? 'translateX(34%) scale(0.96)' : 'translateX(0%) scale(1)'
  return [
    {
      part: 'deal',
      keyframes: [
        { offset: 0, transform: beside, opacity: isDealt ? 0 : 1, easing: easeOut },
        { offset: at(turnMs * 0.45), transform: 'translateX(0%) scale(1)', opacity: 1 },
        { offset: 1, transform: 'translateX(0%) scale(1)', opacity: 1 },
      ],
    },
    {
      part: 'back',
      keyframes: [
        { offset: 0, transform: edge(0), opacity: 1, easing: easeIn },
        { offset: middle, transform: edge(-90), opacity: 1 },
        { offset: middle, transform: edge(-90), opacity: 0 },
        { offset: 1, transform: edge(-90), opacity: 0 },
      ],
    },
    {
      part: 'front',
      keyframes: [
        { offset: 0, transform: edge(90), opacity: 0 },
        { offset: middle, transform: edge(90), opacity: 0 },
        { offset: middle, transform: edge(90), opacity: 1, easing: springOut },
        { offset: at(turnMs), transform: edge(0), opacity: 1 },
        { offset: 1, transform: edge(0), opacity: 1 },
      ],
    },
  ]
}

function greeting({ kind, turnMs }: Reveal): PartMotion[] {
  const lateMs = kind === 'prize' ? 160 : 0
  const from = at(turnMs * 0.7 + lateMs)
  const to = at(turnMs * 0.7 + lateMs + 260)
  const lightTo = kind === 'redcoin' ? 0.45 : 1
  return [
    {
      part: 'details',
      keyframes: [
        { offset: 0, transform: 'translateY(14px)', opacity: 0 },
        { offset: from, transform: 'translateY(14px)', opacity: 0, easing: easeOut },
        { offset: to, transform: 'translateY(0px)', opacity: 1 },
        { offset: 1, transform: 'translateY(0px)', opacity: 1 },
      ],
    },
    {
      part: 'light',
      keyframes: [
        { offset: 0, transform: 'scale(0.7)', opacity: 0 },
        { offset: at(turnMs / 2), transform: 'scale(0.7)', opacity: 0, easing: springOut },
        { offset: at(turnMs + 260), transform: 'scale(1)', opacity: lightTo },
        { offset: 1, transform: 'scale(1)', opacity: lightTo },
      ],
    },
    {
      part: 'sheen',
      keyframes: [
        { offset: 0, transform: 'translateX(-160%) skewX(-18deg)', opacity: 1 },
        { offset: at(turnMs + 40), transform: 'translateX(-160%) skewX(-18deg)', opacity: 1 },
        { offset: at(turnMs + 640), transform: 'translateX(260%) skewX(-18deg)', opacity: 1 },
        { offset: 1, transform: 'translateX(260%) skewX(-18deg)', opacity: 0 },
      ],
    },
  ]
}

/** The film of one card. */
export function revealFilm(reveal: Reveal): readonly PartMotion[] {
  return [...turning(reveal), ...greeting(reveal)]
}

/** With reduced motion the new card only fades in, over `crossFadeMs`. */
export const crossFadeFilm: readonly PartMotion[] = ['deal', 'details'].map((part) => ({
  part,
  keyframes: [{ opacity: 0 }, { opacity: 1 }],
}))
