// Stand-in of Discord's account link: consent page, token exchange and the account behind a token.
// Facts: discord-api-docs topics/oauth2 and resources/user.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { serveConsent } from './consent-page.ts'
import type { KnownViewer, SandboxControls } from './controls.ts'
import { botAccount } from './discord-api.ts'
import { notAuthorized, refuse } from './discord-errors.ts'
import type { DiscordState } from './discord-state.ts'
import { bearerOf, formOf, isRegistered, open, queryOf } from './requests.ts'
import { SignedGrants } from './signed-grants.ts'
import { discordIdOf, type Viewers } from './viewers.ts'

const codeSeconds = 600
const tokenSeconds = 604_800

interface LinkState {
  readonly codes: SignedGrants<{ readonly viewer: KnownViewer; readonly redirectUri: string }>
  readonly accessTokens: SignedGrants<KnownViewer>
}

export function serveDiscordOauth(
  app: FastifyInstance,
  controls: SandboxControls,
  viewers: Viewers,
  bot: DiscordState,
): void {
  const now = () => controls.clock.now()
  const { clientSecret } = controls.discordClient
  const state: LinkState = {
    codes: new SignedGrants(now, `discord code ${clientSecret}`),
    accessTokens: new SignedGrants(now, `discord access ${clientSecret}`),
  }
  serveConsent(app, {
    service: 'Discord',
    path: '/discord/oauth2/authorize',
    question: 'Link your Discord account with the application?',
    grants: () => ['Your Discord name and picture'],
    viewers,
    denied: 'The resource owner or authorization server denied the request',
    problemOf: (request) => {
      const message = problemOf(request, controls)
      return message === undefined ? undefined : { message, code: 50_035 }
    },
    issue: (viewer, query) => {
      const granted = { viewer, redirectUri: query.get('redirect_uri') ?? '' }
      return { code: state.codes.issue(granted, codeSeconds) }
    },
  })
  app.post('/discord/api/v10/oauth2/token', open, async (request, reply) =>
    answerToken(controls, state, request, reply),
  )
  app.get('/discord/api/v10/users/@me', open, async (request, reply) => {
    const account = botAccount(request, controls, bot)
    if (account !== undefined) return account
    const viewer = state.accessTokens.find(bearerOf(request))
    return viewer === undefined ? refuse(reply, notAuthorized) : accountOf(viewer)
  })
}

function problemOf(request: FastifyRequest, controls: SandboxControls): string | undefined {
  const query = queryOf(request)
  if (query.get('client_id') !== controls.discordClient.clientId) return 'Unknown Application'
  if (!isRegistered(request, controls, '/api/auth/discord/callback')) {
    return 'Invalid OAuth2 redirect_uri'
  }
  if (query.get('response_type') !== 'code') return 'Invalid response_type'
  return query.get('scope') === 'identify' ? undefined : 'Invalid scope'
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
  const { clientId, clientSecret } = controls.discordClient
  if (form.get('client_id') !== clientId || form.get('client_secret') !== clientSecret) {
    return refuse(401, 'invalid_client')
  }
  if (form.get('grant_type') !== 'authorization_code') return refuse(400, 'unsupported_grant_type')
  const granted = state.codes.take(form.get('code') ?? '')
  if (granted === undefined) return refuse(400, 'invalid_grant', 'Invalid "code" in request.')
  if (granted.redirectUri !== form.get('redirect_uri')) {
    return refuse(400, 'invalid_grant', 'Invalid "redirect_uri" in request.')
  }
  return {
    token_type: 'Bearer',
    access_token: state.accessTokens.issue(granted.viewer, tokenSeconds),
    expires_in: tokenSeconds,
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
