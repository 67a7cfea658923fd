// Clock time to the second, for figures that age.

const timeFormat = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' })

/** Clock time of a moment in milliseconds. */
export function formatTime(ms: number): string {
  return timeFormat.format(ms)
}
