// Twitch and Discord as the product meets them at `Deps`: they remember what they were told, and
// fail, or take effect without saying so, as the seed's plan has it.

import type { DiscordAccountLink } from '../server/src/adapters/discord/account-link.ts'
import type { ButtonPost, DiscordBot } from '../server/src/adapters/discord/bot.ts'
import type { Interaction } from '../server/src/adapters/discord/interactions.ts'
import type { TwitchIdentity } from '../server/src/adapters/twitch/identity.ts'
import type { TwitchApi } from '../server/src/adapters/twitch/twitch-api.ts'
import { DiscordFault } from '../server/src/shared/discord-fault.ts'
import { TwitchFault } from '../server/src/shared/twitch-fault.ts'
import { Chance } from './chance.ts'
import type { SimulatedClock } from './simulated-clock.ts'

export interface DiscordMessage {
  readonly id: string
  readonly channelId: string
  readonly content: string
  readonly buttonId: string | undefined
  readonly nonce: string
}

interface Broadcast {
  readonly broadcastId: string
  readonly startedAt: Date
}

export const botToken = 'bot-access-token-0000000000'
const sameWordsMillis = 30_000
const keptMessages = 400

export class FarSides {
  /** What Twitch says is live, by channel. */
  readonly live = new Map<string, Broadcast>()
  /** Logins of people by their number at Twitch. */
  readonly logins = new Map<string, string>()
  readonly messages: DiscordMessage[] = []
  /** How often each line of chat was shown, and when last. */
  readonly said = new Map<string, { readonly count: number; readonly at: number }>()
  private readonly clock: SimulatedClock
  private readonly failureRate: number
  private chance = new Chance('far')
  private made = 0

  constructor(clock: SimulatedClock, failureRate: number) {
    this.clock = clock
    this.failureRate = failureRate
  }

  begin(act: string): void {
    this.chance = new Chance(`far ${act}`)
  }

  private twitchMayFail(): void {
    if (!this.chance.isLikely(this.failureRate)) return
    throw new TwitchFault('unreachable', 'Twitch does not answer')
  }

  private discordMayFail(): void {
    if (!this.chance.isLikely(this.failureRate)) return
    throw new DiscordFault('unreachable', 'Discord does not answer')
  }

  readonly twitch: TwitchApi = {
    isConfigured: true,
    clientId: 'client',
    tokens: {
      validate: async (accessToken) => {
        this.twitchMayFail()
        const userId = accessToken === botToken ? '1' : accessToken.replace('token-', '')
        const scopes = ['moderator:read:chatters', 'user:write:chat']
        const login = this.logins.get(userId) ?? 'bot'
        return { clientId: 'client', login, userId, scopes, expiresInSeconds: null }
      },
      refresh: async () => undefined,
      revoke: async () => undefined,
      appToken: async () => 'app-token',
    },
    events: { list: async () => [], create: async () => undefined, remove: async () => undefined },
    liveBroadcasts: async (channelIds) => {
      this.twitchMayFail()
      return channelIds.flatMap((channelId) => {
        const broadcast = this.live.get(channelId)
        return broadcast === undefined ? [] : [{ channelId, ...broadcast }]
      })
    },
    chatters: async () => {
      this.twitchMayFail()
      return []
    },
    sendChat: async (_bot, channelId, message) => {
      this.twitchMayFail()
      const name = `${channelId} ${message}`
      const before = this.said.get(name)
      if (before !== undefined && this.clock.millis - before.at < sameWordsMillis) {
        return { isSent: false, dropCode: 'msg_duplicate' }
      }
      this.said.set(name, { count: (before?.count ?? 0) + 1, at: this.clock.millis })
      this.twitchMayFail()
      return { isSent: true, dropCode: undefined }
    },
    channelIdOf: async () => undefined,
  }

  readonly twitchIdentity: TwitchIdentity = {
    isConfigured: true,
    authorizeUrl: ({ state, nonce }) =>
      `https://twitch.test/authorize?${new URLSearchParams({ state, nonce })}`,
    identify: async (code) => {
      this.twitchMayFail()
      const login = this.logins.get(code) ?? code
      const tokens = { accessToken: `token-${code}`, refreshToken: undefined }
      const nothing = { email: undefined, avatar: undefined }
      return { id: code, login, displayName: login, tokens, ...nothing }
    },
  }

  readonly discordLink: DiscordAccountLink = {
    isConfigured: true,
    authorizeUrl: ({ state }) => `https://discord.test/authorize?${new URLSearchParams({ state })}`,
    identify: async (code) => {
      this.discordMayFail()
      return { id: code, username: `discord-${code}`, avatar: null }
    },
  }

  readonly discord: DiscordBot = {
    hasToken: true,
    checkPlace: async () => ({ kind: 'fine' }),
    post: async (channelId, post, nonce) => this.post(channelId, post.content, nonce, post),
    say: async (channelId, content, nonce) => this.post(channelId, content, nonce),
    findText: async (channelId, content) =>
      this.messages.find((one) => one.channelId === channelId && one.content === content)?.id,
    findPost: async (channelId, buttonId) => {
      this.discordMayFail()
      return this.messages.find((one) => one.channelId === channelId && one.buttonId === buttonId)
        ?.id
    },
    closePost: async () => this.discordMayFail(),
    openInteraction: ({ signature, body }): Interaction =>
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
    this.messages.push({ id, channelId, content, buttonId: post?.buttonId, nonce })
    if (this.messages.length > keptMessages) this.messages.shift()
    this.discordMayFail()
    return id
  }
}
