// The bot's tokens on their way into the database and out of it.

import type { Deps } from '../../adapters/deps.ts'
import { isSealedText } from '../../rules/contact-info.ts'
import { type BotToken, botTokenContext } from '../../shared/sealed-contexts.ts'
import type { StoredCredentials } from './credentials-tables.ts'

/** The text that is stored for a token. */
export function sealToken(deps: Pick<Deps, 'encryption'>, which: BotToken, token: string): string {
  return JSON.stringify(deps.encryption.seal(token, botTokenContext(which)))
}

/** Undefined for what another key has sealed, and for what was damaged. */
function openToken(deps: Pick<Deps, 'encryption'>, which: BotToken, stored: string) {
  const sealed = parsed(stored)
  return isSealedText(sealed) ? deps.encryption.open(sealed, botTokenContext(which)) : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export interface OpenTokens {
  readonly access: string
  readonly refresh: string | undefined
}

/**
 * Undefined when a token that is there cannot be opened: another key has sealed it, or its row was
 * damaged. That says nothing about what Twitch thinks of it.
 */
export function openTokens(
  deps: Pick<Deps, 'encryption'>,
  stored: StoredCredentials,
): OpenTokens | undefined {
  const access = openToken(deps, 'access_token', stored.accessToken)
  const refresh =
    stored.refreshToken === null ? undefined : openToken(deps, 'refresh_token', stored.refreshToken)
  const isWhole = access !== undefined && (refresh !== undefined || stored.refreshToken === null)
  return isWhole ? { access, refresh } : undefined
}
