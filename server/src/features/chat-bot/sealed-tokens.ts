// The bot's tokens on their way into the database and out of it.

import type { World } from '../../adapters/world.ts'
import { isSealedText } from '../../rules/contact-info.ts'
import { credentialsId, type StoredCredentials } from './credentials-tables.ts'

type Which = 'access_token' | 'refresh_token'

function placeOf(which: Which): string {
  return `twitch_bot_credentials|${which}|${credentialsId}`
}

/** The text that is stored for a token. */
export function sealToken(world: Pick<World, 'encryption'>, which: Which, token: string): string {
  return JSON.stringify(world.encryption.seal(token, placeOf(which)))
}

/** Undefined for what another key has sealed. */
function openToken(world: Pick<World, 'encryption'>, which: Which, stored: string) {
  const sealed: unknown = JSON.parse(stored)
  return isSealedText(sealed) ? world.encryption.open(sealed, placeOf(which)) : undefined
}

export interface OpenTokens {
  readonly access: string
  readonly refresh: string | undefined
}

/** Undefined when the tokens cannot be opened any more. */
export function openTokens(
  world: Pick<World, 'encryption'>,
  stored: StoredCredentials,
): OpenTokens | undefined {
  const access = openToken(world, 'access_token', stored.accessToken)
  if (access === undefined) return undefined
  const { refreshToken } = stored
  const refresh =
    refreshToken === null ? undefined : openToken(world, 'refresh_token', refreshToken)
  return { access, refresh }
}
