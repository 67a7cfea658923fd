// Why the bot cannot post to a channel, in words that tell staff what to do about it.

import type { Deps } from '../../adapters/deps.ts'
import type { PlaceCheck } from '../../adapters/discord/places.ts'
import { DiscordFault } from '../../shared/discord-fault.ts'

export interface PlaceProblem {
  readonly field: 'serverId' | 'channelId'
  readonly words: string
}

const listed = new Intl.ListFormat('en', { type: 'conjunction' })

/** Undefined when the bot can post there. */
export function problemOfPlace(check: PlaceCheck): PlaceProblem | undefined {
  switch (check.kind) {
    case 'fine':
      return undefined
    case 'no_server':
      return {
        field: 'serverId',
        words: 'The bot is not a member of this Discord server. Invite it first.',
      }
    case 'no_channel':
      return { field: 'channelId', words: 'Discord does not know this channel.' }
    case 'no_access':
      return {
        field: 'channelId',
        words: 'The bot cannot see this channel. Give it the permission View Channel there.',
      }
    case 'other_server':
      return { field: 'channelId', words: 'This channel belongs to another Discord server.' }
    case 'no_text_channel':
      return { field: 'channelId', words: 'This channel is not a text channel.' }
    case 'missing_permissions': {
      const noun = check.names.length === 1 ? 'permission' : 'permissions'
      const names = listed.format(check.names)
      return { field: 'channelId', words: `The bot lacks the ${noun} ${names} in this channel.` }
    }
  }
}

/** What is wrong with a channel that has refused a post; `fallback` when Discord sees no fault. */
export async function errorWords(
  deps: Deps,
  serverId: string,
  channelId: string,
  fallback: string,
): Promise<string> {
  try {
    const problem = problemOfPlace(await deps.discord.checkPlace(serverId, channelId))
    return problem?.words ?? `${fallback}.`
  } catch (error) {
    if (error instanceof DiscordFault) return `${fallback}.`
    throw error
  }
}
