// Takes messages of Twitch's EventSub: proven by their signature, each once, as hints that a poll
// confirms. Facts: dev.twitch.tv/docs/eventsub/handling-webhook-events.

import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Queryable } from '../../adapters/db/database.ts'
import type { Deps } from '../../adapters/deps.ts'
import { afterOfflineNotice } from '../../rules/live-state.ts'
import { endSignInOfTwitchUser } from '../account/sign-in-tables.ts'
import { lockChannelLive, noteEvent, removeOldEvents, writeStreamLive } from './live-tables.ts'
import { pollLive } from './poll-live.ts'

/** Older messages may be somebody's recording of an earlier one. */
const replayMillis = 600_000
const keptMillis = 24 * 3_600_000

/** A message as it came; texts are empty where a header is missing. */
export interface EventMessage {
  readonly id: string
  readonly timestamp: string
  readonly signature: string
  /** What the message is for: a challenge, a notification or the end of a subscription. */
  readonly type: string
  readonly subscriptionType: string
  readonly body: Buffer
}

export type EventOutcome =
  | { readonly kind: 'forged' }
  | { readonly kind: 'challenge'; readonly text: string }
  | { readonly kind: 'taken' }

const taken = { kind: 'taken' } as const

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

/** What is taken has its effect at most once, however often it comes and in whatever order. */
export async function receiveEvent(deps: Deps, message: EventMessage): Promise<EventOutcome> {
  if (!eventSecrets(deps).some((secret) => isSigned(message, secret))) return { kind: 'forged' }
  const content = readObject(message.body)
  if (message.type === 'webhook_callback_verification') {
    const text = content['challenge']
    return typeof text === 'string' ? { kind: 'challenge', text } : taken
  }
  const sentAt = new Date(message.timestamp)
  const now = deps.clock.now()
  // A time that cannot be read is not within ten minutes of anything.
  if (!(Math.abs(now.getTime() - sentAt.getTime()) <= replayMillis)) return taken
  if (message.type === 'revocation') {
    const { subscriptionType } = message
    deps.log.warn({ subscriptionType }, 'Twitch ended a subscription; it is made again soon')
    return taken
  }
  if (message.type !== 'notification') return taken
  const event = objectIn(content, 'event')
  const then = await deps.db.transaction(async (tx) =>
    (await noteEvent(tx, message.id, now)) ? effectOf(deps, tx, message, event, sentAt) : undefined,
  )
  then?.()
  return taken
}

/** Events are remembered for longer than they are believed. */
export async function forgetOldEvents({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  await removeOldEvents(db, new Date(clock.now().getTime() - keptMillis))
}

function isSigned({ id, timestamp, signature, body }: EventMessage, secret: string): boolean {
  if (id === '' || timestamp === '') return false
  const right = createHmac('sha256', secret)
    .update(id + timestamp)
    .update(body)
    .digest('hex')
  const [wanted, shown] = [Buffer.from(`sha256=${right}`), Buffer.from(signature)]
  return wanted.length === shown.length && timingSafeEqual(wanted, shown)
}

type Content = Readonly<Record<string, unknown>>

function readObject(body: Buffer): Content {
  try {
    const parsed: unknown = JSON.parse(body.toString())
    return typeof parsed === 'object' && parsed !== null ? (parsed as Content) : {}
  } catch {
    return {}
  }
}

function objectIn(content: Content, name: string): Content {
  const value = content[name]
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
      const userId = await endSignInOfTwitchUser(tx, String(event['user_id'] ?? ''))
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
  const live = afterOfflineNotice(stream.live, { broadcastId, sentAt })
  if (live !== stream.live) await writeStreamLive(tx, stream.id, live)
}

/** Twitch waits for our answer, so the question goes out behind it. */
function confirm(deps: Deps, channelId: string): void {
  pollLive(deps, channelId).catch((error: unknown) => {
    deps.log.warn({ err: error }, 'an event could not be confirmed; the next poll does it')
  })
}
