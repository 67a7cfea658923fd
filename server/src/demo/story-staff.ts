// What staff do in the story: gifts by file, the event night, prices, and the claims of every day.

import type { DemoPackKey } from './catalogue.ts'
import { minuteMillis, type StoryCalendar, type StoryDice } from './story-calendar.ts'
import type { Ask, Name, StoryAct, StoryEvent } from './story-events.ts'

export interface Gifts {
  readonly events: readonly StoryEvent[]
  readonly redCoin: readonly (readonly [Name, number])[]
  readonly packs: readonly Ask[]
}

const wrongPrize = 1_500
const rightPrize = 150
const packsOfTheNight = 5

type Row = readonly [username: string, amount: number | string]

function file(at: number, fileName: string, packType: DemoPackKey | undefined, rows: Row[]) {
  return { at, act: { kind: 'give_by_file', fileName, packType, rows } } as const
}

/** Files of a day: for regulars on Mondays, for fan art on Thursdays, and what follows a night. */
export function filesOfDay(
  calendar: StoryCalendar,
  day: number,
  viewers: readonly Name[],
  dice: StoryDice,
): Gifts {
  const events: StoryEvent[] = []
  const redCoin: (readonly [Name, number])[] = []
  const packs: Ask[] = []
  const weekday = calendar.weekday(day)
  const date = calendar.nameOf(day)
  const isShort = calendar.days < 7
  if (weekday === 1 || (isShort && day === 1)) {
    const gifts = dice.some(viewers, 17).map((viewer) => [viewer, dice.whole(10, 24) * 20] as const)
    redCoin.push(...gifts)
    const typo: Row[] = day % 2 === 0 ? [] : [['pixelotterr', 120]]
    events.push(
      file(calendar.at(day, 9, 30), `regulars-${date}.csv`, undefined, [...gifts, ...typo]),
    )
  }
  if (weekday === 4 || (isShort && day === 1)) {
    const packType = day % 2 === 0 ? 'crown' : 'nebula'
    const winners = dice.some(viewers, 5)
    packs.push(...winners.map((viewer) => ({ viewer, packType, quantity: 2 }) as const))
    const rows = winners.map((viewer): Row => [viewer, 2])
    events.push(file(calendar.at(day, 12, 10), `fan-art-${date}.csv`, packType, rows))
  }
  if (day === calendar.eventNight + 1) {
    const winners = dice.some(viewers, 5)
    redCoin.push(...winners.map((viewer) => [viewer, rightPrize] as const))
    events.push(...correctedFile(calendar, day, winners))
  }
  return { events, redCoin, packs }
}

/** One nought too many, taken back at once and given anew. */
function correctedFile(calendar: StoryCalendar, day: number, winners: readonly Name[]) {
  const fileName = 'event-night-winners.csv'
  const rowsOf = (amount: number) => winners.map((viewer): Row => [viewer, amount])
  const reversal = { kind: 'reverse_file', fileName } as const
  return [
    file(calendar.at(day, 6, 2), fileName, undefined, rowsOf(wrongPrize)),
    { at: calendar.at(day, 6, 9), act: reversal },
    file(calendar.at(day, 6, 13), 'event-night-winners-2.csv', undefined, rowsOf(rightPrize)),
  ]
}

/** Packs for everybody, and some more by file; `asks` are to be opened on the same evening. */
export function eventNight(
  calendar: StoryCalendar,
  day: number,
  there: readonly Name[],
): { readonly events: readonly StoryEvent[]; readonly asks: readonly Ask[] } {
  const all: Ask[] = there.map((viewer) => {
    return { viewer, packType: 'starter', quantity: packsOfTheNight }
  })
  const guests: Ask[] = there.map((viewer) => ({ viewer, packType: 'crown', quantity: 3 }))
  const gift: StoryAct = {
    kind: 'give_to_all',
    packType: 'starter',
    quantity: packsOfTheNight,
    reason: 'Event night: packs for everybody',
  }
  const rows = guests.map(({ viewer, quantity }): Row => [viewer, quantity])
  return {
    events: [
      { at: calendar.at(day, 19, 30), act: gift },
      file(calendar.at(day, 19, 41), 'event-night-guests.csv', 'crown', rows),
    ],
    asks: [...all, ...guests],
  }
}

/** Addresses come in the afternoon, and staff work on claims an hour later. */
export function staffDay(calendar: StoryCalendar, day: number): StoryEvent[] {
  if (day === 0) return []
  const round = {
    kind: 'work_on_claims',
    deletes: day === calendar.dayAt(0.5) || day === calendar.dayAt(0.8),
    isLast: false,
  } as const
  const events: StoryEvent[] = [
    { at: calendar.at(day, 15, 10), act: { kind: 'say_addresses' } },
    { at: calendar.at(day, 16, 10), act: round },
  ]
  if (day === calendar.dayAt(0.7)) {
    const at = calendar.at(day, 16, 10) + 20 * minuteMillis
    events.push({ at, act: { kind: 'add_stock', prize: 'Arena Mug', units: 12 } })
  }
  return events
}
