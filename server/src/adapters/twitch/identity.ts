// Sign-in with Twitch by OpenID Connect: where to send the browser, and who came back.
// Protocol: OpenID Connect Core 1.0 (code flow) as Twitch does it: no PKCE, `scope` as an array.

import { createRemoteJWKSet, jwtVerify } from 'jose'
import * as z from 'zod/mini'
import type { Config } from '../../config/config.ts'
import { Unavailable } from '../../shared/domain-error.ts'
import type { Clock } from '../clock/clock.ts'
import { callJson, readAnswer } from '../outbound/call-json.ts'
import type { TokenPair } from './twitch-api.ts'

export interface TwitchPerson {
  /** Twitch's number of the person; it never changes. */
  readonly id: string
  /** The name in addresses; the person may change it. */
  readonly login: string
  readonly displayName: string
  readonly email: string | undefined
  readonly avatar: string | undefined
  /** What Twitch has handed out for them; it goes into sealed rows and nowhere else. */
  readonly tokens: TokenPair
}

interface SignInRequest {
  readonly redirectUri: string
  /** Comes back inside the signed id_token: without PKCE it is what ties a code to this sign-in. */
  readonly nonce: string
}

const refusal = 'Twitch did not accept the sign-in'
const service = 'Twitch'
const timeoutMillis = 5_000
const clockToleranceSeconds = 60

const always = { picture: null, preferred_username: null }
const mail = { email: null, email_verified: null }

// `scope` is left unread: it comes as an array, as a text or not at all.
const TokenReply = z.object({
  access_token: z.string(),
  refresh_token: z.optional(z.string()),
  id_token: z.string(),
})
const ValidateReply = z.object({ login: z.string(), user_id: z.string(), client_id: z.string() })
const Claims = z.object({
  sub: z.string().check(z.regex(/^\d{1,20}$/)),
  nonce: z.string(),
  email: z.catch(z.optional(z.string()), undefined),
  email_verified: z.catch(z.optional(z.boolean()), undefined),
  picture: z.catch(z.optional(z.string()), undefined),
  preferred_username: z.catch(z.optional(z.string()), undefined),
})

type TwitchSettings = Pick<Config['twitch'], 'clientId' | 'clientSecret' | 'idUrl' | 'asksEmail'>

export type TwitchIdentity = ReturnType<typeof twitchIdentity>

/** The keys of Twitch are read once and again when a token names a key that is not known. */
export function twitchIdentity(settings: TwitchSettings, clock: Clock) {
  const { clientId = '', clientSecret = '' } = settings
  const base = `${settings.idUrl}/oauth2`
  const keys = createRemoteJWKSet(new URL(`${base}/keys`), { timeoutDuration: timeoutMillis })

  async function exchange(code: string, redirectUri: string) {
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: clientId,
      client_secret: clientSecret,
      redirect_uri: redirectUri,
      code,
    })
    const answer = await callJson(service, `${base}/token`, { method: 'POST', body })
    return readAnswer(TokenReply, answer, refusal)
  }

  async function verify(idToken: string, nonce: string) {
    const { payload } = await jwtVerify(idToken, keys, {
      issuer: base,
      audience: clientId,
      algorithms: ['RS256'],
      requiredClaims: ['sub', 'exp', 'iat', 'nonce'],
      clockTolerance: clockToleranceSeconds,
      currentDate: clock.now(),
    }).catch((cause: unknown) => {
      throw new Unavailable('The answer of Twitch cannot be trusted', { cause })
    })
    const claims = readAnswer(Claims, { status: 200, body: payload }, refusal)
    if (claims.nonce !== nonce) throw new Unavailable('The answer of Twitch is for another sign-in')
    return claims
  }

  async function loginOf(accessToken: string, id: string): Promise<string> {
    const headers = { authorization: `OAuth ${accessToken}` }
    const answer = await callJson(service, `${base}/validate`, { headers })
    const token = readAnswer(ValidateReply, answer, refusal)
    if (token.user_id !== id || token.client_id !== clientId) {
      throw new Unavailable('The answers of Twitch name different people')
    }
    return token.login
  }

  return {
    /** False when the client settings are missing. */
    isConfigured: settings.clientId !== undefined && settings.clientSecret !== undefined,
    authorizeUrl: ({ redirectUri, nonce, state }: SignInRequest & { readonly state: string }) =>
      `${base}/authorize?${new URLSearchParams({
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: settings.asksEmail ? 'openid user:read:email' : 'openid',
        claims: JSON.stringify({ id_token: { ...always, ...(settings.asksEmail && mail) } }),
        state,
        nonce,
      })}`,
    /**
     * Exchanges the code and checks the id_token's signature, issuer, audience, time and nonce.
     * @throws Unavailable for every way in which Twitch does not vouch for a person
     */
    async identify(code: string, { redirectUri, nonce }: SignInRequest): Promise<TwitchPerson> {
      const tokens = await exchange(code, redirectUri)
      const claims = await verify(tokens.id_token, nonce)
      const login = await loginOf(tokens.access_token, claims.sub)
      return {
        id: claims.sub,
        login,
        displayName: claims.preferred_username ?? login,
        email: claims.email_verified === false ? undefined : claims.email,
        avatar: imageAddress(claims.picture),
        tokens: { accessToken: tokens.access_token, refreshToken: tokens.refresh_token },
      }
    },
  }
}

/** A picture is shown to everyone, so only an https address or a path of this site is kept. */
function imageAddress(picture: string | undefined): string | undefined {
  return picture !== undefined && /^(https:\/\/|\/(?![/\\]))/.test(picture) ? picture : undefined
}
