// Numbers, dates and amounts as the browser's own language writes them. Words stand in sentences of
// the page, so they are in its language, whatever the browser speaks.

// Each is made when it is first asked for: the first one of a page takes as long as a screen.
const numberFormat = once(() => new Intl.NumberFormat())
const decimalFormat = once(() => new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 }))
const dateFormat = once(() => new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' }))
/** Words for how long ago something was, or will be: '5 minutes ago', 'tomorrow'. */
export const relativeFormat = once(() => new Intl.RelativeTimeFormat('en', { numeric: 'auto' }))
const dateTimeFormat = once(
  () => new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }),
)
const dayFormat = once(
  () => new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' }),
)
const timeFormat = once(() => new Intl.DateTimeFormat(undefined, { timeStyle: 'short' }))
const clockFormat = once(() => new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' }))

/** Makes a thing the first time it is asked for, and answers it ever after. */
function once<Thing>(make: () => Thing): () => Thing {
  let made: Thing | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** 1234567 reads '1,234,567' in English. */
export function formatNumber(value: number): string {
  return numberFormat().format(value)
}

/** At most two decimals. */
export function formatDecimal(value: number): string {
  return decimalFormat().format(value)
}

/** A change with its sign, the minus as a sign of its own: '+5', '−1,200'. */
export function formatSigned(change: number): string {
  const size = numberFormat().format(Math.abs(change))
  return change < 0 ? `\u2212${size}` : `+${size}`
}

/** An amount with its unit: '1,234 RedCoin'. */
export function formatRedCoin(value: number): string {
  return `${formatNumber(value)} RedCoin`
}

export const ages = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const
const relativeMaxDays = 7

/**
 * When something was, as somebody would say it: 'just now', '5 minutes ago', 'yesterday', and from
 * a week on the day, 'Oct 13, 2026'. Empty for a text that is no ISO 8601 moment.
 */
export function formatMoment(moment: string): string {
  const at = Date.parse(moment)
  const now = Date.now()
  // Days of the calendar: what was late the day before yesterday was not yesterday.
  const days = Math.round((midnightOf(at) - midnightOf(now)) / ages[0][1])
  if (!(Math.abs(days) < relativeMaxDays)) return formatDate(moment)
  const age = ages.find(([, size]) => Math.abs(at - now) >= size)
  if (!age) return 'just now'
  const [unit, ms] = age
  return relativeFormat().format(unit === 'day' ? days : Math.trunc((at - now) / ms), unit)
}

const midnightOf = (ms: number) => new Date(ms).setHours(0, 0, 0, 0)

/**
 * The day of an ISO 8601 moment where the browser is: 'Oct 13, 2026'. Empty for what is no moment.
 */
export function formatDate(moment: string): string {
  const at = Date.parse(moment)
  return Number.isNaN(at) ? '' : dateFormat().format(at)
}

/** A day of the UTC calendar, as '2026-10-13': 'Oct 13, 2026'. */
export function formatDay(day: string): string {
  return dayFormat().format(new Date(day))
}

/** Hour and minute of a moment in milliseconds. */
export function formatTime(ms: number): string {
  return timeFormat().format(ms)
}

/** The same to the second. */
export function formatClock(ms: number): string {
  return clockFormat().format(ms)
}

/**
 * Day and minute of an ISO 8601 moment, where the minute matters; no line breaks between a time
 * and its AM or PM.
 */
export function formatDateTime(moment: string): string {
  const date = new Date(moment)
  if (Number.isNaN(date.getTime())) return ''
  const parts = dateTimeFormat().formatToParts(date)
  return parts
    .map(({ type, value }, index) => {
      const isBesidePeriod = [parts[index - 1], parts[index + 1]].some(
        (beside) => beside?.type === 'dayPeriod',
      )
      return type === 'literal' && isBesidePeriod ? value.replaceAll(/\s/g, '\u00A0') : value
    })
    .join('')
}

/**
 * Hours and minutes of a length of time: 5400 seconds read '1 h 30 min'. Below a minute, seconds.
 */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  if (whole < 60) return `${whole} s`
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor((whole % 3600) / 60)
  if (hours === 0) return `${minutes} min`
  return minutes === 0 ? `${hours} h` : `${hours} h ${minutes} min`
}

/** 'a', 'a and b', 'a, b, and c'. */
export function formatList(items: readonly string[]): string {
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(items)
}

/** One or other: `plural(1, 'pack', 'packs')` is '1 pack'. */
export function plural(count: number, one: string, other: string): string {
  return `${formatNumber(count)} ${count === 1 ? one : other}`
}
