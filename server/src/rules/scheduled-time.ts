// Times of a schedule as staff write them, and what an auto-schedule window does at its edges.

import { easternInstant } from './eastern-time.ts'

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
  const [year, month, day, hour, minute] = parts.slice(1, 6).map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ]
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
