// What the Twitch stand-in remembers: codes, tokens and the key that signs its id_tokens.

import { type CryptoKey, exportJWK, generateKeyPair, type JWK } from 'jose'
import type { KnownViewer, SandboxControls } from './controls.ts'
import { IssuedSecrets } from './tokens.ts'
import type { Viewers } from './viewers.ts'

interface GrantedCode {
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
  readonly claims: string | undefined
}

export interface TwitchState {
  readonly viewers: Viewers
  readonly codes: IssuedSecrets<GrantedCode>
  readonly accessTokens: IssuedSecrets<TokenGrant>
  readonly refreshTokens: IssuedSecrets<TokenGrant>
  /** Made while the product starts; everything that signs waits for it. */
  readonly signing: Promise<{ readonly privateKey: CryptoKey; readonly publicJwk: JWK }>
}

const keyId = 'sandbox-1'

export function twitchState(controls: SandboxControls, viewers: Viewers): TwitchState {
  const now = () => controls.clock.now()
  const signing = signingKey()
  signing.catch(() => undefined)
  return {
    viewers,
    codes: new IssuedSecrets(now),
    accessTokens: new IssuedSecrets(now),
    refreshTokens: new IssuedSecrets(now),
    signing,
  }
}

async function signingKey() {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const jwk = await exportJWK(publicKey)
  return { privateKey, publicJwk: { ...jwk, kid: keyId, alg: 'RS256', use: 'sig' } }
}
