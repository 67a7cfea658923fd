// Twitch and Discord as the product meets them at `Deps`: they remember what they were told, and
// fail, hang, or take effect without saying so, as the seed's plan has it.

import type { DiscordAccountLink } from '../server/src/adapters/discord/account-link.ts'
import type { ButtonPost, DiscordBot } from '../server/src/adapters/discord/bot.ts'
import type { TwitchIdentity } from '../server/src/adapters/twitch/identity.ts'
import type { TwitchApi } from '../server/src/adapters/twitch/twitch-api.ts'
import { DiscordFault } from '../server/src/shared/discord-fault.ts'
import { TwitchFault } from '../server/src/shared/twitch-fault.ts'
import { Chance, type SimulatedClock } from './chance.ts'

type Message = Record<'id' | 'channelId' | 'content' | 'nonce', string> & { buttonId?: string }

export const botToken = 'bot-access-token-0000000000'
const [sameWordsMillis, hangMillis, messagesMax] = [30_000, 10_000, 400]

export class FarSides {
  /** What Twitch says is live, by channel. */
  readonly live = new Map<string, { readonly broadcastId: string; readonly startedAt: Date }>()
  /** Logins of people by their number at Twitch. */
  readonly logins = new Map<string, string>()
  readonly messages: Message[] = []
  /** When each line of chat was shown last. */
  private readonly said = new Map<string, number>()
  private chance = new Chance('far')
  private made = 0

  constructor(
    private readonly clock: SimulatedClock,
    private readonly failureRate: number,
  ) {}

  begin(act: string): void {
    this.chance = new Chance(`far ${act}`)
  }

  private readonly mayFail = (Fault: typeof TwitchFault | typeof DiscordFault) => () => {
    if (!this.chance.isLikely(this.failureRate)) return
    // It hangs until the product's patience is over, or does not answer at all.
    if (this.chance.isLikely(0.3)) this.clock.millis += hangMillis
    throw new Fault('unreachable', 'The far side does not answer')
  }
  private readonly twitchMayFail = this.mayFail(TwitchFault)
  private readonly discordMayFail = this.mayFail(DiscordFault)

  private readonly twitchSays = <Said>(said: Said): Said => {
    this.twitchMayFail()
    return said
  }

  readonly twitch: TwitchApi = {
    ...{ isConfigured: true, clientId: 'client' },
    tokens: {
      validate: async (accessToken) => {
        const userId = accessToken === botToken ? '1' : accessToken.replace('token-', '')
        const scopes = ['moderator:read:chatters', 'user:write:chat']
        const login = this.logins.get(userId) ?? 'bot'
        return this.twitchSays({
          clientId: 'client',
          login,
          userId,
          scopes,
          expiresInSeconds: null,
        })
      },
      refresh: async () => undefined,
      revoke: async () => undefined,
      appToken: async () => 'app-token',
    },
    events: { list: async () => [], create: async () => undefined, remove: async () => undefined },
    liveBroadcasts: async (ids) => {
      const live = [...this.live].filter(([channelId]) => ids.includes(channelId))
      return this.twitchSays(live.map(([channelId, broadcast]) => ({ channelId, ...broadcast })))
    },
    chatters: async () => this.twitchSays([]),
    sendChat: async (_bot, channelId, message) => {
      this.twitchMayFail()
      const { millis } = this.clock
      for (const [name, at] of this.said) if (millis - at >= sameWordsMillis) this.said.delete(name)
      const name = `${channelId} ${message}`
      if (this.said.has(name)) return { isSent: false, dropCode: 'msg_duplicate' }
      this.said.set(name, millis)
      return this.twitchSays({ isSent: true, dropCode: undefined })
    },
    channelIdOf: async () => undefined,
  }

  readonly twitchIdentity: TwitchIdentity = {
    isConfigured: true,
    authorizeUrl: ({ state }) => `https://twitch.test/authorize?${new URLSearchParams({ state })}`,
    identify: async (id) => {
      const login = this.logins.get(id) ?? id
      const tokens = { accessToken: `token-${id}`, refreshToken: undefined }
      const nothing = { email: undefined, avatar: undefined }
      return this.twitchSays({ id, login, displayName: login, tokens, ...nothing })
    },
  }

  readonly discordLink: DiscordAccountLink = {
    isConfigured: true,
    authorizeUrl: ({ state }) => `https://discord.test/authorize?${new URLSearchParams({ state })}`,
    identify: async (id) => {
      this.discordMayFail()
      return { id, username: `discord-${id}`, avatar: null }
    },
  }

  readonly discord: DiscordBot = {
    hasToken: true,
    checkPlace: async () => ({ kind: 'fine' }),
    post: async (channelId, post, nonce) => this.post(channelId, post.content, nonce, post),
    say: async (channelId, content, nonce) => this.post(channelId, content, nonce),
    findText: async (channelId, content) =>
      this.messages.find((one) => one.channelId === channelId && one.content === content)?.id,
    findPost: async (channelId, button) => {
      this.discordMayFail()
      return this.messages.find((one) => one.channelId === channelId && one.buttonId === button)?.id
    },
    closePost: async () => this.discordMayFail(),
    openInteraction: ({ signature, body }) =>
      signature === 'genuine' ? JSON.parse(body.toString()) : { kind: 'forged' },
    privateAnswer: ({ content }) => ({ content }),
    answerLater: async () => undefined,
  }

  private post(channelId: string, content: string, nonce: string, post?: ButtonPost): string {
    this.discordMayFail()
    const known = this.messages.find((one) => one.nonce === nonce)
    if (known !== undefined) return known.id
    this.made += 1
    const id = String(900_000_000_000_000_000n + BigInt(this.made))
    this.messages.push({ id, channelId, content, nonce, ...post })
    if (this.messages.length > messagesMax) this.messages.shift()
    this.discordMayFail()
    return id
  }
}
