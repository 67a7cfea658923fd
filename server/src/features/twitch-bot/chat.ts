// What the bot says in chats about completions, in batches and never too fast; and who is in them.

import type { Queryable } from '../../adapters/db/database.ts'
import type { Deps } from '../../adapters/deps.ts'
import { composeMessage, readScope, restMillis, sendScope } from '../../rules/chat-message.ts'
import { DeliveryFault, TwitchFault } from '../../shared/far-side-faults.ts'
import { bundle, type Carrier, type Decision, type DueMessage } from '../outbox/sending-tables.ts'
import { asBot, isBotAbleTo } from './bot-access.ts'
import {
  lastSaid,
  noteChattersOf,
  observedStreams,
  peopleToName,
  release,
  streamOf,
} from './tables.ts'

const streamsMax = 100
const namesMax = 100

/**
 * Says completions in the chats. Tries are so close together that Twitch, which drops the same
 * words within 30 s, recognises them: should one have arrived unheard, the next one tells us so.
 */
export function chatCarrier(deps: Deps): Carrier {
  return {
    isInOrder: true,
    backoff: { firstMillis: 2_000, mostMillis: 16_000 },
    leaseMillis: 20_000,
    isOpen: () => isBotAbleTo(deps, sendScope),
    decide: (tx, message, now) => decide(deps, tx, message, now),
  }
}

/** One message speaks for as many of those who wait as fit, by the names that they have now. */
async function decide(
  deps: Deps,
  tx: Queryable,
  message: DueMessage,
  now: Date,
): Promise<Decision> {
  const { id, lane, attempts } = message
  const stream = await streamOf(tx, Number(lane))
  if (stream === undefined) return 'drop'
  const { template, twitchChannelId } = stream
  const isFirst = attempts === 0
  const last = isFirst ? await lastSaid(tx, lane) : undefined
  // What is still to come was said by a clock that was ahead, and is nothing to wait for.
  if (last !== undefined && last <= now) {
    const earliest = new Date(last.getTime() + restMillis(template))
    if (earliest > now) return earliest
  }
  const people = await peopleToName(tx, { id, lane, isFirst, limit: namesMax })
  // Whoever has left is not named any more.
  if (people.length === 0 || (isFirst && people[0]?.id !== id)) return 'drop'
  const { text, count } = composeMessage(
    template,
    people.map(({ name }) => name),
  )
  const spokenFor = people.slice(0, count).map((person) => person.id)
  await bundle(tx, id, spokenFor)
  await release(tx, id, spokenFor)
  return text === '' ? 'drop' : () => say(deps, twitchChannelId, text, isFirst)
}

async function say(deps: Deps, channelId: string, text: string, isFirst: boolean): Promise<void> {
  const outcome = await asBot(deps, sendScope, (bot) =>
    deps.twitch.sendChat(bot, channelId, text),
  ).catch((error: unknown) => {
    throw error instanceof TwitchFault ? deliveryFaultOf(error) : error
  })
  if (outcome === undefined) throw new DeliveryFault('unreachable', 'There is no bot any more')
  const { isSent, dropCode = 'without a reason' } = outcome
  const isRepeated = dropCode === 'msg_duplicate'
  if (isSent || (isRepeated && !isFirst)) return
  throw new DeliveryFault(
    isRepeated || isPassing(dropCode) ? 'later' : 'refused',
    `Twitch dropped it: ${dropCode}`,
  )
}

function deliveryFaultOf(cause: TwitchFault): DeliveryFault {
  const { kind, code, message } = cause
  const isFinal = kind === 'forbidden' || kind === 'refused'
  const waitSeconds = kind === 'rate_limited' ? cause.waitSeconds : undefined
  return isFinal
    ? new DeliveryFault('refused', `Twitch refused this (${code ?? kind})`, { cause })
    : new DeliveryFault('unreachable', message, { cause, waitSeconds })
}

/** Reasons that go away by themselves. */
function isPassing(dropCode: string): boolean {
  return dropCode === 'msg_ratelimit' || dropCode === 'msg_slowmode'
}

/**
 * Reads the list of each observed stream. A list that cannot be read grows old, and an old list
 * keeps nobody from earning.
 * @throws TwitchFault when some lists could not be read
 */
export async function readChatters(deps: Deps): Promise<void> {
  let failure: unknown
  for (const { streamId, twitchChannelId } of await observedStreams(deps.db, streamsMax)) {
    try {
      const ids = await asBot(deps, readScope, (bot) => deps.twitch.chatters(bot, twitchChannelId))
      if (ids === undefined) return
      await noteChattersOf(deps.db, streamId, ids, deps.clock.now())
    } catch (error) {
      failure ??= error
    }
  }
  if (failure !== undefined) throw failure
}
