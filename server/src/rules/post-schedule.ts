// When the Discord bot posts, and how long a reward message stays open.

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

const zone = 'America/New_York'

const wallFormat = new Intl.DateTimeFormat('en-US', {
  timeZone: zone,
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
})

/** What a clock on a wall there shows; `month` counts from 1. */
export interface WallTime {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
}

/** What a clock on a wall in New York shows at this instant. */
export function easternWall(instant: Date): WallTime {
  const { year, month, day, hour, minute } = partsOf(instant.getTime())
  return { year, month, day, hour, minute }
}

/**
 * The instant at which a wall clock in New York shows this time. A time that is skipped in spring
 * moves one hour forward, a time that comes twice in autumn means the first.
 */
export function easternInstant(wall: WallTime): Date {
  const shown = Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute)
  const [before, after] = [offsetAt(shown - dayMillis), offsetAt(shown + dayMillis)]
  const candidates = [shown - before, shown - after].toSorted((a, b) => a - b)
  const real = candidates.find((millis) => millis + offsetAt(millis) === shown)
  return new Date(real ?? shown - before)
}

/** How far the wall clock is ahead of UTC, in milliseconds. */
function offsetAt(millis: number): number {
  const { year, month, day, hour, minute, second } = partsOf(millis)
  const rest = ((millis % 1000) + 1000) % 1000
  return Date.UTC(year, month - 1, day, hour, minute, second) + rest - millis
}

function partsOf(millis: number) {
  const parts = wallFormat.formatToParts(millis).map(({ type, value }) => [type, Number(value)])
  return Object.fromEntries(parts) as Record<keyof WallTime | 'second', number>
}

const written = new RegExp(
  [
    String.raw`^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?`,
    String.raw`(Z|[+-]\d\d:?\d\d)?$`,
  ].join(''),
  'i',
)
const firstYear = 1970

/**
 * The instant that a text means: with a zone as it stands, without one as New York's wall time.
 * Undefined for what is no time, for example the 31st of February.
 */
export function scheduledInstant(text: string): Date | undefined {
  const parts = written.exec(text)
  if (parts === null) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = parts.slice(1, 6).map(Number)
  const date = new Date(Date.UTC(year, month - 1, day))
  const isDate = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  if (!isDate || year < firstYear || hour > 23 || minute > 59) return undefined
  const second = Number(parts[6] ?? 0)
  if (second > 59) return undefined
  const restMillis = second * 1000 + Math.floor(Number(`0.${parts[7] ?? 0}`) * 1000)
  const zone = parts[8]
  if (zone === undefined) {
    const start = easternInstant({ year, month, day, hour, minute })
    return new Date(start.getTime() + restMillis)
  }
  const start = Date.UTC(year, month - 1, day, hour, minute)
  return new Date(start - zoneMinutes(zone) * 60_000 + restMillis)
}

function zoneMinutes(zone: string): number {
  if (zone.toUpperCase() === 'Z') return 0
  const digits = zone.slice(1).replace(':', '')
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))
  return zone.startsWith('-') ? -minutes : minutes
}

export interface AutoSchedule {
  readonly isEnabled: boolean
  readonly startsAt: Date | null
  readonly endsAt: Date | null
  /** The edge that was applied last. */
  readonly edgeAt: Date | null
}

export interface ScheduleEdge {
  readonly edgeAt: Date
  readonly isActive: boolean
}

/** The edge whose time has come and that was not applied yet; each edge acts once. */
export function dueEdge(schedule: AutoSchedule, now: Date): ScheduleEdge | undefined {
  const { isEnabled, startsAt, endsAt, edgeAt } = schedule
  if (!isEnabled || startsAt === null || endsAt === null) return undefined
  const edge = endsAt <= now ? endsAt : startsAt <= now ? startsAt : undefined
  if (edge === undefined || edge.getTime() === edgeAt?.getTime()) return undefined
  return { edgeAt: edge, isActive: edge === startsAt }
}

/** What counts as applied when a schedule is saved: a window that is over changes nothing. */
export function edgeAfterSaving(endsAt: Date | null, now: Date): Date | null {
  return endsAt !== null && endsAt <= now ? endsAt : null
}
