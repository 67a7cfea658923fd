// Times as they are shown and entered for schedules: US Eastern time, labelled EST or EDT.

import { fromDate, parseDateTime, toCalendarDateTime, toZoned } from '@internationalized/date'

const zone = 'America/New_York'
const hourMillis = 3_600_000
const inputPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/

const shown = new Intl.DateTimeFormat('en-US', {
  timeZone: zone,
  weekday: 'short',
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
})

/** 'Fri, Jan 15, 2027, 2:00 PM EST' for a moment. */
export function formatEastern(moment: string): string {
  const date = new Date(moment)
  return `${shown.format(date)} ${easternLabel(date)}`
}

/** 'EST' in winter, 'EDT' in summer. */
export function easternLabel(moment: Date): 'EST' | 'EDT' {
  return fromDate(moment, zone).offset === -5 * hourMillis ? 'EST' : 'EDT'
}

/** What the date-time input shows of a moment: '2027-01-15T14:00', empty for none. */
export function easternInputOf(moment: string | null): string {
  if (moment === null) return ''
  return toCalendarDateTime(fromDate(new Date(moment), zone))
    .toString()
    .slice(0, 16)
}

export interface EnteredTime {
  readonly moment: Date
  /** How the input and the moment differ on the two days when clocks are changed. */
  readonly note: 'skipped' | 'twice' | undefined
}

/**
 * The moment that was entered; undefined for what is no time yet. A time that is skipped in spring
 * moves one hour forward, one that comes twice in autumn means the first, as on the server.
 */
export function enteredTime(input: string): EnteredTime | undefined {
  if (!inputPattern.test(input)) return undefined
  try {
    const wall = parseDateTime(input)
    const first = toZoned(wall, zone, 'compatible')
    const isSkipped = toCalendarDateTime(first).compare(wall) !== 0
    const isTwice = !isSkipped && toZoned(wall, zone, 'later').compare(first) !== 0
    return { moment: first.toDate(), note: isSkipped ? 'skipped' : isTwice ? 'twice' : undefined }
  } catch {
    // A day that no calendar has, like the 31st of June.
    return undefined
  }
}
