// The broadcasts of the story and who watches them.

import { type DemoStream, demoStreams } from './catalogue.ts'
import { hourMillis, minuteMillis, type StoryCalendar, type StoryDice } from './story-calendar.ts'
import type { Broadcast, Name, StoryAct, StoryEvent } from './story-events.ts'

/** The longest time between two heartbeats that counts in full. */
const beatMillis = 90_000
/** Within the time after which nobody knows whether a stream is live. */
const lookEveryMillis = 4 * minuteMillis

/** Weekdays, hour and minute of each channel, in the order of the catalogue. */
const schedule: readonly { readonly weekdays: readonly number[]; readonly hour: number }[] = [
  { weekdays: [0, 2, 5], hour: 18 },
  { weekdays: [3, 6], hour: 21 },
]

export interface Watched {
  readonly events: readonly StoryEvent[]
  readonly stream: DemoStream
  /** Those who have watched to the end. */
  readonly completed: readonly Name[]
}

function broadcastOf(stream: DemoStream, startedAt: number): Broadcast {
  const channelId = stream.twitchChannelId
  return { channelId, broadcastId: `${channelId}-${startedAt / 1000}`, startedAt }
}

/** The broadcasts of a day that is over; short stories have the first channel every day. */
export function broadcastsOf(
  calendar: StoryCalendar,
  day: number,
  viewers: readonly Name[],
  dice: StoryDice,
): Watched[] {
  if (day === 0 || day === calendar.lastDay) return []
  return demoStreams.flatMap((stream, index) => {
    const { weekdays, hour } = schedule[index] ?? { weekdays: [], hour: 0 }
    const isOn = calendar.days < 7 ? index === 0 : weekdays.includes(calendar.weekday(day))
    if (!isOn) return []
    const isEvent = day === calendar.eventNight
    const count = isEvent ? dice.whole(8, 10) : dice.whole(3, 4)
    return [broadcast(stream, calendar.at(day, hour), dice.some(viewers, count + 1), dice)]
  })
}

/** An hour on the air; one of the audience goes early. */
function broadcast(
  stream: DemoStream,
  startedAt: number,
  audience: readonly Name[],
  dice: StoryDice,
): Watched {
  const on = broadcastOf(stream, startedAt)
  const endsAt = startedAt + hourMillis
  const events: StoryEvent[] = [...looks(on, startedAt, endsAt), ...ends(endsAt)]
  const [early, ...completed] = audience
  if (early !== undefined) events.push(...watching(on, early, dice, dice.whole(3, 9)))
  const beatsToComplete = (stream.watchTimeRequiredSeconds * 1000) / beatMillis
  for (const viewer of completed) events.push(...watching(on, viewer, dice, beatsToComplete))
  return { events, stream, completed }
}

/** The broadcast that is on the air when the story ends, with people before their screens. */
export function broadcastNow(until: number, viewers: readonly Name[], dice: StoryDice) {
  return demoStreams
    .filter(({ isLive }) => isLive)
    .flatMap((stream) => {
      const startedAt = Math.floor((until - 40 * minuteMillis) / 1000) * 1000
      const on = broadcastOf(stream, startedAt)
      const watchers = dice.some(viewers, 4)
      const seen = watchers.flatMap((viewer) => watching(on, viewer, dice, dice.whole(6, 14)))
      return [...looks(on, startedAt, until), ...seen]
    })
}

function looks(on: Broadcast, from: number, to: number): StoryEvent[] {
  const events: StoryEvent[] = []
  for (let at = from; at < to; at += lookEveryMillis) {
    events.push({ at, act: { kind: 'look_at_twitch', live: [on] } })
  }
  return events
}

/** Twitch must have missed it for a minute before it counts as over. */
function ends(endsAt: number): StoryEvent[] {
  const act: StoryAct = { kind: 'look_at_twitch', live: [] }
  return [
    { at: endsAt, act },
    { at: endsAt + 1.5 * minuteMillis, act },
  ]
}

function watching(on: Broadcast, viewer: Name, dice: StoryDice, beats: number): StoryEvent[] {
  const from = on.startedAt + dice.whole(20, 900) * 1000
  return Array.from({ length: beats + 1 }, (_, beat) => ({
    at: from + beat * beatMillis,
    act: {
      kind: beat === 0 ? ('start_watching' as const) : ('watch_on' as const),
      viewer,
      broadcast: on,
    },
  }))
}
