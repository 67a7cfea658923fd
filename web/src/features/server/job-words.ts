// Words for jobs: their names as a sentence, and times as a distance from now.

/** 'discord-post-rewards' reads 'Discord post rewards'. */
export function jobText(name: string): string {
  const words = name.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const distance = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })
const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** '5 minutes ago' or 'in 20 seconds' for a moment, as seen from `now`. */
export function agoText(moment: string, now: string): string {
  const seconds = Math.round((Date.parse(moment) - Date.parse(now)) / 1000)
  if (Number.isNaN(seconds)) return ''
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1]
  return distance.format(Math.round(seconds / size), unit)
}
