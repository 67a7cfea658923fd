// What the product asks of Twitch: broadcasts, chatters, chat messages, events, tokens.
// Facts: dev.twitch.tv/docs/api/reference, .../docs/authentication/{validate-tokens,refresh-tokens,
// revoke-tokens}, .../docs/eventsub/{manage-subscriptions,eventsub-subscription-types}.

import * as z from 'zod/mini'
import type { Config } from '../../config/config.ts'
import { TwitchFault } from '../../shared/far-side-faults.ts'
import { sharedRuns } from '../../shared/turns.ts'
import type { Clock } from '../clock/clock.ts'
import {
  faultOf,
  readAnswer,
  type TwitchAnswer,
  type TwitchCall,
  type TwitchCaller,
  twitchCaller,
} from './twitch-calls.ts'

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

/** A call as somebody: their token goes with it. */
type HelixCall = Omit<TwitchCall, 'url' | 'headers' | 'bucket'> & {
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
const Chatters = paged(z.object({ user_id: z.string() }))
const Sent = z.object({
  data: z.array(
    z.object({
      is_sent: z.boolean(),
      // Null on success, unlike the published schema (twitchdev/issues#1019).
      drop_reason: z.optional(z.nullable(z.object({ code: z.string() }))),
    }),
  ),
})

/** A list in pages; some answers carry no cursor object at all. */
function paged<Row extends z.ZodMiniType>(row: Row) {
  const pagination = z.optional(z.object({ cursor: z.optional(z.string()) }))
  return z.object({ data: z.array(row), pagination })
}

/** What a list has, page after page, at most so many of them. */
async function readPages<Row extends z.ZodMiniType>(
  schema: ReturnType<typeof paged<Row>>,
  request: HelixCall,
  ask: (request: HelixCall) => Promise<TwitchAnswer>,
  pagesMax: number,
): Promise<z.output<Row>[]> {
  const found: z.output<Row>[] = []
  let after: string | undefined
  for (let page = 0; page < pagesMax; page += 1) {
    const query = { ...request.query, ...(after === undefined ? {} : { after }) }
    const { data, pagination } = readAnswer(schema, await ask({ ...request, query }))
    found.push(...data)
    after = pagination?.cursor
    if (after === undefined || after === '' || data.length === 0) break
  }
  return found
}

const idsMax = 100
const chatterPageMax = 1_000
const chatterPagesMax = 100
const subscriptionPagesMax = 200

type TwitchSettings = Pick<Config['twitch'], 'clientId' | 'clientSecret' | 'idUrl' | 'apiUrl'>

export type TwitchApi = ReturnType<typeof twitchApi>

export function twitchApi(settings: TwitchSettings, clock: Clock) {
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
    /** False when client id or secret is missing; then nothing can be asked as the app. */
    isConfigured: clientId !== undefined && settings.clientSecret !== undefined,
    clientId,
    tokens,
    events: eventSub(asApp, clientId),
    /**
     * The channels of at most 100 ids that are live; the others are offline. Asked as the app where
     * no bot is named. @throws TwitchFault
     */
    async liveBroadcasts(channelIds: readonly string[], bot?: BotAccess): Promise<LiveBroadcast[]> {
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
    /** Addresses of the pictures of at most 100 people or channels, by id. @throws TwitchFault */
    async pictures(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
      const query = { id: ids.slice(0, idsMax) }
      const { data } = readAnswer(Users, await asApp({ path: '/users', query }))
      const known = data.filter(({ profile_image_url: address }) => address !== '')
      return new Map(known.map(({ id, profile_image_url: address }) => [id, address]))
    },
    /** Ids of everybody in the channel's chat; the bot must be a moderator. @throws TwitchFault */
    async chatters(bot: BotAccess, channelId: string): Promise<string[]> {
      const query = {
        broadcaster_id: channelId,
        moderator_id: bot.userId,
        first: String(chatterPageMax),
      }
      const request = { path: '/chat/chatters', query }
      const found = await readPages(Chatters, request, (page) => asBot(bot, page), chatterPagesMax)
      return found.map(({ user_id }) => user_id)
    },
    /** Says one line of at most 500 characters. @throws TwitchFault when it was not taken */
    async sendChat(bot: BotAccess, channelId: string, message: string) {
      const json = { broadcaster_id: channelId, sender_id: bot.userId, message }
      const answer = await asBot(bot, { method: 'POST', path: '/chat/messages', json })
      const [sent] = readAnswer(Sent, answer).data
      return {
        isSent: sent?.is_sent ?? false,
        /** Twitch's code when it took the message and did not show it, such as `msg_duplicate`. */
        dropCode: sent?.drop_reason?.code,
      }
    },
  }
}

/** What Twitch says about a token that stands. */
export interface TokenFacts {
  readonly clientId: string
  /** Empty for tokens that belong to no person. */
  readonly login: string
  readonly userId: string
  readonly scopes: readonly string[]
  /** Null for the old tokens that never expire. */
  readonly expiresInSeconds: number | null
}

export interface TokenPair {
  readonly accessToken: string
  readonly refreshToken: string | undefined
}

const ValidateReply = z.object({
  client_id: z.string(),
  login: z.optional(z.string()),
  user_id: z.optional(z.string()),
  // Null for app tokens, and sometimes for others (twitchdev/issues#1037).
  scopes: z.optional(z.nullable(z.array(z.string()))),
  expires_in: z.int(),
})
// `scope` is left unread: an array, a text or missing. Validation says the same and more.
const TokenReply = z.object({
  access_token: z.string().check(z.minLength(1)),
  refresh_token: z.optional(z.string()),
  expires_in: z.optional(z.int()),
})

const Refusal = z.object({ message: z.string() })

/** "invalid client", "missing client secret" and their like. */
const isAboutClient = (body: unknown) => {
  const refusal = Refusal.safeParse(body)
  return refusal.success && /client/i.test(refusal.data.message)
}

const appTokenMarginMillis = 300_000
/** Whose limit the calls to the token service count against. */
const bucket = 'id'

function tokenService(settings: TwitchSettings, clock: Clock, call: TwitchCaller) {
  const { clientId: ownId = '', clientSecret = '' } = settings
  const base = `${settings.idUrl}/oauth2`
  const secretFor = (clientId: string): Record<string, string> =>
    clientId === ownId && clientSecret !== '' ? { client_secret: clientSecret } : {}
  let app: { readonly token: string; readonly untilMillis: number } | undefined

  // Callers that come at once share one question.
  const newAppToken = sharedRuns(async () => {
    if (ownId === '' || clientSecret === '') {
      throw new TwitchFault('refused', 'Twitch is not set up: client id and secret are missing')
    }
    const form = { grant_type: 'client_credentials', client_id: ownId, ...secretFor(ownId) }
    const answer = await call({ method: 'POST', url: `${base}/token`, form, bucket })
    if (answer.status !== 200) throw faultOf(answer)
    const { access_token: token, expires_in: seconds = 3_600 } = readAnswer(TokenReply, answer)
    const untilMillis = clock.now().getTime() + seconds * 1000 - appTokenMarginMillis
    app = { token, untilMillis }
    return token
  })

  return {
    /** Undefined for a token that Twitch does not accept any more. @throws TwitchFault */
    async validate(accessToken: string): Promise<TokenFacts | undefined> {
      const headers = { authorization: `OAuth ${accessToken}` }
      const answer = await call({ url: `${base}/validate`, headers, bucket })
      if (answer.status === 401) return undefined
      if (answer.status !== 200) throw faultOf(answer)
      const facts = readAnswer(ValidateReply, answer)
      return {
        clientId: facts.client_id,
        login: facts.login ?? '',
        userId: facts.user_id ?? '',
        scopes: facts.scopes ?? [],
        expiresInSeconds: facts.expires_in === 0 ? null : facts.expires_in,
      }
    },
    /**
     * Undefined when the refresh token is not accepted any more.
     * @throws TwitchFault, also when Twitch refuses the client, which says nothing of the token
     */
    async refresh(clientId: string, refreshToken: string) {
      const form = {
        grant_type: 'refresh_token',
        client_id: clientId,
        refresh_token: refreshToken,
        ...secretFor(clientId),
      }
      const answer = await call({ method: 'POST', url: `${base}/token`, form, bucket })
      const isRefused = answer.status === 400 || answer.status === 401
      if (isRefused && !isAboutClient(answer.body)) return undefined
      if (answer.status !== 200) throw faultOf(answer)
      const tokens = readAnswer(TokenReply, answer)
      return {
        accessToken: tokens.access_token,
        // Not every refresh brings a new one; the old one stays good then.
        refreshToken: tokens.refresh_token ?? refreshToken,
        expiresInSeconds: tokens.expires_in ?? null,
      }
    },
    /** Ends a token; one that has ended already is fine. @throws TwitchFault */
    async revoke(clientId: string, accessToken: string): Promise<void> {
      const form = { client_id: clientId, token: accessToken }
      const answer = await call({ method: 'POST', url: `${base}/revoke`, form, bucket })
      if (answer.status !== 200 && answer.status !== 400) throw faultOf(answer)
    },
    /** The app's own token, kept until it expires; one that was refused is replaced. */
    appToken(refused?: string): Promise<string> {
      const isFresh = app !== undefined && app.untilMillis > clock.now().getTime()
      if (isFresh && app?.token !== refused) return Promise.resolve(app?.token ?? '')
      return newAppToken()
    },
  }
}

type SubscriptionType = 'stream.online' | 'stream.offline' | 'user.authorization.revoke'

export interface WantedSubscription {
  readonly type: SubscriptionType
  /** The channel; empty for what concerns the whole app. */
  readonly channelId: string
}

export interface Subscription {
  readonly id: string
  readonly type: string
  readonly channelId: string
  readonly callback: string
  /** True while events come, or the address is about to be checked. */
  readonly isAlive: boolean
}

const Subscriptions = paged(
  z.object({
    id: z.string(),
    status: z.string(),
    type: z.string(),
    condition: z.record(z.string(), z.unknown()),
    transport: z.object({ callback: z.optional(z.string()) }),
  }),
)

const alive = new Set(['enabled', 'webhook_callback_verification_pending'])
const subscriptionsPath = '/eventsub/subscriptions'

function eventSub(
  asApp: (request: HelixCall) => Promise<TwitchAnswer>,
  clientId: string | undefined,
) {
  return {
    /** Every subscription of the app. @throws TwitchFault */
    async list(): Promise<Subscription[]> {
      const found = await readPages(
        Subscriptions,
        { path: subscriptionsPath },
        asApp,
        subscriptionPagesMax,
      )
      return found.map(({ id, status, type, condition, transport }) => ({
        id,
        type,
        channelId: String(condition['broadcaster_user_id'] ?? ''),
        callback: transport.callback ?? '',
        isAlive: alive.has(status),
      }))
    },
    /** Has events sent to an https address. One that exists is fine. @throws TwitchFault */
    async create(
      { type, channelId }: WantedSubscription,
      callback: string,
      secret: string,
    ): Promise<void> {
      const condition =
        channelId === '' ? { client_id: clientId ?? '' } : { broadcaster_user_id: channelId }
      const transport = { method: 'webhook', callback, secret }
      const json = { type, version: '1', condition, transport }
      await asApp({ method: 'POST', path: subscriptionsPath, json }).catch(unlessRefusedWith(409))
    },
    /** Ends a subscription; one that has ended already is fine. @throws TwitchFault */
    async remove(id: string): Promise<void> {
      const request = { method: 'DELETE' as const, path: subscriptionsPath, query: { id } }
      await asApp(request).catch(unlessRefusedWith(404))
    },
  }
}

function unlessRefusedWith(status: number): (error: unknown) => undefined {
  return (error) => {
    if (error instanceof TwitchFault && error.code === status) return undefined
    throw error
  }
}
