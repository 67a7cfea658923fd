// The score of the opening step: every beat by name, in milliseconds from its first frame.

/** Length of the opening step, from the specification's table of constants. */
export const openingStepMs = 2000

/**
 * Named points of the opening step. Nothing before `tear` may depend on the outcome; what happens
 * between two beats belongs to the earlier one.
 */
export const stageBeats = {
  arrive: 0,
  settle: 180,
  shake: 700,
  tear: 1400,
  bloom: 1750,
  reveal: openingStepMs,
} as const

export type StageBeat = keyof typeof stageBeats

/** Moments inside the shake at which the pack is at its widest; sound and haptics strike there. */
export const shakeStrikesMs = [790, 1020, 1250] as const

/** A card turns in this time; from the fourth card of a batch on, cards without a prize hurry. */
export const flipMs = 320
export const hurriedFlipMs = 180
export const countUpMs = 400
/** With reduced motion every change of picture is a cross-fade of this length. */
export const crossFadeMs = 120

/**
 * Time the card of result `index` (zero-based) takes to turn, in milliseconds: full length for the
 * first three and for every prize.
 */
export function flipDurationMs(index: number, isPrize: boolean): number {
  return index < 3 || isPrize ? flipMs : hurriedFlipMs
}
