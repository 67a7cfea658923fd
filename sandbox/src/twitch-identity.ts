// Stand-in of Twitch's consent: the authorize page and what comes of it.
// Facts: dev.twitch.tv/docs/authentication/getting-tokens-oidc (code flow, claims, exact redirect).

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { serveConsent } from './consent-page.ts'
import type { SandboxControls } from './controls.ts'
import { isRegistered, queryOf } from './requests.ts'
import type { TwitchState } from './twitch-state.ts'

const codeSeconds = 600
const scopePattern = /^(openid|[a-z]+(:[a-z_]+)+)$/

export function serveTwitchConsent(
  app: FastifyInstance,
  controls: SandboxControls,
  { codes, viewers }: TwitchState,
): void {
  serveConsent(app, {
    service: 'Twitch',
    path: '/twitch/id/oauth2/authorize',
    question: 'Sign in to the application with Twitch?',
    grants: (query) => {
      const scopes = scopesOf(query)
      return [
        'Your name and picture',
        ...(scopes.includes('user:read:email') ? ['Your email address'] : []),
        ...scopes.filter((scope) => scope !== 'openid' && scope !== 'user:read:email'),
      ]
    },
    viewers,
    denied: 'The user denied you access',
    problemOf: (request) => problemOf(request, controls),
    issue: (viewer, query) => {
      const granted = {
        viewer,
        clientId: query.get('client_id') ?? '',
        redirectUri: query.get('redirect_uri') ?? '',
        scopes: scopesOf(query),
        nonce: query.get('nonce') ?? undefined,
        claims: query.get('claims') ?? undefined,
      }
      return { code: codes.issue(granted, codeSeconds), scope: query.get('scope') }
    },
  })
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
function problemOf(
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
