// Ends the session: on the server by whatever way works, and in this browser in any case.

import { authContract } from '@redpack/contract'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { logFailure } from '../../lib/log.ts'
import { unsubscribe } from '../../lib/push-subscription.ts'
import { realtime } from '../../lib/realtime.ts'
import { loggingOut } from './logging-out.ts'
import { sessionQuery } from './queries.ts'

/** When, after a logout began, a second direct request goes out, in milliseconds. */
export const fallbackLogoutMs = 1000
/** How long the way out waits for the server, in milliseconds. */
export const logoutWaitMs = 1000

/** The server ends the session here as well, and leads to the site root. */
export const wayOut = authContract.emergencyLogout.path

/** Going back leads to no address that would log out whoever has signed in by then. */
export function leaveFor(url: string): void {
  window.location.replace(url)
}

/** Asks without the layer of typed calls, and fails when the answer is not a success. */
async function logOutDirectly(): Promise<void> {
  const { method, path } = authContract.logout
  const response = await fetch(path, {
    method,
    credentials: 'same-origin',
    headers: { 'content-type': 'application/json' },
    keepalive: true,
  })
  if (!response.ok) throw new Error(`Direct logout answered ${response.status}`)
}

async function endOnServer(): Promise<void> {
  try {
    await call(authContract.logout, { keepalive: true })
  } catch (error) {
    logFailure('The logout request failed', error)
    await logOutDirectly()
  }
}

function atMost<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  return Promise.race([work, new Promise<undefined>((done) => setTimeout(done, ms))])
}

/** Expires every cookie that scripts can read; the server expires the session's own. */
function expireCookies(): void {
  for (const pair of document.cookie.split(';')) {
    const name = pair.split('=')[0]?.trim()
    if (!name) continue
    for (const domain of ['', `; domain=${window.location.hostname}`]) {
      // biome-ignore lint/suspicious/noDocumentCookie: the cookie store is not everywhere yet
      document.cookie = `${name}=; expires=Thu, 01 Jan 1970 00:00:00 GMT; path=/${domain}`
    }
  }
}

function clearStorage(storage: () => Storage): void {
  try {
    storage().clear()
  } catch (error) {
    logFailure('A storage could not be cleared', error)
  }
}

/** Forgets in this browser everything about the person who was signed in, and how they saw it. */
export async function forgetSession(queryClient: QueryClient): Promise<void> {
  realtime.disconnect()
  await queryClient.cancelQueries()
  queryClient.setQueryData(sessionQuery.queryKey, null)
  queryClient.clear()
  // Whoever uses the browser next gets no news of who did before.
  await atMost(unsubscribe(), logoutWaitMs).catch((error) =>
    logFailure('The device could not be unsubscribed', error),
  )
  clearStorage(() => window.localStorage)
  clearStorage(() => window.sessionStorage)
  // The router notes where the page was scrolled to when it is left; this listener comes after it.
  window.addEventListener('pagehide', () => clearStorage(() => window.sessionStorage), {
    once: true,
  })
  expireCookies()
}

/**
 * The whole way out: the request, then a direct one, and the cleanup whatever happens, before the
 * browser goes the emergency way. Waits for the server at most a second.
 * @param navigate leaves the page; throws when the browser refuses
 */
export async function logOut(queryClient: QueryClient, navigate = leaveFor): Promise<void> {
  loggingOut.set(true)
  const fallback = setTimeout(() => {
    logOutDirectly().catch((error) => logFailure('The fallback logout request failed', error))
  }, fallbackLogoutMs)
  // The browser may keep the page as it is left and bring it back to whoever has signed in by then.
  window.addEventListener('pagehide', () => clearTimeout(fallback))
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted && loggingOut.get()) window.location.reload()
  })

  await atMost(endOnServer(), logoutWaitMs).catch((error) =>
    logFailure('The direct logout request failed', error),
  )
  await forgetSession(queryClient)
  try {
    navigate(wayOut)
  } catch (error) {
    logFailure('The browser did not leave the page', error)
    await forgetSession(queryClient)
    navigate('/')
  }
}
