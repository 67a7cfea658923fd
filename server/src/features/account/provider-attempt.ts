// The way to a provider and back: what is remembered in between, and whether it was the same
// browser.

import type { Deps } from '../../adapters/deps.ts'
import { deleteExpiredAttempts, insertAttempt, type Provider, takeSignInAttempt } from './tables.ts'
import { newToken, tokenHash } from './tokens.ts'

const attemptSeconds = 600

export interface StartedAttempt {
  readonly state: string
  readonly nonce: string
  /** Goes into a cookie: the callback counts only in the browser that has it. */
  readonly browserToken: string
}

/** Starts an attempt. A browser with several attempts under way keeps one token for all of them. */
export async function startAttempt(
  deps: Deps,
  provider: Provider,
  browser: { readonly token: string | undefined; readonly userId?: number },
): Promise<StartedAttempt> {
  const now = deps.clock.now()
  const state = newToken(deps.random)
  const nonce = newToken(deps.random)
  const browserToken = browser.token || newToken(deps.random)
  await deleteExpiredAttempts(deps.db, now)
  await insertAttempt(deps.db, {
    stateHash: tokenHash(state),
    provider,
    browserHash: tokenHash(browserToken),
    nonce,
    userId: browser.userId ?? null,
    expiresAt: new Date(now.getTime() + attemptSeconds * 1000),
  })
  return { state, nonce, browserToken }
}

/**
 * Ends an attempt: each state counts once, for 10 minutes, for one provider and in one browser.
 * Answers undefined when any of that does not hold.
 */
export async function finishAttempt(
  deps: Deps,
  provider: Provider,
  state: string | undefined,
  browserToken: string | undefined,
): Promise<{ readonly nonce: string; readonly userId: number | null } | undefined> {
  if (state === undefined) return undefined
  const attempt = await takeSignInAttempt(deps.db, provider, tokenHash(state))
  if (attempt === undefined || browserToken === undefined) return undefined
  if (attempt.browserHash !== tokenHash(browserToken)) return undefined
  if (attempt.expiresAt <= deps.clock.now()) return undefined
  return { nonce: attempt.nonce, userId: attempt.userId }
}
