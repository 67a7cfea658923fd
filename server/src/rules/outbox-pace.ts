// When news may go out: quiet hours, and how many of a kind in an hour.

const minuteMillis = 60_000
const hourMillis = 60 * minuteMillis
const dayMinutes = 24 * 60
/** More of one kind in an hour become one. */
const sameKindPerHour = 5

const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** Minutes since midnight in a zone; one that nobody knows counts as UTC. */
function localMinutes(now: Date, zone: string): number {
  const read = (timeZone: string) =>
    new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(now)
  try {
    return minutesOf(read(zone))
  } catch {
    return minutesOf(read('UTC'))
  }
}

/**
 * When quiet hours end that go on at `now`; undefined outside of them. Where clocks are changed
 * meanwhile it may be an hour off, and is asked again then.
 */
export function quietUntil(
  now: Date,
  hours: { readonly from: string; readonly until: string } | undefined,
  zone: string,
): Date | undefined {
  if (hours === undefined) return undefined
  const [from, until] = [minutesOf(hours.from), minutesOf(hours.until)]
  const at = localMinutes(now, zone)
  const since = (minutes: number) => (at - minutes + dayMinutes) % dayMinutes
  const length = (until - from + dayMinutes) % dayMinutes
  if (since(from) >= length) return undefined
  const minuteStart = Math.floor(now.getTime() / minuteMillis) * minuteMillis
  return new Date(minuteStart + (length - since(from)) * minuteMillis)
}

/** What becomes of a message of which others of its kind went out within the hour, or wait. */
type Pace =
  | { readonly do: 'send' }
  /** Together with those that wait. */
  | { readonly do: 'bundle' }
  | { readonly do: 'wait'; readonly until: Date }

/** `recent` are the moments at which those of the last hour went out, the oldest first. */
export function paceOf(recent: readonly Date[], waiting: number): Pace {
  const oldest = recent.at(-sameKindPerHour)
  if (oldest !== undefined) return { do: 'wait', until: new Date(oldest.getTime() + hourMillis) }
  return { do: recent.length + waiting > sameKindPerHour ? 'bundle' : 'send' }
}
