// What the Users tab asks the server: users page by page, their prizes, and what staff do to them.

import {
  type AdminPackType,
  type AdminPerson,
  type AdminUser,
  type AdminUsersPage,
  adminClaimsContract,
  adminPackTypesContract,
  adminPeopleContract,
  adminUsersContract,
  type EndpointShape,
  type Role,
  type UserPrize,
} from '@redpack/contract'
import {
  keepPreviousData,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { call, urlOf } from '../../lib/api.ts'
import { refreshQueries } from '../../lib/refresh-queries.ts'
import { sessionQuery, useIsStaff } from '../session/queries.ts'

/** How often the table and the prizes of a user are asked for, in milliseconds (001: 208). */
export const usersPollMs = 1000
const prizesPollMs = 2000
/** Users on a page of the table, and users suggested while one types (001: 209). */
export const usersPageSize = 50
export const suggestionsMax = 5

const oldFamily = '/api/test/'

/** The endpoint itself, or on the older page its name in the other family. */
export function familyOf<E extends EndpointShape>(endpoint: E, isOld: boolean): E {
  const alias = endpoint.aliases?.find(({ path }) => path.startsWith(oldFamily))
  return isOld && alias ? { ...endpoint, path: alias.path } : endpoint
}

export interface UsersQuery {
  readonly search: string
  readonly sort: string
  readonly page: number
  readonly limit: number
}

async function loadUsers(query: UsersQuery, isOld: boolean, signal: AbortSignal) {
  const answer = await call(familyOf(adminUsersContract.list, isOld), {
    query: { ...query },
    signal,
  })
  // Asked with a page, the answer is a page; the bare list is for callers that ask for nothing.
  return answer as AdminUsersPage
}

export function usersQuery(query: UsersQuery, isOld: boolean) {
  return queryOptions({
    queryKey: [familyOf(adminUsersContract.list, isOld).path, query],
    queryFn: ({ signal }) => loadUsers(query, isOld, signal),
    refetchInterval: usersPollMs,
    placeholderData: keepPreviousData,
  })
}

/** One page of users, asked for again every second while the page is looked at. */
export function useUsers(query: UsersQuery, isOld: boolean) {
  return useQuery({ ...usersQuery(query, isOld), enabled: useIsStaff() })
}

/** Up to five users whose name holds what is typed; none while nothing is. */
export function useUserSuggestions(search: string, isOld = false) {
  const isStaff = useIsStaff()
  const query = { search, sort: 'username', page: 1, limit: suggestionsMax }
  return useQuery({
    ...usersQuery(query, isOld),
    refetchInterval: false,
    staleTime: 10_000,
    enabled: isStaff && search !== '',
    select: ({ users }) => users.slice(0, suggestionsMax),
  })
}

/** Every kind of pack, for the columns of the table. */
export function usePackTypeColumns() {
  return useQuery<AdminPackType[]>({
    queryKey: [adminPackTypesContract.list.path],
    queryFn: ({ signal }) => call(adminPackTypesContract.list, { signal }),
    staleTime: 60_000,
    enabled: useIsStaff(),
  })
}

/** Address of the table as a file. */
export function usersFile({ search, sort }: Pick<UsersQuery, 'search' | 'sort'>): string {
  return urlOf(adminUsersContract.file.path, {}, { search: search || undefined, sort })
}

function userPrizesQuery(id: number, isOld: boolean) {
  const endpoint = familyOf(adminUsersContract.prizes, isOld)
  return queryOptions({
    queryKey: [endpoint.path, id],
    queryFn: ({ signal }): Promise<UserPrize[]> => call(endpoint, { params: { id }, signal }),
    refetchInterval: prizesPollMs,
  })
}

/** A user's claims on physical prizes, asked for again every two seconds. */
export function useUserPrizes(id: number, isOld: boolean) {
  return useQuery({ ...userPrizesQuery(id, isOld), enabled: useIsStaff() })
}

const userCalls = [adminUsersContract.list, adminPeopleContract.person]
const claimCalls = [adminUsersContract.prizes, adminClaimsContract.list, adminPeopleContract.person]

export function useChangeRole(isOld: boolean) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, role }: { readonly id: number; readonly role: Role }): Promise<AdminUser> =>
      call(familyOf(adminUsersContract.changeRole, isOld), { params: { id }, body: { role } }),
    onSuccess: () => {
      refreshQueries(queryClient, userCalls)
      // One's own role may have been it.
      queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }).catch(() => undefined)
    },
  })
}

export function useCompletePrize() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: number) =>
      call(adminClaimsContract.update, { params: { id }, body: { status: 'completed' } }),
    onSuccess: () => refreshQueries(queryClient, claimCalls),
  })
}

export function useDeletePrize(isOld: boolean) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: number) =>
      call(familyOf(adminClaimsContract.remove, isOld), { params: { id } }),
    onSuccess: () => refreshQueries(queryClient, claimCalls),
  })
}

/** Everything on one user, while their page is open. */
export function usePerson(id: number) {
  return useQuery<AdminPerson>({
    queryKey: [adminPeopleContract.person.path, id],
    queryFn: ({ signal }) => call(adminPeopleContract.person, { params: { id }, signal }),
    enabled: useIsStaff(),
  })
}

export function useAddNote(id: number) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: string) =>
      call(adminPeopleContract.addNote, { params: { id }, body: { body } }),
    onSuccess: () => refreshQueries(queryClient, [adminPeopleContract.person]),
  })
}

export function useRemoveNote() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call(adminPeopleContract.removeNote, { params: { id } }),
    onSuccess: () => refreshQueries(queryClient, [adminPeopleContract.person]),
  })
}

export function useBlockEarning(id: number) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: { readonly isBlocked: boolean; readonly reason: string }) =>
      call(adminPeopleContract.blockEarning, { params: { id }, body }),
    onSuccess: () => refreshQueries(queryClient, userCalls),
  })
}
