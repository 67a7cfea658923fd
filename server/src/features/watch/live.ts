// Whether streams are live. Twitch is asked, and what it answers is the truth; messages of its
// EventSub, proven by their signature, are hints that a poll confirms. Facts:
// dev.twitch.tv/docs/eventsub/handling-webhook-events.

import { createHmac, timingSafeEqual } from 'node:crypto'
import { systemContract } from '@redpack/contract'
import { parsed } from '@redpack/fair/bytes'
import type { Queryable } from '../../adapters/db/database.ts'
import type { Deps } from '../../adapters/deps.ts'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { bytesOf, leaveBytes } from '../../adapters/http/json-body.ts'
import type {
  LiveBroadcast,
  Subscription,
  WantedSubscription,
} from '../../adapters/twitch/twitch-api.ts'
import {
  afterOfflineNotice,
  afterPoll,
  type LiveState,
  type SeenBroadcast,
} from '../../rules/live-state.ts'
import { DomainError } from '../../shared/domain-error.ts'
import { endSignInOfTwitchUser } from '../account/tables.ts'
import {
  channelsToPicture,
  lockChannelLive,
  lockStreamLive,
  noteEvent,
  noteStreamsChecked,
  removeOldEvents,
  type StreamLive,
  streamsToPoll,
  writeChannelPictures,
  writeStreamLive,
} from './stream-tables.ts'

/** Twitch's webhook, whose sender is proven before anything of the body is believed. */
export function registerTwitchEvents({ app, deps, guards }: FeatureContext): void {
  void app.register(async (scope) => {
    // The signature covers the bytes as they came, so they must not be parsed before it is checked.
    leaveBytes(scope)
    serve(scope, guards, systemContract.twitchEventSub, async ({ request, reply }) => {
      const header = (name: string) => {
        const value = request.headers[`twitch-eventsub-${name}`]
        return typeof value === 'string' ? value : ''
      }
      const text = await receiveEvent(deps, {
        id: header('message-id'),
        timestamp: header('message-timestamp'),
        signature: header('message-signature'),
        type: header('message-type'),
        subscriptionType: header('subscription-type'),
        body: bytesOf(request),
      })
      return reply.type('text/plain').send(text)
    })
  })
}

const streamsMax = 5_000
const idsPerCall = 100
const pictureMillis = 24 * 3_600_000

/** Asks which of at most 100 channels are live; undefined where nobody can ask. */
export type AskLive = (channelIds: readonly string[]) => Promise<LiveBroadcast[] | undefined>

/**
 * Polls every stream, or the one of a channel: as the app, or by `askElse` where the site has no
 * client settings.
 * @throws TwitchFault when Twitch did not answer for all of them; what it did answer is kept
 */
export async function pollLive(
  deps: Deps,
  { onlyChannelId, askElse }: { onlyChannelId?: string; askElse?: AskLive } = {},
): Promise<void> {
  const all = await streamsToPoll(deps.db, streamsMax)
  const streams =
    onlyChannelId === undefined
      ? all
      : all.filter(({ twitchChannelId }) => twitchChannelId === onlyChannelId)
  const polls = groupsOf(streams).map((group) => async () => {
    const ids = group.map(({ twitchChannelId }) => twitchChannelId)
    const broadcasts = deps.twitch.isConfigured
      ? await deps.twitch.liveBroadcasts(ids)
      : await askElse?.(ids)
    if (broadcasts !== undefined) await take(deps, group, broadcasts)
  })
  await inTurn(polls)
}

/**
 * Reads the pictures of at most 100 channels that are new, or were asked about a day ago.
 * @throws TwitchFault when Twitch did not answer; the next run asks again
 */
export async function readChannelPictures({ db, twitch, clock, events }: Deps): Promise<void> {
  if (!twitch.isConfigured) return
  const now = clock.now()
  const before = new Date(now.getTime() - pictureMillis)
  const ids = (await channelsToPicture(db, before, idsPerCall)).map(({ channelId }) => channelId)
  if (ids.length === 0) return
  const pictures = await twitch.pictures(ids)
  const addresses = ids.map((id) => pictures.get(id) ?? null)
  await writeChannelPictures(db, ids, addresses, now)
  events.publish({ type: 'streams_changed' })
}

/**
 * Groups of at most 100. One id that is no number makes Twitch refuse a whole call, so those go
 * apart from the others.
 */
function groupsOf(streams: readonly StreamLive[]): StreamLive[][] {
  const isNumber = ({ twitchChannelId }: StreamLive) => /^\d+$/.test(twitchChannelId)
  const groups: StreamLive[][] = []
  for (const part of [streams.filter(isNumber), streams.filter((one) => !isNumber(one))]) {
    for (let at = 0; at < part.length; at += idsPerCall) {
      groups.push(part.slice(at, at + idsPerCall))
    }
  }
  return groups
}

async function take(
  deps: Deps,
  group: readonly StreamLive[],
  broadcasts: readonly LiveBroadcast[],
): Promise<void> {
  const now = deps.clock.now()
  const seen = new Map(broadcasts.map((broadcast) => [broadcast.channelId, broadcast]))
  const unchanged: number[] = []
  let looksDifferent = false
  for (const stream of group) {
    const broadcast = seen.get(stream.twitchChannelId)
    if (isSameBut(stream, afterPoll(stream, broadcast, now))) unchanged.push(stream.id)
    else if (await change(deps, stream, broadcast, now)) looksDifferent = true
  }
  if (unchanged.length > 0) await noteStreamsChecked(deps.db, unchanged, now)
  if (looksDifferent) deps.events.publish({ type: 'streams_changed' })
}

/**
 * Decides again under the lock, unless the stream has another channel than was asked about. True
 * when players see a difference.
 */
function change(
  deps: Deps,
  { id, twitchChannelId }: StreamLive,
  broadcast: SeenBroadcast | undefined,
  now: Date,
): Promise<boolean> {
  return deps.db.transaction(async (tx) => {
    const stream = await lockStreamLive(tx, id)
    if (stream?.twitchChannelId !== twitchChannelId) return false
    const after = afterPoll(stream, broadcast, now)
    await writeStreamLive(tx, { ...after, id })
    return after.isLive !== stream.isLive || after.currentStreamId !== stream.currentStreamId
  })
}

/** True when nothing differs but the time of the check. */
function isSameBut(before: LiveState, after: LiveState): boolean {
  const keys = Object.keys(after) as (keyof LiveState)[]
  return keys.every((key) => key === 'checkedAt' || before[key] === after[key])
}

/** Older messages may be somebody's recording of an earlier one. */
const replayMillis = 600_000
const keptMillis = 24 * 3_600_000

/** A message as it came; texts are empty where a header is missing. */
interface EventMessage {
  readonly id: string
  readonly timestamp: string
  readonly signature: string
  /** What the message is for: a challenge, a notification or the end of a subscription. */
  readonly type: string
  readonly subscriptionType: string
  readonly body: Buffer
}

/** The secret of all our subscriptions: the operator's, or one that follows from our key. */
export function eventSecret({ config, encryption }: Pick<Deps, 'config' | 'encryption'>): string {
  return config.twitch.eventSubSecret ?? encryption.fingerprint('twitch_eventsub', 'secret')
}

/**
 * The secrets that a message may be signed with: subscriptions that were made before the encryption
 * key was changed, or by a process that has not been restarted yet, have another one.
 */
function eventSecrets({ config, encryption }: Deps): readonly string[] {
  const own = config.twitch.eventSubSecret
  return own === undefined ? encryption.fingerprints('twitch_eventsub', 'secret') : [own]
}

/**
 * What is taken has its effect at most once, however often it comes and in whatever order. Answers
 * the text of a challenge, and nothing to all else.
 * @throws DomainError forbidden for what Twitch has not signed
 */
async function receiveEvent(deps: Deps, message: EventMessage): Promise<string> {
  if (!eventSecrets(deps).some((secret) => isSigned(message, secret))) {
    throw new DomainError('forbidden', 'The message signature is not valid')
  }
  const content = objectOf(parsed(message.body.toString()))
  if (message.type === 'webhook_callback_verification') {
    const text = content['challenge']
    return typeof text === 'string' ? text : ''
  }
  const sentAt = new Date(message.timestamp)
  const now = deps.clock.now()
  // A time that cannot be read is not within ten minutes of anything.
  if (!(Math.abs(now.getTime() - sentAt.getTime()) <= replayMillis)) return ''
  if (message.type === 'revocation') {
    const { subscriptionType } = message
    deps.log.warn({ subscriptionType }, 'Twitch ended a subscription; it is made again soon')
  }
  if (message.type !== 'notification') return ''
  const event = objectOf(content['event'])
  const then = await deps.db.transaction(async (tx) =>
    (await noteEvent(tx, message.id, now)) ? effectOf(deps, tx, message, event, sentAt) : undefined,
  )
  then?.()
  return ''
}

/** Events are remembered for longer than they are believed. */
export async function forgetOldEvents({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  await removeOldEvents(db, new Date(clock.now().getTime() - keptMillis))
}

function isSigned({ id, timestamp, signature, body }: EventMessage, secret: string): boolean {
  const right = createHmac('sha256', secret)
    .update(id + timestamp)
    .update(body)
    .digest('hex')
  const [wanted, shown] = [Buffer.from(`sha256=${right}`), Buffer.from(signature)]
  return wanted.length === shown.length && timingSafeEqual(wanted, shown)
}

type Content = Readonly<Record<string, unknown>>

function objectOf(value: unknown): Content {
  return typeof value === 'object' && value !== null ? (value as Content) : {}
}

/** Writes what the event says and answers what is left to do after the commit. */
async function effectOf(
  deps: Deps,
  tx: Queryable,
  message: EventMessage,
  event: Content,
  sentAt: Date,
): Promise<(() => void) | undefined> {
  const channelId = String(event['broadcaster_user_id'] ?? '')
  switch (message.subscriptionType) {
    case 'stream.online':
      // Repeats, premieres and watch parties are broadcasts of something that is over.
      return event['type'] === 'live' ? () => confirm(deps, channelId) : undefined
    case 'stream.offline':
      await noteOffline(tx, channelId, event['id'], sentAt)
      return () => confirm(deps, channelId)
    case 'user.authorization.revoke': {
      if (event['client_id'] !== deps.twitch.clientId) return undefined
      const userId = await endSignInOfTwitchUser(tx, String(event['user_id'] ?? ''), sentAt)
      if (userId === undefined) return undefined
      return () => deps.events.publish({ type: 'sessions_ended', userId })
    }
    default:
      return undefined
  }
}

async function noteOffline(tx: Queryable, channelId: string, id: unknown, sentAt: Date) {
  const stream = await lockChannelLive(tx, channelId)
  if (stream === undefined) return
  const broadcastId = typeof id === 'string' ? id : undefined
  const live = afterOfflineNotice(stream, { broadcastId, sentAt })
  if (live !== stream) await writeStreamLive(tx, { ...live, id: stream.id })
}

/** Twitch waits for our answer, so the question goes out behind it. */
function confirm(deps: Deps, channelId: string): void {
  pollLive(deps, { onlyChannelId: channelId }).catch((error: unknown) => {
    deps.log.warn({ err: error }, 'an event could not be confirmed; the next poll does it')
  })
}

const subscribedMax = 2_000
const changesMax = 500

/**
 * Makes subscriptions that are missing and ends those that nobody needs or that have failed.
 * Polling is the truth with or without them, so a failure only makes it slower.
 * @throws TwitchFault when some could not be changed; the next run goes on
 */
export async function subscribeToEvents(deps: Deps): Promise<void> {
  const { twitch, config } = deps
  // Twitch sends to https on the usual port and nowhere else.
  const { protocol, port } = new URL(config.publicUrl)
  if (!twitch.isConfigured || protocol !== 'https:' || port !== '') return
  const callback = `${config.publicUrl}/api/twitch/eventsub`
  const wanted = new Map((await wantedOf(deps)).map((one) => [keyOf(one), one]))
  const changes: (() => Promise<void>)[] = []
  for (const one of (await twitch.events.list()).filter((each) => each.callback === callback)) {
    const isRight = one.isAlive && wanted.delete(keyOf(one))
    if (!isRight) changes.push(() => twitch.events.remove(one.id))
  }
  const secret = eventSecret(deps)
  for (const one of wanted.values()) {
    changes.push(() => twitch.events.create(one, callback, secret))
  }
  await inTurn(changes.slice(0, changesMax))
}

async function wantedOf(deps: Deps): Promise<WantedSubscription[]> {
  const streams = await streamsToPoll(deps.db, subscribedMax)
  const channels = streams
    .map(({ twitchChannelId }) => twitchChannelId)
    .filter((id) => /^\d+$/.test(id))
  return [
    { type: 'user.authorization.revoke', channelId: '' },
    ...channels.flatMap((channelId): WantedSubscription[] => [
      { type: 'stream.online', channelId },
      { type: 'stream.offline', channelId },
    ]),
  ]
}

function keyOf({ type, channelId }: WantedSubscription | Subscription): string {
  return `${type} ${channelId}`
}

/** Does all of the work, whatever fails. @throws what failed first */
async function inTurn(work: readonly (() => Promise<void>)[]): Promise<void> {
  let failure: unknown
  for (const each of work) {
    await each().catch((error: unknown) => {
      failure ??= error
    })
  }
  if (failure !== undefined) throw failure
}
