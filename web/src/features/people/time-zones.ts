// The time zones to choose from: the browser's own list, grouped by region, with UTC and GMT.

import type { ChoiceGroup } from '../../ui/form/select-field.tsx'

/** Stands in where the browser has no list of its own. */
const builtInZones = [
  'Africa/Cairo',
  'Africa/Johannesburg',
  'Africa/Lagos',
  'Africa/Nairobi',
  'America/Argentina/Buenos_Aires',
  'America/Bogota',
  'America/Chicago',
  'America/Denver',
  'America/Halifax',
  'America/Los_Angeles',
  'America/Mexico_City',
  'America/New_York',
  'America/Phoenix',
  'America/Sao_Paulo',
  'America/Toronto',
  'America/Vancouver',
  'Asia/Bangkok',
  'Asia/Dubai',
  'Asia/Hong_Kong',
  'Asia/Jakarta',
  'Asia/Jerusalem',
  'Asia/Karachi',
  'Asia/Kolkata',
  'Asia/Manila',
  'Asia/Seoul',
  'Asia/Shanghai',
  'Asia/Singapore',
  'Asia/Tokyo',
  'Australia/Brisbane',
  'Australia/Perth',
  'Australia/Sydney',
  'Europe/Amsterdam',
  'Europe/Athens',
  'Europe/Berlin',
  'Europe/Dublin',
  'Europe/Istanbul',
  'Europe/Lisbon',
  'Europe/London',
  'Europe/Madrid',
  'Europe/Moscow',
  'Europe/Paris',
  'Europe/Rome',
  'Europe/Stockholm',
  'Europe/Warsaw',
  'Pacific/Auckland',
  'Pacific/Honolulu',
] as const

const universalZones = ['UTC', 'GMT'] as const

/** Zones without a region are listed first, under this heading. */
const universalGroup = 'Universal'

function browserZones(): readonly string[] {
  const zones = Intl.supportedValuesOf?.('timeZone') ?? []
  return zones.length > 0 ? zones : builtInZones
}

function groupOf(zone: string): string {
  const [region = '', ...rest] = zone.split('/')
  return rest.length === 0 ? universalGroup : region
}

/** IANA zones by region, UTC and GMT first. `chosen` is offered even when it is on no list. */
export function timeZoneChoices(chosen = ''): ChoiceGroup[] {
  const zones = new Set<string>([...universalZones, ...browserZones()])
  if (chosen !== '') zones.add(chosen)
  const groups = new Map<string, string[]>()
  for (const zone of zones) {
    const group = groupOf(zone)
    groups.set(group, [...(groups.get(group) ?? []), zone])
  }
  return [...groups].map(([label, members]) => ({
    label,
    choices: members.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') })),
  }))
}

/** The zone this browser is set to, if it says so. */
export function browserTimeZone(): string | undefined {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone || undefined
}

/**
 * Clock time and offset in a zone, for example '10:42 AM, GMT+1'; undefined for an unknown zone.
 */
export function timeIn(zone: string, now: Date): string | undefined {
  try {
    const parts = new Intl.DateTimeFormat(undefined, {
      timeZone: zone,
      hour: 'numeric',
      minute: '2-digit',
      timeZoneName: 'shortOffset',
    }).formatToParts(now)
    const offset = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
    const time = parts
      .filter(({ type }) => type !== 'timeZoneName')
      .map(({ value }) => value)
      .join('')
    return `${time.trim()}, ${offset}`
  } catch {
    return undefined
  }
}
