// Reads who is in the chats of live streams, where staff want presence to be known.

import type { Deps } from '../../adapters/deps.ts'
import { readScope } from '../../rules/chat-message.ts'
import { asBot } from './bot-access.ts'
import { noteChattersOf, observedStreams } from './chat-tables.ts'

const streamsMax = 100

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
