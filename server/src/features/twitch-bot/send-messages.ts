// Says in the chats what completions left to be said: each once, in batches, never too fast.

import type { Deps } from '../../adapters/deps.ts'
import { composeMessage, sendScope } from '../../rules/chat-message.ts'
import { TwitchFault } from '../../shared/twitch-fault.ts'
import { asBot } from './bot-access.ts'
import {
  addChatMessage,
  dropAnnouncements,
  finishChatMessage,
  lastChatTry,
  lockAnnouncements,
  noteChatTry,
  type TalkingStream,
  talkingStreams,
  tidyChat,
  type WaitingMessage,
  waitingMessage,
  wasSent,
} from './chat-tables.ts'

/** Twenty messages in 30 s are allowed; this leaves room for what people type as the bot. */
const apartMillis = 1_600
/** Twitch drops the same words said again within this time. */
const sameWordsMillis = 30_000
const streamsMax = 100
const namesMax = 100
const messagesPerRun = 5
/** Congratulating somebody much later would only puzzle them. */
const sentWithinMillis = 3_600_000
const keptMillis = 24 * 3_600_000
/**
 * With the jitter and the time between two runs still within `sameWordsMillis` of the try before:
 * if that one did arrive and only its answer was lost, Twitch recognises the words.
 */
const retryMillisMax = 16_000

/**
 * Sends what is due, channel by channel.
 * @throws TwitchFault when some could not be sent; they are tried again
 */
export async function sendMessages(deps: Deps): Promise<void> {
  const now = deps.clock.now().getTime()
  await tidyChat(deps.db, new Date(now - sentWithinMillis), new Date(now - keptMillis))
  const streams = await talkingStreams(deps.db, deps.clock.now(), streamsMax)
  const results = await Promise.allSettled(streams.map((stream) => talk(deps, stream)))
  const failed = results.find((result) => result.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

async function talk(deps: Deps, stream: TalkingStream): Promise<void> {
  for (let count = 0; count < messagesPerRun; count += 1) {
    let next = await waitingMessage(deps.db, stream.streamId, deps.clock.now())
    if (next === undefined) {
      await gather(deps, stream)
      next = await waitingMessage(deps.db, stream.streamId, deps.clock.now())
    }
    if (next === undefined || !next.isDue) return
    await keepApart(deps, stream.streamId)
    if (!(await say(deps, stream, next))) return
  }
}

/** Makes one message for those who wait, with as many of their names as fit. */
async function gather(deps: Deps, stream: TalkingStream): Promise<void> {
  const now = deps.clock.now()
  await deps.db.transaction(async (tx) => {
    const waiting = await lockAnnouncements(tx, stream.streamId, namesMax)
    await dropAnnouncements(
      tx,
      waiting.filter(({ isGone }) => isGone).map(({ completionId }) => completionId),
    )
    const people = waiting.filter(({ isGone }) => !isGone)
    if (people.length === 0) return
    const names = people.map(({ name }) => name)
    const { text, count } = composeMessage(stream.template, names)
    const ids = people.slice(0, count).map(({ completionId }) => completionId)
    if (text === '') return dropAnnouncements(tx, ids)
    const since = new Date(now.getTime() - sameWordsMillis)
    if (await wasSent(tx, stream.streamId, text, since)) return
    await addChatMessage(tx, stream.streamId, text, ids, now)
  })
}

async function keepApart(deps: Deps, streamId: number): Promise<void> {
  const last = await lastChatTry(deps.db, streamId)
  const passed = last === null ? apartMillis : deps.clock.now().getTime() - last.getTime()
  const rest = Math.min(apartMillis, apartMillis - passed)
  if (rest > 0) await deps.clock.pause(rest)
}

/**
 * True when the message is done with, said or not. The try is written down before it is made, and
 * a second try says exactly the same words: when the first did arrive, Twitch drops the second as
 * a duplicate, which tells us so.
 */
async function say(deps: Deps, stream: TalkingStream, next: WaitingMessage): Promise<boolean> {
  const { id, message, attempts } = next
  const now = deps.clock.now()
  const pause = Math.min(retryMillisMax, 2_000 * 2 ** Math.min(attempts, 10))
  const jitter = deps.random.bytes(1).readUInt8() / 255
  const nextTryAt = new Date(now.getTime() + pause * (1 + jitter / 4))
  if (!(await noteChatTry(deps.db, id, now, nextTryAt))) return true
  try {
    const outcome = await asBot(deps, sendScope, (bot) =>
      deps.twitch.sendChat(bot, stream.twitchChannelId, message),
    )
    // Without a bot nothing is tried until there is one again.
    if (outcome === undefined) return false
    const isKnown = outcome.isSent || (outcome.dropCode === 'msg_duplicate' && attempts > 0)
    if (!isKnown && isPassing(outcome.dropCode)) return false
    await finishChatMessage(deps.db, id, isKnown ? 'sent' : 'dropped', outcome.dropCode)
    return true
  } catch (error) {
    if (!(error instanceof TwitchFault)) throw error
    const isFinal = error.kind === 'forbidden' || error.kind === 'refused'
    if (!isFinal) throw error
    await finishChatMessage(deps.db, id, 'dropped', `${error.kind} ${error.status ?? ''}`.trim())
    deps.log.warn({ err: error, streamId: stream.streamId }, 'a chat message was refused')
    return true
  }
}

/** Reasons that go away by themselves. */
function isPassing(dropCode: string | undefined): boolean {
  return dropCode === 'msg_ratelimit' || dropCode === 'msg_slowmode'
}
