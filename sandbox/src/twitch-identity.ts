// Stand-in of Twitch's consent: the authorize page and what comes of it.
// Facts: dev.twitch.tv/docs/authentication/getting-tokens-oidc (code flow, claims, exact redirect).

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendConsentPage } from './consent-page.ts'
import type { SandboxControls } from './controls.ts'
import { formOf, isRegistered, queryOf, withQuery } from './forms.ts'
import type { TwitchState } from './twitch-state.ts'

const codeSeconds = 600
const scopePattern = /^(openid|[a-z]+(:[a-z_]+)+)$/

/**
 * The authorize address answers a page to GET and takes its form by POST, both with the same query.
 */
export function serveTwitchConsent(
  app: FastifyInstance,
  controls: SandboxControls,
  state: TwitchState,
): void {
  const config = { access: 'public' as const }
  app.get('/twitch/id/oauth2/authorize', { config }, async (request, reply) => {
    const problem = domainErrorOf(request, controls)
    if (problem !== undefined) return reply.code(400).send(problem)
    return showPage(request, reply, state)
  })
  app.post('/twitch/id/oauth2/authorize', { config }, async (request, reply) => {
    const problem = domainErrorOf(request, controls)
    if (problem !== undefined) return reply.code(400).send(problem)
    return decide(request, reply, state, queryOf(request))
  })
}

function showPage(
  request: FastifyRequest,
  reply: FastifyReply,
  state: TwitchState,
  problem?: string,
): FastifyReply {
  const scopes = scopesOf(queryOf(request))
  return sendConsentPage(reply, {
    service: 'Twitch',
    question: 'Sign in to the application with Twitch?',
    grants: [
      'Your name and picture',
      ...(scopes.includes('user:read:email') ? ['Your e-mail address'] : []),
      ...scopes.filter((scope) => scope !== 'openid' && scope !== 'user:read:email'),
    ],
    viewers: state.viewers.offered,
    action: request.url,
    ...(problem === undefined ? {} : { problem }),
  })
}

function decide(
  request: FastifyRequest,
  reply: FastifyReply,
  state: TwitchState,
  query: URLSearchParams,
): FastifyReply {
  const form = formOf(request)
  const redirectUri = query.get('redirect_uri') ?? ''
  if (form.get('action') === 'deny') {
    return reply.redirect(
      withQuery(redirectUri, {
        error: 'access_denied',
        error_description: 'The user denied you access',
        state: query.get('state'),
      }),
      302,
    )
  }
  if (form.get('action') !== 'allow') return showPage(request, reply, state, 'Allow or deny?')
  const viewer = state.viewers.named(form.get('login') ?? '')
  if (viewer === undefined) {
    return showPage(request, reply, state, 'Enter a login name of 1 to 50 characters, no spaces.')
  }
  const code = state.codes.issue(
    {
      viewer,
      clientId: query.get('client_id') ?? '',
      redirectUri,
      scopes: scopesOf(query),
      nonce: query.get('nonce') ?? undefined,
      claims: query.get('claims') ?? undefined,
    },
    codeSeconds,
  )
  const scope = query.get('scope')
  return reply.redirect(withQuery(redirectUri, { code, scope, state: query.get('state') }), 302)
}

function scopesOf(query: URLSearchParams): string[] {
  return (query.get('scope') ?? '').split(/\s+/).filter((scope) => scope !== '')
}

interface RefusedAuthorize {
  readonly status: 400
  readonly message: string
  readonly error?: string
}

/** Mistakes that must not be sent back to an address that may be somebody else's. */
function domainErrorOf(
  request: FastifyRequest,
  controls: SandboxControls,
): RefusedAuthorize | undefined {
  const query = queryOf(request)
  const refused = (message: string) => ({ status: 400, message }) as const
  const clientId = query.get('client_id')
  if (clientId === null) return refused('missing client id')
  if (clientId !== controls.twitchClient.clientId) return refused('invalid client')
  if (!isRegistered(request, controls, '/api/auth/twitch/callback')) {
    return {
      ...refused('Parameter redirect_uri does not match registered URI'),
      error: 'redirect_mismatch',
    }
  }
  if (query.get('response_type') !== 'code') return refused('invalid response type')
  const wrongScope = scopesOf(query).find((scope) => !scopePattern.test(scope))
  if (wrongScope !== undefined) return refused(`invalid scope requested: '${wrongScope}'`)
  return undefined
}
