// Hours of the post schedule: shown as 6, 12, 18 and 24, saved as 2, 8, 14 and 20.

import { formatList } from '../../lib/format.ts'

/** Hours as they are shown, and what each is saved as; any other hour is both. */
const savedHours: ReadonlyMap<number, number> = new Map([
  [6, 2],
  [12, 8],
  [18, 14],
  [24, 20],
])
const shownHours: ReadonlyMap<number, number> = new Map(
  [...savedHours].map(([shown, saved]) => [saved, shown]),
)

/** The schedule that the form is reset to, as it is shown. */
export const scheduleDefault: readonly number[] = [...savedHours.keys()]

const inOrder = (hours: readonly number[]) => [...new Set(hours)].toSorted((a, b) => a - b)

/** Stored hours as the form shows them. */
export function toShownHours(stored: readonly number[]): number[] {
  return inOrder(stored.map((hour) => shownHours.get(hour) ?? hour))
}

/** Hours of the form as they are saved. */
export function toSavedHours(shown: readonly number[]): number[] {
  return shown.map((hour) => savedHours.get(hour) ?? hour)
}

/**
 * Every hour that can be shown: what another one is saved as would come back as that one, and so is
 * left out.
 */
export const hourChoices: readonly number[] = inOrder([
  ...scheduleDefault,
  ...Array.from({ length: 24 }, (_, hour) => hour).filter((hour) => !shownHours.has(hour)),
])

/** '2 AM' for the hour in New York at which a shown hour posts. */
export function postingTime(shown: number): string {
  const hour = (savedHours.get(shown) ?? shown) % 24
  return `${hour % 12 === 0 ? 12 : hour % 12} ${hour < 12 ? 'AM' : 'PM'}`
}

/** '2 AM, 8 AM and 2 PM Eastern time', or that there is none. */
export function scheduleText(shown: readonly number[]): string {
  const times = toSavedHours(shown)
    .map((saved) => ({ saved: saved % 24, time: postingTime(shownHours.get(saved) ?? saved) }))
    .toSorted((one, other) => one.saved - other.saved)
    .map(({ time }) => time)
  return times.length === 0 ? 'Never' : `${formatList(times)} Eastern time`
}
