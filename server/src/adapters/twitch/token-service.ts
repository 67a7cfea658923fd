// Twitch's token service: whether a token stands, a new one for an old one, and the app's own.
// Facts: dev.twitch.tv/docs/authentication/{validate-tokens,refresh-tokens,revoke-tokens}.

import * as z from 'zod/mini'
import type { Config } from '../../config/config.ts'
import { TwitchFault } from '../../shared/far-side-faults.ts'
import type { Clock } from '../clock/clock.ts'
import { faultOf, readAnswer, type TwitchCaller } from './twitch-calls.ts'

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

export interface RefreshedTokens extends TokenPair {
  readonly expiresInSeconds: number | null
}

export interface TokenService {
  /** Undefined for a token that Twitch does not accept any more. @throws TwitchFault */
  validate(accessToken: string): Promise<TokenFacts | undefined>
  /**
   * Undefined when the refresh token is not accepted any more.
   * @throws TwitchFault, also when Twitch refuses the client, which says nothing of the token
   */
  refresh(clientId: string, refreshToken: string): Promise<RefreshedTokens | undefined>
  /** Ends a token; one that has ended already is fine. @throws TwitchFault */
  revoke(clientId: string, accessToken: string): Promise<void>
  /** The app's own token, kept until it expires; one that was refused is replaced. */
  appToken(refused?: string): Promise<string>
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
const bucket = 'id'

type TwitchSettings = Pick<Config['twitch'], 'clientId' | 'clientSecret' | 'idUrl'>

export function tokenService(
  settings: TwitchSettings,
  clock: Clock,
  call: TwitchCaller,
): TokenService {
  const { clientId: ownId = '', clientSecret = '' } = settings
  const base = `${settings.idUrl}/oauth2`
  const secretFor = (clientId: string): Record<string, string> =>
    clientId === ownId && clientSecret !== '' ? { client_secret: clientSecret } : {}
  let app: { readonly token: string; readonly untilMillis: number } | undefined
  let asking: Promise<string> | undefined

  async function newAppToken(): Promise<string> {
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
  }

  return {
    async validate(accessToken) {
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
    async refresh(clientId, refreshToken) {
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
    async revoke(clientId, accessToken) {
      const form = { client_id: clientId, token: accessToken }
      const answer = await call({ method: 'POST', url: `${base}/revoke`, form, bucket })
      if (answer.status !== 200 && answer.status !== 400) throw faultOf(answer)
    },
    appToken(refused) {
      const isFresh = app !== undefined && app.untilMillis > clock.now().getTime()
      if (isFresh && app?.token !== refused) return Promise.resolve(app?.token ?? '')
      // Callers that come at once share one question.
      asking ??= newAppToken().finally(() => {
        asking = undefined
      })
      return asking
    },
  }
}
