// The channels of the Twitch stand-in: who is live, who is in the chat, what was said.

import { randomInt, randomUUID } from 'node:crypto'
import type { SandboxControls } from './controls.ts'

export interface SandboxBroadcast {
  readonly id: string
  readonly startedAt: Date
}

export interface SandboxChatMessage {
  readonly twitchChannelId: string
  readonly senderId: string
  readonly message: string
  readonly sentAt: string
}

/** What Twitch says of a message it has taken. */
export interface ChatVerdict {
  readonly messageId: string
  readonly drop: { readonly code: string; readonly message: string } | undefined
}

const messagesMax = 10_000
const sameWordsMillis = 30_000
const namePattern = /^[^\s\p{C}]{1,64}$/u

/** Any channel that is named exists from then on. */
export class TwitchChannels {
  readonly known = new Set<string>()
  readonly live = new Map<string, SandboxBroadcast>()
  /** Login names by channel. */
  readonly chatters = new Map<string, readonly string[]>()
  readonly messages: SandboxChatMessage[] = []
  private readonly now: () => Date

  constructor(controls: Pick<SandboxControls, 'clock' | 'liveChannelIds'>) {
    this.now = () => controls.clock.now()
    for (const id of controls.liveChannelIds) {
      // The same number after a restart, since the broadcast has not changed by it.
      this.live.set(id, { id: `4${id.slice(-9)}`, startedAt: this.now() })
      this.known.add(id)
    }
  }

  /** False for what can be no channel's id. */
  meet(channelId: string): boolean {
    if (!namePattern.test(channelId)) return false
    this.known.add(channelId)
    return true
  }

  goLive(channelId: string, streamId: string | undefined): SandboxBroadcast {
    const current = this.live.get(channelId)
    if (current !== undefined && (streamId ?? current.id) === current.id) return current
    const id = streamId ?? `4${randomInt(1e9, 1e10)}`
    const broadcast = { id, startedAt: this.now() }
    this.live.set(channelId, broadcast)
    return broadcast
  }

  say(channelId: string, senderId: string, message: string): ChatVerdict {
    const drop = this.dropOf(channelId, senderId, message)
    if (drop !== undefined) return { messageId: '', drop }
    if (this.messages.length >= messagesMax) this.messages.shift()
    const sentAt = this.now().toISOString()
    this.messages.push({ twitchChannelId: channelId, senderId, message, sentAt })
    return { messageId: randomUUID(), drop }
  }

  private dropOf(channelId: string, senderId: string, message: string): ChatVerdict['drop'] {
    if (/^[/.]/.test(message)) {
      return { code: 'msg_rejected', message: 'Commands cannot be sent as messages.' }
    }
    const since = this.now().getTime() - sameWordsMillis
    const isSame = this.messages.some(
      (one) =>
        one.twitchChannelId === channelId &&
        one.senderId === senderId &&
        one.message === message &&
        Date.parse(one.sentAt) > since,
    )
    return isSame
      ? { code: 'msg_duplicate', message: 'The same message was sent less than 30 seconds ago.' }
      : undefined
  }
}
