// Keeps the subscriptions to Twitch's events as they should be, where Twitch can reach us.

import type { Deps } from '../../adapters/deps.ts'
import type { Subscription, WantedSubscription } from '../../adapters/twitch/event-subscriptions.ts'
import { streamsToPoll } from './live-tables.ts'
import { eventSecret } from './receive-event.ts'

const streamsMax = 2_000
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
  const streams = await streamsToPoll(deps.db, streamsMax)
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

async function inTurn(changes: readonly (() => Promise<void>)[]): Promise<void> {
  let failure: unknown
  for (const change of changes) {
    await change().catch((error: unknown) => {
      failure ??= error
    })
  }
  if (failure !== undefined) throw failure
}
