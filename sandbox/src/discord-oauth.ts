// Stand-in of Discord's account link: consent page, token exchange and the account behind a token.
// Facts: discord-api-docs topics/oauth2 and resources/user.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendConsentPage } from './consent-page.ts'
import type { KnownViewer, SandboxControls } from './controls.ts'
import { botAccount } from './discord-api.ts'
import type { DiscordState } from './discord-state.ts'
import { formOf, isRegistered, queryOf, withQuery } from './forms.ts'
import { IssuedSecrets } from './tokens.ts'
import { discordIdOf, type Viewers } from './viewers.ts'

const codeSeconds = 600
const tokenSeconds = 604_800

interface LinkState {
  readonly viewers: Viewers
  readonly codes: IssuedSecrets<{ readonly viewer: KnownViewer; readonly redirectUri: string }>
  readonly accessTokens: IssuedSecrets<KnownViewer>
  readonly refreshTokens: IssuedSecrets<KnownViewer>
}

export function serveDiscordOauth(
  app: FastifyInstance,
  controls: SandboxControls,
  viewers: Viewers,
  bot: DiscordState,
): void {
  const config = { access: 'public' as const }
  const now = () => controls.clock.now()
  const state: LinkState = {
    viewers,
    codes: new IssuedSecrets(now),
    accessTokens: new IssuedSecrets(now),
    refreshTokens: new IssuedSecrets(now),
  }
  app.get('/discord/oauth2/authorize', { config }, async (request, reply) => {
    const problem = domainErrorOf(request, controls)
    return problem === undefined
      ? showPage(request, reply, state)
      : reply.code(400).send({ message: problem, code: 50035 })
  })
  app.post('/discord/oauth2/authorize', { config }, async (request, reply) => {
    const problem = domainErrorOf(request, controls)
    return problem === undefined
      ? decide(request, reply, state)
      : reply.code(400).send({ message: problem, code: 50035 })
  })
  app.post('/discord/api/v10/oauth2/token', { config }, async (request, reply) =>
    answerToken(controls, state, request, reply),
  )
  app.get('/discord/api/v10/users/@me', { config }, async (request, reply) => {
    const account = botAccount(request, controls, bot)
    if (account !== undefined) return account
    const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    const viewer = state.accessTokens.find(token)
    if (viewer === undefined) return reply.code(401).send({ message: '401: Unauthorized', code: 0 })
    return accountOf(viewer)
  })
}

function domainErrorOf(request: FastifyRequest, controls: SandboxControls): string | undefined {
  const query = queryOf(request)
  if (query.get('client_id') !== controls.discordClient.clientId) return 'Unknown Application'
  if (!isRegistered(request, controls, '/api/auth/discord/callback')) {
    return 'Invalid OAuth2 redirect_uri'
  }
  if (query.get('response_type') !== 'code') return 'Invalid response_type'
  return query.get('scope') === 'identify' ? undefined : 'Invalid scope'
}

function showPage(
  request: FastifyRequest,
  reply: FastifyReply,
  state: LinkState,
  problem?: string,
): FastifyReply {
  return sendConsentPage(reply, {
    service: 'Discord',
    question: 'Link your Discord account with the application?',
    grants: ['Your Discord name and picture'],
    viewers: state.viewers.offered,
    action: request.url,
    ...(problem === undefined ? {} : { problem }),
  })
}

function decide(request: FastifyRequest, reply: FastifyReply, state: LinkState): FastifyReply {
  const query = queryOf(request)
  const form = formOf(request)
  const redirectUri = query.get('redirect_uri') ?? ''
  const back = query.get('state')
  if (form.get('action') === 'deny') {
    const denied = {
      error: 'access_denied',
      error_description: 'The resource owner or authorization server denied the request',
    }
    return reply.redirect(withQuery(redirectUri, { ...denied, state: back }), 302)
  }
  if (form.get('action') !== 'allow') return showPage(request, reply, state, 'Allow or deny?')
  const viewer = state.viewers.named(form.get('login') ?? '')
  if (viewer === undefined) {
    return showPage(request, reply, state, 'Enter a login name of 1 to 50 characters, no spaces.')
  }
  const code = state.codes.issue({ viewer, redirectUri }, codeSeconds)
  return reply.redirect(withQuery(redirectUri, { code, state: back }), 302)
}

function answerToken(
  controls: SandboxControls,
  state: LinkState,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const form = formOf(request)
  const refuse = (status: number, error: string, description?: string) =>
    reply.code(status).send({
      error,
      ...(description === undefined ? {} : { error_description: description }),
    })
  if (!isClient(controls, request, form)) return refuse(401, 'invalid_client')
  const grantType = form.get('grant_type')
  if (grantType === 'refresh_token') {
    const viewer = state.refreshTokens.take(form.get('refresh_token') ?? '')
    return viewer === undefined ? refuse(400, 'invalid_grant') : issueTokens(state, viewer)
  }
  if (grantType !== 'authorization_code') return refuse(400, 'unsupported_grant_type')
  const granted = state.codes.take(form.get('code') ?? '')
  if (granted === undefined) return refuse(400, 'invalid_grant', 'Invalid "code" in request.')
  if (granted.redirectUri !== form.get('redirect_uri')) {
    return refuse(400, 'invalid_grant', 'Invalid "redirect_uri" in request.')
  }
  return issueTokens(state, granted.viewer)
}

/** The client's pair may stand in the form or in a Basic header. */
function isClient(
  { discordClient }: SandboxControls,
  request: FastifyRequest,
  form: URLSearchParams,
): boolean {
  const basic = /^Basic (\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  const pair =
    basic === undefined
      ? `${form.get('client_id')}:${form.get('client_secret')}`
      : Buffer.from(basic, 'base64').toString('utf8')
  return pair === `${discordClient.clientId}:${discordClient.clientSecret}`
}

function issueTokens(state: LinkState, viewer: KnownViewer) {
  return {
    token_type: 'Bearer',
    access_token: state.accessTokens.issue(viewer, tokenSeconds),
    expires_in: tokenSeconds,
    refresh_token: state.refreshTokens.issue(viewer, 4 * tokenSeconds),
    scope: 'identify',
  }
}

function accountOf(viewer: KnownViewer) {
  return {
    id: discordIdOf(viewer.login),
    username: viewer.login,
    discriminator: '0',
    global_name: viewer.displayName,
    avatar: null,
    banner: null,
    accent_color: null,
    flags: 0,
    public_flags: 0,
    mfa_enabled: false,
    locale: 'en-US',
  }
}
