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
const nothing = async () => undefined
const authorizeAt = (host: string) => (query: { state: string }) =>
  `https://${host}/authorize?${new URLSearchParams({ state: query.state })}`

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

  /** How a far side answers, unless it hangs until the product's patience is over, or is away. */
  private readonly saying =
    (Fault: typeof TwitchFault | typeof DiscordFault) =>
    <Said>(said: Said): Said => {
      if (!this.chance.isLikely(this.failureRate)) return said
      if (this.chance.isLikely(0.3)) this.clock.millis += hangMillis
      throw new Fault('unreachable', 'The far side does not answer')
    }
  private readonly twitchSays = this.saying(TwitchFault)
  private readonly discordSays = this.saying(DiscordFault)

  readonly twitch: TwitchApi = {
    ...{ isConfigured: true, clientId: 'client' },
    tokens: {
      validate: async (accessToken) => {
        const userId = accessToken === botToken ? '1' : accessToken.replace('token-', '')
        const scopes = ['moderator:read:chatters', 'user:write:chat']
        const whose = { clientId: 'client', userId, login: this.logins.get(userId) ?? 'bot' }
        return this.twitchSays({ ...whose, scopes, expiresInSeconds: null })
      },
      ...{ refresh: nothing, revoke: nothing, appToken: async () => 'app-token' },
    },
    events: { list: async () => [], create: nothing, remove: nothing },
    liveBroadcasts: async (ids) => {
      const live = [...this.live].filter(([channelId]) => ids.includes(channelId))
      return this.twitchSays(live.map(([channelId, broadcast]) => ({ channelId, ...broadcast })))
    },
    chatters: async () => this.twitchSays([]),
    sendChat: async (_bot, channelId, message) => {
      const name = `${channelId} ${this.twitchSays(message)}`
      const { millis } = this.clock
      if (millis - (this.said.get(name) ?? 0) < sameWordsMillis) {
        return { isSent: false, dropCode: 'msg_duplicate' }
      }
      this.said.set(name, millis)
      return this.twitchSays({ isSent: true, dropCode: undefined })
    },
    channelIdOf: nothing,
  }

  readonly twitchIdentity: TwitchIdentity = {
    isConfigured: true,
    authorizeUrl: authorizeAt('twitch.test'),
    identify: async (id) => {
      const login = this.logins.get(id) ?? id
      const tokens = { accessToken: `token-${id}`, refreshToken: undefined }
      const rest = { tokens, email: undefined, avatar: undefined }
      return this.twitchSays({ id, login, displayName: login, ...rest })
    },
  }

  readonly discordLink: DiscordAccountLink = {
    isConfigured: true,
    authorizeUrl: authorizeAt('discord.test'),
    identify: async (id) => this.discordSays({ id, username: `discord-${id}`, avatar: null }),
  }

  readonly discord: DiscordBot = {
    hasToken: true,
    checkPlace: async () => ({ kind: 'fine' }),
    post: async (channelId, post, nonce) => this.post(channelId, post.content, nonce, post),
    say: async (channelId, content, nonce) => this.post(channelId, content, nonce),
    tell: nothing,
    findText: async (channelId, content) =>
      this.messages.find((one) => one.channelId === channelId && one.content === content)?.id,
    findPost: async (channelId, button) =>
      this.discordSays(this.messages).find(
        (one) => one.channelId === channelId && one.buttonId === button,
      )?.id,
    closePost: async () => this.discordSays(undefined),
    openInteraction: ({ signature, body }) =>
      signature === 'genuine' ? JSON.parse(body.toString()) : { kind: 'forged' },
    openEvent: () => ({ kind: 'forged' }),
    privateAnswer: ({ content }) => ({ content }),
    answerLater: nothing,
  }

  private post(channelId: string, content: string, nonce: string, post?: ButtonPost): string {
    const known = this.discordSays(this.messages).find((one) => one.nonce === nonce)
    if (known !== undefined) return known.id
    this.made += 1
    const id = String(900_000_000_000_000_000n + BigInt(this.made))
    this.messages.push({ id, channelId, content, nonce, ...post })
    if (this.messages.length > messagesMax) this.messages.shift()
    return this.discordSays(id)
  }
}
