// What the Twitch stand-in remembers: codes, tokens, channels, and the key that signs id_tokens.

import { exportJWK, generateKeyPair } from 'jose'
import type { KnownViewer, SandboxControls } from './controls.ts'
import { SignedGrants } from './signed-grants.ts'
import { TwitchChannels } from './twitch-channels.ts'
import { EventSubscriptions } from './twitch-events.ts'
import type { Viewers } from './viewers.ts'

/** What a code stands for. */
export interface GrantedCode {
  readonly viewer: KnownViewer
  readonly clientId: string
  readonly redirectUri: string
  readonly scopes: readonly string[]
  readonly nonce: string | undefined
  /** The `claims` parameter of the authorize request, JSON. */
  readonly claims: string | undefined
}

/** What an access or refresh token stands for; an app token has no viewer. */
export interface TokenGrant {
  readonly viewer: KnownViewer | undefined
  readonly clientId: string
  readonly scopes: readonly string[]
  /** True for tokens of the chat bot, which is a moderator of every channel. */
  readonly isBot?: boolean
}

export type TwitchState = ReturnType<typeof twitchState>

const keyId = 'sandbox-1'

export function twitchState(controls: SandboxControls, viewers: Viewers) {
  const now = () => controls.clock.now()
  const secret = controls.twitchClient.clientSecret
  const signing = signingKey()
  signing.catch(() => undefined)
  return {
    viewers,
    codes: new SignedGrants<GrantedCode>(now, `code ${secret}`),
    accessTokens: new SignedGrants<TokenGrant>(now, `access ${secret}`),
    refreshTokens: new SignedGrants<TokenGrant>(now, `refresh ${secret}`),
    channels: new TwitchChannels(controls),
    events: new EventSubscriptions(now),
    /** The next Helix answers fail with this status; 0 means that none comes. */
    failures: { next: 0, status: 500 },
    now,
    /** Made while the product starts; everything that signs waits for it. */
    signing,
  }
}

async function signingKey() {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const jwk = await exportJWK(publicKey)
  return { privateKey, publicJwk: { ...jwk, kid: keyId, alg: 'RS256', use: 'sig' } }
}
