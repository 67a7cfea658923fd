// What the product asks of Twitch: broadcasts, chatters, chat messages, events, tokens.
// Facts: dev.twitch.tv/docs/api/reference.

import * as z from 'zod/mini'
import type { Config } from '../../config/config.ts'
import { TwitchFault } from '../../shared/far-side-faults.ts'
import type { Clock } from '../clock/clock.ts'
import { type EventSub, eventSub } from './event-subscriptions.ts'
import { type TokenService, tokenService } from './token-service.ts'
import { faultOf, readAnswer, type TwitchCall, twitchCaller } from './twitch-calls.ts'

/** A broadcast that is live now. */
export interface LiveBroadcast {
  readonly channelId: string
  readonly broadcastId: string
  readonly startedAt: Date
}

/** The bot's way in: its token and the client it was made for. */
export interface BotAccess {
  readonly clientId: string
  readonly accessToken: string
  readonly userId: string
}

export interface ChatOutcome {
  readonly isSent: boolean
  /** Twitch's code when it took the message and did not show it, for example `msg_duplicate`. */
  readonly dropCode: string | undefined
}

export interface TwitchApi {
  /** False when client id or secret is missing; then nothing can be asked as the app. */
  readonly isConfigured: boolean
  readonly clientId: string | undefined
  readonly tokens: TokenService
  readonly events: EventSub
  /**
   * The channels of at most 100 ids that are live; the others are offline. Asked as the app where
   * no bot is named. @throws TwitchFault
   */
  liveBroadcasts(channelIds: readonly string[], bot?: BotAccess): Promise<LiveBroadcast[]>
  /** Addresses of the pictures of at most 100 people or channels, by id. @throws TwitchFault */
  pictures(ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Ids of everybody in the channel's chat; the bot must be a moderator. @throws TwitchFault */
  chatters(bot: BotAccess, channelId: string): Promise<string[]>
  /** Says one line of at most 500 characters. @throws TwitchFault when it was not taken */
  sendChat(bot: BotAccess, channelId: string, message: string): Promise<ChatOutcome>
}

/** A call as somebody: their token goes with it. */
export type HelixCall = Omit<TwitchCall, 'url' | 'headers' | 'bucket'> & {
  readonly path: string
  readonly query?: Readonly<Record<string, string | readonly string[]>>
}

const Streams = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      user_id: z.string(),
      type: z.string(),
      started_at: z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text)))),
    }),
  ),
})
const Users = z.object({
  data: z.array(z.object({ id: z.string(), profile_image_url: z.string() })),
})
const Chatters = z.object({
  data: z.array(z.object({ user_id: z.string() })),
  // Some answers carry no cursor object at all.
  pagination: z.optional(z.object({ cursor: z.optional(z.string()) })),
})
const Sent = z.object({
  data: z.array(
    z.object({
      is_sent: z.boolean(),
      // Null on success, unlike the published schema (twitchdev/issues#1019).
      drop_reason: z.optional(z.nullable(z.object({ code: z.string() }))),
    }),
  ),
})

const idsMax = 100
const chatterPageMax = 1_000
const chatterPagesMax = 100

type TwitchSettings = Pick<Config['twitch'], 'clientId' | 'clientSecret' | 'idUrl' | 'apiUrl'>

export function twitchApi(settings: TwitchSettings, clock: Clock): TwitchApi {
  const { clientId } = settings
  // The two services fail on their own, so neither closes the way to the other.
  const tokens = tokenService(settings, clock, twitchCaller(clock))
  const caller = twitchCaller(clock)

  async function ask(request: HelixCall, who: { clientId: string; token: string; bucket: string }) {
    const { path, query = {}, ...rest } = request
    const url = new URL(`${settings.apiUrl}${path}`)
    for (const [name, value] of Object.entries(query)) {
      for (const one of [value].flat()) url.searchParams.append(name, one)
    }
    const headers = { authorization: `Bearer ${who.token}`, 'client-id': who.clientId }
    const answer = await caller({ ...rest, url: url.href, headers, bucket: who.bucket })
    if (answer.status >= 300) throw faultOf(answer)
    return answer
  }

  /** A call as the app; a token that is refused is replaced once. */
  async function asApp(request: HelixCall) {
    const token = await tokens.appToken()
    const who = (fresh: string) => ({ clientId: clientId ?? '', token: fresh, bucket: 'app' })
    try {
      return await ask(request, who(token))
    } catch (error) {
      if (!(error instanceof TwitchFault) || error.kind !== 'unauthorized') throw error
      return ask(request, who(await tokens.appToken(token)))
    }
  }

  const asBot = (bot: BotAccess, request: HelixCall) =>
    ask(request, {
      clientId: bot.clientId,
      token: bot.accessToken,
      bucket: `bot ${bot.userId}`,
    })

  return {
    isConfigured: clientId !== undefined && settings.clientSecret !== undefined,
    clientId,
    tokens,
    events: eventSub(asApp, clientId),
    async liveBroadcasts(channelIds, bot) {
      if (channelIds.length === 0) return []
      const query = { user_id: channelIds.slice(0, idsMax), first: String(idsMax) }
      const request = { path: '/streams', query }
      const answer = readAnswer(Streams, await (bot ? asBot(bot, request) : asApp(request)))
      return answer.data
        .filter(({ type }) => type === 'live')
        .map(({ id, user_id, started_at }) => {
          return { channelId: user_id, broadcastId: id, startedAt: new Date(started_at) }
        })
    },
    async pictures(ids) {
      const query = { id: ids.slice(0, idsMax) }
      const { data } = readAnswer(Users, await asApp({ path: '/users', query }))
      const known = data.filter(({ profile_image_url: address }) => address !== '')
      return new Map(known.map(({ id, profile_image_url: address }) => [id, address]))
    },
    async chatters(bot, channelId) {
      const found: string[] = []
      const base = { broadcaster_id: channelId, moderator_id: bot.userId }
      const first = String(chatterPageMax)
      let after: string | undefined
      for (let page = 0; page < chatterPagesMax; page += 1) {
        const query = { ...base, first, ...(after === undefined ? {} : { after }) }
        const answer = readAnswer(Chatters, await asBot(bot, { path: '/chat/chatters', query }))
        found.push(...answer.data.map(({ user_id }) => user_id))
        after = answer.pagination?.cursor
        if (after === undefined || after === '' || answer.data.length === 0) break
      }
      return found
    },
    async sendChat(bot, channelId, message) {
      const json = { broadcaster_id: channelId, sender_id: bot.userId, message }
      const answer = await asBot(bot, { method: 'POST', path: '/chat/messages', json })
      const [sent] = readAnswer(Sent, answer).data
      return { isSent: sent?.is_sent ?? false, dropCode: sent?.drop_reason?.code }
    },
  }
}
