// What the Users tab asks the server: users page by page, one of them, and their prizes.

import { type AdminUsersPage, adminPeopleContract, adminUsersContract } from '@redpack/contract'
import { keepPreviousData } from '@tanstack/react-query'
import { type PanelReading, usePanelReading } from '../../compat/panel-reading.ts'
import { call, urlOf } from '../../lib/api.ts'
import { emptyPage, useEndpoint } from '../../lib/endpoint-query.ts'
import { useIsStaff } from '../session/queries.ts'

/** How often the table, the prizes of a user and one user are asked for, in milliseconds. */
export const usersPollMs = 1000
const prizesPollMs = 2000
export const personPollMs = 5000
export const usersPageSize = 50

export interface UsersQuery {
  readonly search: string
  readonly sort: string
  /** Which of them; absent for everybody. */
  readonly only?: string | undefined
  readonly page: number
  readonly limit: number
}

async function loadUsers(query: UsersQuery, { users }: PanelReading['calls'], signal: AbortSignal) {
  const answer = await call(users, { query: { ...query }, signal })
  // Asked with a page, the answer is a page; the bare list is for callers that ask for nothing.
  return answer as AdminUsersPage
}

/** One page of users, asked for again every second while the page is looked at. */
export function useUsers(query: UsersQuery) {
  const { calls } = usePanelReading()
  return useEndpoint(calls.users, {
    shows: ['users'],
    key: [query],
    ask: (signal) => loadUsers(query, calls, signal),
    empty: { users: [], ...emptyPage },
    refetchInterval: usersPollMs,
    placeholderData: keepPreviousData,
    enabled: useIsStaff(),
  })
}

/** Address of the table as a file. */
export function usersFile({ search, sort, only }: Omit<UsersQuery, 'page' | 'limit'>): string {
  return urlOf(adminUsersContract.file.path, {}, { search: search || undefined, sort, only })
}

/** A user's claims on physical prizes, asked for again every two seconds. */
export function useUserPrizes(id: number) {
  const { calls } = usePanelReading()
  return useEndpoint(calls.userPrizes, {
    shows: ['claims'],
    options: { params: { id } },
    empty: [],
    refetchInterval: prizesPollMs,
    enabled: useIsStaff(),
  })
}

/** Everything on one user, as colleagues change it; 0 for nobody. */
export function usePerson(id: number) {
  return useEndpoint(adminPeopleContract.person, {
    shows: ['users', 'claims'],
    options: { params: { id } },
    refetchInterval: personPollMs,
    enabled: useIsStaff() && id > 0,
  })
}
