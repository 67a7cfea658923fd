// Stand-in of Twitch's token service: exchange, refresh, validate, revoke, keys.
// Facts: dev.twitch.tv/docs/authentication; `scope` is an array there, unlike RFC 6749.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type JWTPayload, SignJWT } from 'jose'
import type { KnownViewer, SandboxControls } from './controls.ts'
import { open, parametersOf } from './requests.ts'
import type { GrantedCode, TokenGrant, TwitchState } from './twitch-state.ts'

const userTokenSeconds = 14_124
const appTokenSeconds = 5_011_271
const refreshTokenSeconds = 30 * 24 * 3_600
const idTokenSeconds = 900

export function serveTwitchTokens(
  app: FastifyInstance,
  controls: SandboxControls,
  state: TwitchState,
): void {
  const base = '/twitch/id/oauth2'
  const issuer = `${controls.publicUrl}/sandbox${base}`
  const service = { controls, state, issuer }

  app.post(`${base}/token`, open, async (request, reply) => answerToken(service, request, reply))
  app.get(`${base}/validate`, open, async (request, reply) => answerValidate(state, request, reply))
  app.post(`${base}/revoke`, open, async (request, reply) => answerRevoke(service, request, reply))
  app.get(`${base}/keys`, open, async () => ({ keys: [(await state.signing).publicJwk] }))
}

interface TokenService {
  readonly controls: SandboxControls
  readonly state: TwitchState
  readonly issuer: string
}

function refuse(reply: FastifyReply, status: number, message: string): FastifyReply {
  return reply.code(status).send({ status, message })
}

async function answerToken(service: TokenService, request: FastifyRequest, reply: FastifyReply) {
  const parameters = parametersOf(request)
  const { clientId, clientSecret } = service.controls.twitchClient
  const sentId = parameters.get('client_id')
  const sentSecret = parameters.get('client_secret')
  if (sentId === null) return refuse(reply, 400, 'missing client id')
  if (sentId !== clientId) return refuse(reply, 400, 'invalid client')
  if (sentSecret === null) return refuse(reply, 400, 'missing client secret')
  if (sentSecret !== clientSecret) return refuse(reply, 403, 'invalid client secret')
  switch (parameters.get('grant_type')) {
    case 'authorization_code':
      return exchangeCode(service, parameters, reply)
    case 'refresh_token':
      return refresh(service.state, parameters, reply)
    case 'client_credentials': {
      const grant = { viewer: undefined, clientId, scopes: [] }
      return {
        access_token: service.state.accessTokens.issue(grant, appTokenSeconds),
        expires_in: appTokenSeconds,
        token_type: 'bearer',
      }
    }
    case null:
      return refuse(reply, 400, 'missing grant type')
    default:
      return refuse(reply, 400, 'invalid grant type')
  }
}

async function exchangeCode(
  service: TokenService,
  parameters: URLSearchParams,
  reply: FastifyReply,
) {
  const granted = service.state.codes.take(parameters.get('code') ?? '')
  if (granted === undefined || granted.clientId !== parameters.get('client_id')) {
    return refuse(reply, 400, 'Invalid authorization code')
  }
  if (granted.redirectUri !== parameters.get('redirect_uri')) {
    return refuse(reply, 400, 'Parameter redirect_uri does not match registered URI')
  }
  const reply200 = issueUserTokens(service.state, granted)
  if (!granted.scopes.includes('openid')) return reply200
  return { ...reply200, id_token: await signIdToken(service, granted) }
}

/** A pair of tokens for a person's grant, as the exchange of a code answers them. */
export function issueUserTokens(state: TwitchState, grant: TokenGrant) {
  const { viewer, clientId, scopes, isBot = false } = grant
  const kept = { viewer, clientId, scopes, isBot, holder: viewer?.id ?? '' }
  return {
    access_token: state.accessTokens.issue(kept, userTokenSeconds),
    expires_in: userTokenSeconds,
    refresh_token: state.refreshTokens.issue(kept, refreshTokenSeconds),
    scope: [...scopes],
    token_type: 'bearer',
  }
}

function refresh(state: TwitchState, parameters: URLSearchParams, reply: FastifyReply) {
  const refreshToken = parameters.get('refresh_token') ?? ''
  const grant = state.refreshTokens.find(refreshToken)
  if (grant === undefined) return refuse(reply, 400, 'Invalid refresh token')
  return { ...issueUserTokens(state, grant), refresh_token: refreshToken }
}

async function signIdToken(
  { controls, state, issuer }: TokenService,
  granted: GrantedCode,
): Promise<string> {
  const { clientId, nonce, viewer } = granted
  const { privateKey, publicJwk } = await state.signing
  const issuedAt = Math.floor(controls.clock.now().getTime() / 1000)
  const claims: JWTPayload = {
    ...requestedClaims(granted),
    azp: clientId,
    ...(nonce === undefined ? {} : { nonce }),
  }
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: publicJwk.kid ?? '' })
    .setIssuer(issuer)
    .setSubject(viewer.id)
    .setAudience(clientId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + idTokenSeconds)
    .sign(privateKey)
}

/** The claims that the `claims` parameter asked for; the address only with its scope. */
function requestedClaims({ viewer, scopes, claims }: GrantedCode): JWTPayload {
  const names = wanted(claims)
  const all = claimsOf(viewer, scopes.includes('user:read:email'))
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.has(name)))
}

function claimsOf(viewer: KnownViewer, hasEmail: boolean): Record<string, unknown> {
  return {
    preferred_username: viewer.displayName,
    picture: viewer.avatar,
    ...(hasEmail ? { email: `${viewer.login}@example.com`, email_verified: true } : {}),
  }
}

function wanted(claims: string | undefined): Set<string> {
  try {
    const parsed: unknown = JSON.parse(claims ?? '{}')
    const asked = (parsed as Record<string, unknown> | null)?.['id_token']
    return new Set(typeof asked === 'object' && asked !== null ? Object.keys(asked) : [])
  } catch {
    return new Set()
  }
}

function answerValidate(state: TwitchState, request: FastifyRequest, reply: FastifyReply) {
  const header = request.headers.authorization
  if (header === undefined) return refuse(reply, 401, 'missing authorization token')
  const token = /^(?:OAuth|Bearer) (\S+)$/i.exec(header)?.[1] ?? ''
  const grant = state.accessTokens.find(token)
  if (grant === undefined) return refuse(reply, 401, 'invalid access token')
  return {
    client_id: grant.clientId,
    ...(grant.viewer === undefined
      ? { scopes: null }
      : { login: grant.viewer.login, scopes: [...grant.scopes], user_id: grant.viewer.id }),
    expires_in: state.accessTokens.secondsLeft(token),
  }
}

function answerRevoke(
  { controls, state }: TokenService,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const parameters = parametersOf(request)
  if (parameters.get('client_id') === null) return refuse(reply, 400, 'missing client id')
  if (parameters.get('client_id') !== controls.twitchClient.clientId) {
    return refuse(reply, 404, 'client does not exist')
  }
  const revoked = state.accessTokens.take(parameters.get('token') ?? '')
  return revoked === undefined ? refuse(reply, 400, 'Invalid token') : reply.code(200).send()
}
