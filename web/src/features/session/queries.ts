// Who is signed in: the session query, and the three states that screens know.

import {
  adminUsersContract,
  authContract,
  type Role,
  type SessionUser,
  type StaffPowers,
} from '@redpack/contract'
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { ApiError } from '../../lib/api-error.ts'
import { endpointQuery, useEndpoint } from '../../lib/endpoint-query.ts'
import { visitHint } from '../../lib/visit-hint.ts'
import { useBalance } from './balance-queries.ts'

/** How often the session is asked for, how long an answer is fresh, and how long it is kept. */
export const sessionPollMs = 30_000
export const sessionFreshMs = 10_000
export const sessionCachedMs = 60_000

/** The signed-in user, or null when the server knows none: 401 is an answer here, not an error. */
async function loadSession(signal: AbortSignal): Promise<SessionUser | null> {
  let user: SessionUser | null
  try {
    user = await call(authContract.me, { signal })
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 401)) throw error
    user = null
  }
  visitHint.set(user !== null)
  return user
}

export const sessionQuery = queryOptions({
  ...endpointQuery(authContract.me, {
    shows: ['user', 'session'],
    mayBeNothing: true,
    ask: (signal) => loadSession(signal),
  }),
  refetchInterval: sessionPollMs,
  refetchOnWindowFocus: true,
  staleTime: sessionFreshMs,
  gcTime: sessionCachedMs,
  retry: false,
})

/** Asks anew who is signed in: a question on its way may be from before whatever has changed. */
export async function askWhoIsSignedIn(queryClient: QueryClient): Promise<SessionUser | null> {
  await queryClient.cancelQueries({ queryKey: sessionQuery.queryKey })
  return queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 })
}

export type Session =
  | { readonly status: 'loading'; readonly user: null; readonly error: null }
  | { readonly status: 'authenticated'; readonly user: SessionUser; readonly error: null }
  | {
      readonly status: 'unauthenticated'
      readonly user: null
      /** Why the server could not be asked; null when it said that nobody is signed in. */
      readonly error: Error | null
    }

/** The session as screens see it. A poll that fails later leaves the known user in place. */
export function useSession(): Session {
  const { data, isPending, error } = useQuery(sessionQuery)
  if (isPending) return { status: 'loading', user: null, error: null }
  if (data) return { status: 'authenticated', user: data, error: null }
  return { status: 'unauthenticated', user: null, error: data === null ? null : error }
}

/** The signed-in user's balance as displays show it; 0 for nobody, and where none came along. */
export function useShownBalance(): number {
  const { data, dataUpdatedAt } = useQuery(sessionQuery)
  return useBalance(data?.redCoinBalance ?? 0, dataUpdatedAt)
}

/** Whether a role opens the admin panel. */
export function isStaff(role: Role): boolean {
  return role === 'admin' || role === 'super_user'
}

/** Whether the signed-in user is staff, as the last answer of the server has it. */
export function useIsStaff(): boolean {
  const { user } = useSession()
  return user !== null && isStaff(user.role)
}

const allPowers: StaffPowers = { mayActOnEverybody: true, mayChangeSuperUsers: true }

/**
 * What the caller's role lets them do. Until the server has said so everything is offered; what may
 * not be is refused there.
 */
export function useStaffPowers(): StaffPowers {
  const { user } = useSession()
  const { data } = useEndpoint(adminUsersContract.powers, {
    shows: [],
    key: [user?.role],
    enabled: user !== null && isStaff(user.role),
    staleTime: sessionPollMs,
  })
  return data ?? allPowers
}
