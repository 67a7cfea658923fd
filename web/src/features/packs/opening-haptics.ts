// The vibrations of an opening; only Android browsers can be trusted with them.

import type { OutcomeKind } from './outcome.ts'
import { type Rarity, rarityHoldMs } from './rarity.ts'
import { shakeStrikesMs, stageBeats } from './stage-beats.ts'

/** Vibration patterns in milliseconds, per kind of card. */
const revealPatterns: Readonly<Record<OutcomeKind, number[]>> = {
  redcoin: [20],
  'redcoin-prize': [20],
  prize: [40, 60, 40],
}

const shakeMs = 10
const tearMs = 18

export interface OpeningHaptics {
  playOpening(fromMs?: number): void
  /** A rare card is felt when it turns, after the time for which it lies in its light. */
  playReveal(kind: OutcomeKind, rarity?: Rarity): void
  stop(): void
}

/** True where the device can vibrate and its browser means it. */
export function canVibrate(): boolean {
  return typeof navigator.vibrate === 'function' && /android/i.test(navigator.userAgent)
}

/** Vibrations for one opening, or null where the device has none. */
export function createOpeningHaptics(): OpeningHaptics | null {
  if (!canVibrate()) return null
  return {
    playOpening: (fromMs = 0) => navigator.vibrate(fromMs > 0 ? [tearMs] : openingPattern()),
    playReveal: (kind, rarity = 0) => {
      const holdMs = rarityHoldMs[rarity]
      navigator.vibrate([...(holdMs > 0 ? [0, holdMs] : []), ...revealPatterns[kind]])
    },
    stop: () => navigator.vibrate(0),
  }
}

/** One pattern for the whole step: pulses at the three shakes and the tear, pauses in between. */
export function openingPattern(): number[] {
  const pulses = [
    ...shakeStrikesMs.map((from) => ({ from, length: shakeMs })),
    { from: stageBeats.tear, length: tearMs },
  ]
  // A vibration pattern starts with a pulse; an empty one stands for the silence before the first.
  const pattern = [0]
  let now = 0
  for (const { from, length } of pulses) {
    pattern.push(from - now, length)
    now = from + length
  }
  return pattern
}
