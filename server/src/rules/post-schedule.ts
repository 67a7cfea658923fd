// When the Discord bot posts, and how long a reward message stays open.

import { easternInstant, easternWall } from './eastern-time.ts'

const dayMillis = 86_400_000
/** A message is open until the next slot, at the latest for this long. */
const openMillisMax = dayMillis
const testOpenMillis = 3_600_000
/** A slot that was missed is caught up while its message would stay open for at least this long. */
const lateOpenMillisMin = 5 * 60_000

/** What a reward message pays while nothing is saved. */
export const postedRewardDefault = 25
/** Stored hours while nothing is saved. */
export const scheduleDefault: readonly number[] = [6, 12, 18, 24]
/** What the four hours that staff see stand for. */
const scheduleOfDefault: readonly number[] = [2, 8, 14, 20]

/**
 * Hours of the day in New York, 0 to 23, from stored ones: 24 means 0, and the unmapped default
 * counts as its mapped form, so that saving it without a change alters nothing.
 */
export function postingHours(stored: readonly number[]): number[] {
  const isDefault =
    stored.length === scheduleDefault.length &&
    stored.every((hour, index) => hour === scheduleDefault[index])
  const hours = isDefault ? scheduleOfDefault : stored
  return [...new Set(hours.map((hour) => hour % 24))].toSorted((a, b) => a - b)
}

/**
 * Slots of the days around an instant, in order. Two hours that a clock change makes one instant
 * are one slot.
 */
function slotsAround(hours: readonly number[], instant: Date): Date[] {
  const slots = new Set<number>()
  const today = easternWall(instant)
  for (const days of [-1, 0, 1]) {
    // Days of the calendar, not of 24 hours: Date.UTC carries a day of 0 or 32 over.
    const date = { ...today, day: today.day + days, minute: 0 }
    for (const hour of hours) slots.add(easternInstant({ ...date, hour }).getTime())
  }
  return [...slots].toSorted((a, b) => a - b).map((millis) => new Date(millis))
}

/** The first slot after an instant; undefined for an empty schedule. */
export function nextSlot(stored: readonly number[], after: Date): Date | undefined {
  return slotsAround(postingHours(stored), after).find((slot) => slot > after)
}

/** When a message of the slot expires: at the next slot, at the latest after 24 h. */
export function expiryOfSlot(stored: readonly number[], slot: Date): Date {
  const latest = slot.getTime() + openMillisMax
  return new Date(Math.min(nextSlot(stored, slot)?.getTime() ?? latest, latest))
}

/** When a test message posted at `now` expires. */
export function expiryOfTest(now: Date): Date {
  return new Date(now.getTime() + testOpenMillis)
}

export interface DueSlot {
  readonly slot: Date
  readonly expiresAt: Date
}

/**
 * The slot that is to be posted at `now`: the latest one, unless hardly anything of it is left.
 * Earlier ones that were missed stay missed, since their messages would have expired by now.
 */
export function dueSlot(stored: readonly number[], now: Date): DueSlot | undefined {
  const slot = slotsAround(postingHours(stored), now).findLast((one) => one <= now)
  if (slot === undefined) return undefined
  const expiresAt = expiryOfSlot(stored, slot)
  const isWorthwhile = expiresAt.getTime() - now.getTime() >= lateOpenMillisMin
  return isWorthwhile ? { slot, expiresAt } : undefined
}
