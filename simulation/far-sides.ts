// Twitch and Discord as the product meets them at `Deps`: they remember what they were told, and
// fail, hang, or take effect without saying so, as the seed's plan has it.

import type { DiscordAccountLink } from '../server/src/adapters/discord/account-link.ts'
import type { ButtonPost, DiscordBot } from '../server/src/adapters/discord/bot.ts'
import type { Mail, Mailer } from '../server/src/adapters/mail/mailer.ts'
import type { TwitchIdentity } from '../server/src/adapters/twitch/identity.ts'
import type { TwitchApi } from '../server/src/adapters/twitch/twitch-api.ts'
import { DeliveryFault, DiscordFault, TwitchFault } from '../server/src/shared/far-side-faults.ts'
import { Chance, type SimulatedClock } from './chance.ts'

type Message = Record<'id' | 'channelId' | 'content' | 'nonce', string> & { buttonId?: string }

type MailFate = Record<'taken' | 'putOff' | 'unclear', number>

export const botToken = 'bot-access-token-0000000000'
const [sameWordsMillis, hangMillis, messagesMax] = [30_000, 10_000, 400]
const [slowMillis, hourMillis] = [40_000, 3_600_000]
/** What the mail server may do from some mail of an act on. */
const mailTroubles = ['says 451 for hours', 'takes and drops', 'closes', 'is slow'] as const
const nothing = async () => undefined
const authorizeAt = (host: string) => (query: { state: string }) =>
  `https://${host}/authorize?${new URLSearchParams({ state: query.state })}`

export class FarSides {
  /** What Twitch says is live, by channel. */
  readonly live = new Map<string, { readonly broadcastId: string; readonly startedAt: Date }>()
  /** Logins of people by their number at Twitch. */
  readonly logins = new Map<string, string>()
  readonly messages: Message[] = []
  /** By its id, how often the mail server took each mail, put it off, or left its fate open. */
  readonly mails = new Map<string, MailFate>()
  /** What the mail server took in the act under way. */
  taken: Mail[] = []
  /** The last mail that reached each address. */
  readonly mailboxes = new Map<string, Mail>()
  private mailTrouble: { what: string; from: number } | undefined
  private mailsTried = 0
  private busyUntil = 0
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
    Object.assign(this, { mailsTried: 0, mailTrouble: undefined, taken: [] })
  }

  readonly mailer: Mailer = { isSetUp: true, send: (mail) => this.takeMail(mail) }

  private async takeMail(mail: Mail): Promise<void> {
    const { chance, clock } = this
    const fate = this.mails.get(mail.id) ?? { taken: 0, putOff: 0, unclear: 0 }
    this.mails.set(mail.id, fate)
    this.mailsTried += 1
    if (this.mailsTried === 1 && chance.isLikely(this.failureRate)) {
      this.mailTrouble = { what: chance.pick(mailTroubles), from: chance.between(1, 4) }
    }
    const { what, from = 0 } = this.mailTrouble ?? {}
    const trouble = this.mailsTried >= from ? what : undefined
    const isFirst = this.mailsTried === from
    if (trouble === 'says 451 for hours' && isFirst) {
      this.busyUntil = clock.millis + chance.between(1, 8) * hourMillis
    }
    if (clock.millis < this.busyUntil) {
      fate.putOff += 1
      throw new DeliveryFault('later', 'SMTP 451 at RCPT TO')
    }
    if (trouble === 'is slow' && isFirst) clock.millis += slowMillis
    const isCut = trouble === 'closes' && isFirst
    if (isCut) fate.unclear += 1
    if (!isCut || chance.isLikely(0.5)) {
      fate.taken += 1
      this.taken.push(mail)
      if (trouble !== 'takes and drops') this.mailboxes.set(mail.to.address, mail)
    }
    if (isCut) throw new DeliveryFault('unreachable', 'ECONNECTION at DATA')
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
    pictures: async () => new Map(),
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
