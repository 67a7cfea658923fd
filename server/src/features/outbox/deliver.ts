// Carries news to people: whether and when somebody wants to hear it, its text, and what failures
// of each channel mean.

import {
  type NotificationChannel,
  notificationChannels,
} from '@redpack/contract/notification-kinds'
import type { Queryable } from '../../adapters/db/database.ts'
import type { Deps } from '../../adapters/deps.ts'
import { DeliveryFault, DiscordFault } from '../../shared/far-side-faults.ts'
import { refuseRecipient } from './address-tables.ts'
import { botProblem, stopBot } from './bot-stop-tables.ts'
import { devicesOf, forgetDevices } from './device-tables.ts'
import { discordTextOf, isUrgent, letterOf, pushOf } from './letters.ts'
import { mailOf } from './mail-texts.ts'
import {
  eventsOf,
  type News,
  type Recipient,
  readNews,
  recentTries,
  recipientOf,
  waitingOfKind,
} from './news-tables.ts'
import type { MessageKind } from './recipient-sql.ts'
import { bundle, type Carrier, type Decision, type DueMessage } from './sending-tables.ts'

interface NewsMessage extends DueMessage {
  readonly kind: MessageKind
  readonly channel: NotificationChannel
}

interface Delivery {
  readonly message: NewsMessage
  readonly userId: number
  readonly to: Recipient
  readonly news: readonly News[]
}

/** The channels over which the product can reach anybody. */
export function channelsOf({ mailer, pusher, discord }: Deps): NotificationChannel[] {
  const isSetUp: Record<NotificationChannel, boolean> = {
    email: mailer.isSetUp,
    push: pusher.publicKey !== undefined,
    discord: discord.hasToken,
  }
  return notificationChannels.filter((channel) => isSetUp[channel])
}

export function newsCarrier(deps: Deps, channel: NotificationChannel): Carrier {
  return {
    isOpen: async () =>
      channelsOf(deps).includes(channel) &&
      (channel !== 'discord' || (await botProblem(deps)) === undefined),
    decide: (tx, message, now) => decide(deps, tx, message as NewsMessage, now),
  }
}

async function decide(
  deps: Deps,
  tx: Queryable,
  message: NewsMessage,
  now: Date,
): Promise<Decision> {
  const userId = Number(message.lane)
  const to = await recipientOf(tx, userId, message.kind, message.channel)
  if (to === undefined || !isExpected(message, to)) return 'drop'
  const until =
    (isUrgent(message.kind) ? undefined : quietUntil(now, quietHours(to), to.timezone)) ??
    (message.kind === 'verify_address' ? undefined : await paced(tx, userId, message, now))
  if (until !== undefined) return until
  const news: News[] = []
  for (const { event } of await eventsOf(tx, message.id)) {
    const found = await readNews(tx, event, userId, message.kind)
    if (found !== undefined) news.push(found)
  }
  // What it tells of was taken back.
  if (news.length === 0) return 'drop'
  return () => send(deps, { message, userId, to, news })
}

function isExpected({ kind, event }: NewsMessage, to: Recipient): boolean {
  return kind === 'verify_address' ? event === `verify-${to.pending_key}` : to.is_wanted
}

function quietHours({ quiet_from: from, quiet_until: until }: Recipient) {
  return from === null || until === null ? undefined : { from, until }
}

/** Until when it waits for the hour to pass; takes the others along where there are too many. */
async function paced(
  tx: Queryable,
  userId: number,
  { id, kind, channel, attempts }: NewsMessage,
  now: Date,
): Promise<Date | undefined> {
  // What goes out again was counted the first time.
  if (attempts > 0) return undefined
  const recent = await recentTries(tx, userId, kind, channel, now)
  const waiting = (await waitingOfKind(tx, userId, kind, channel)).map((other) => other.id)
  const pace = paceOf(
    recent.map(({ at }) => at),
    waiting.length,
  )
  if (pace.do === 'bundle') await bundle(tx, id, waiting)
  return pace.do === 'wait' ? pace.until : undefined
}

async function send(deps: Deps, delivery: Delivery): Promise<void> {
  try {
    await deliver(deps, delivery)
  } catch (error) {
    if (error instanceof DeliveryFault && error.kind === 'recipient') {
      const { message, userId } = delivery
      await refuseRecipient(deps.db, userId, message, delivery.to, deps.clock.now())
      deps.events.publish({ type: 'user_changed', userId })
    }
    throw error
  }
}

async function deliver(deps: Deps, { message, userId, to, news }: Delivery): Promise<void> {
  const { id, channel, kind } = message
  if (channel === 'email' || kind === 'verify_address') {
    return deps.mailer.send(mailOf(deps, { message: { ...message, userId }, to, news }))
  }
  const letter = letterOf(kind, news, to.sentence)
  const name = `outbox-${id}`
  if (channel === 'push') {
    const payload = { ...pushOf(letter), path: letter.button.path, tag: name }
    return pushToAll(deps, userId, JSON.stringify(payload), name)
  }
  const text = discordTextOf(letter, deps.config.publicUrl)
  await deps.discord.tell(to.discord_id ?? '', text, name).catch(async (error: unknown) => {
    if (!(error instanceof DiscordFault)) throw error
    if (error.kind === 'token') await stopBot(deps)
    throw faultOfDiscord(error)
  })
}

/**
 * To every device of the person. Where one has to be asked again all are: those that have shown the
 * message put the same one in its place.
 */
async function pushToAll(deps: Deps, userId: number, payload: string, topic: string) {
  const devices = await devicesOf(deps.db, userId)
  const faults: DeliveryFault[] = []
  const gone: string[] = []
  const sending = devices.map((device) =>
    deps.pusher.send(device, payload, topic).catch((error: unknown) => {
      if (!(error instanceof DeliveryFault)) throw error
      if (error.kind === 'recipient') gone.push(device.id)
      else faults.push(error)
    }),
  )
  await Promise.all(sending)
  if (gone.length > 0) {
    await forgetDevices(deps.db, gone)
    deps.events.publish({ type: 'user_changed', userId })
  }
  const [later] = faults
    .filter(({ kind }) => kind === 'later')
    .sort((a, b) => (b.waitSeconds ?? 0) - (a.waitSeconds ?? 0))
  const isShown = gone.length + faults.length < devices.length
  if (later !== undefined) throw later
  if (!isShown) throw faults[0] ?? new DeliveryFault('recipient', 'No device is left')
}

/** Numbers of Discord for people whom the bot cannot write to, whatever it writes. */
const closedToUs = new Set([10_013, 50_007, 50_033, 50_278])

function faultOfDiscord(cause: DiscordFault): DeliveryFault {
  const { kind, code = 0, waitSeconds } = cause
  const meaning = () => {
    if (closedToUs.has(code)) return 'recipient'
    if (kind === 'rate_limited') return 'later'
    return kind === 'token' || kind === 'unreachable' ? 'unreachable' : 'refused'
  }
  const words = code === 0 ? cause.message : `Discord refused this (${code})`
  return new DeliveryFault(meaning(), words, { cause, waitSeconds })
}

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
