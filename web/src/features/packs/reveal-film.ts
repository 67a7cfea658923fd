// How a card turns over and what greets it; transform and opacity only.

import { type OutcomeKind, type Rarity, rarityHoldMs } from './rarity.ts'

import type { PartMotion } from './stage-timeline.ts'

/** Length of the greeting of a card that turns at once, in milliseconds. */
export const revealFilmMs = 1200

export interface Reveal {
  readonly kind: OutcomeKind
  /** Time the card takes to turn, in milliseconds. */
  readonly turnMs: number
  /** True for every card but the first, which lies there already: it is dealt from the side. */
  readonly isDealt: boolean
  readonly rarity: Rarity
}

/** Length of the film in milliseconds: a rare card lies in its light before it turns. */
export function revealLengthMs({ rarity }: Pick<Reveal, 'rarity'>): number {
  return revealFilmMs + rarityHoldMs[rarity]
}

const easeOut = 'cubic-bezier(0.2, 0.8, 0.2, 1)'
const easeIn = 'cubic-bezier(0.5, 0, 0.9, 0.5)'
const springOut = 'cubic-bezier(0.2, 1.4, 0.4, 1)'
const flat = 'translate(0px, 0px) scale(1)'

type Clock = (ms: number) => number

/** Offsets of moments after the hold; `at(-holdMs)` is the beginning. */
function clockOf(reveal: Reveal): Clock {
  const length = revealLengthMs(reveal)
  const holdMs = rarityHoldMs[reveal.rarity]
  return (ms) => Math.min(1, (holdMs + ms) / length)
}

function edge(degrees: number): string {
  return `perspective(60rem) rotateY(${degrees}deg)`
}

function turning({ turnMs, isDealt, rarity }: Reveal, at: Clock): PartMotion[] {
  const middle = at(turnMs / 2)
  const beside = isDealt ? 'translate(34%, 0px) scale(0.96)' : flat
  const lifted = `translate(0px, 0px) scale(${1 + rarity * 0.015})`
  return [
    {
      part: 'deal',
      keyframes: [
        { offset: 0, transform: beside, opacity: isDealt ? 0 : 1, easing: easeOut },
        { offset: at(turnMs * 0.45), transform: lifted, opacity: 1 },
        { offset: at(turnMs), transform: flat, opacity: 1 },
        { offset: 1, transform: flat, opacity: 1 },
      ],
    },
    {
      part: 'back',
      keyframes: [
        { offset: 0, transform: edge(0), opacity: 1 },
        { offset: at(0), transform: edge(0), opacity: 1, easing: easeIn },
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

function greeting({ kind, turnMs, rarity }: Reveal, at: Clock): PartMotion[] {
  const lateMs = kind === 'prize' ? 160 : 0
  const from = at(turnMs * 0.7 + lateMs)
  const to = at(turnMs * 0.7 + lateMs + 260)
  const lightTo = kind === 'redcoin' ? 0.45 : 1
  // While a rare card lies in it, the light grows: the rarer, the brighter before anything is read.
  const welled = { transform: `scale(${0.7 + rarity * 0.1})`, opacity: rarity * 0.25 }
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
        { offset: 0, transform: 'scale(0.6)', opacity: 0 },
        { offset: at(turnMs / 2), ...welled, easing: springOut },
        { offset: at(turnMs + 260), transform: 'scale(1)', opacity: lightTo },
        { offset: 1, transform: 'scale(1)', opacity: lightTo },
      ],
    },
    {
      part: 'glory',
      keyframes: [
        { offset: 0, transform: 'rotate(-14deg) scale(0.7)', opacity: 0 },
        { offset: at(turnMs / 2), transform: 'rotate(-4deg) scale(0.8)', opacity: 0.3 },
        { offset: at(turnMs + 260), transform: 'rotate(2deg) scale(1)', opacity: 0.8 },
        { offset: 1, transform: 'rotate(6deg) scale(1)', opacity: 0.6 },
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
  const at = clockOf(reveal)
  return [...turning(reveal, at), ...greeting(reveal, at)]
}

/** With reduced motion the new card only fades in, over `crossFadeMs`. */
export const crossFadeFilm: readonly PartMotion[] = ['deal', 'details'].map((part) => ({
  part,
  keyframes: [{ opacity: 0 }, { opacity: 1 }],
}))
