// The zone in which schedules are kept: US Eastern time, with its two clock changes a year.

const zone = 'America/New_York'
const dayMillis = 86_400_000

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
  const parts = new Map(
    wallFormat.formatToParts(millis).map(({ type, value }) => [type, Number(value)]),
  )
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
  return {
    year: part('year'),
    month: part('month'),
    day: part('day'),
    hour: part('hour'),
    minute: part('minute'),
    second: part('second'),
  }
}
