// Everything the profile asks of the server, and what each change refreshes.

import {
  authContract,
  noticesContract,
  type Profile,
  type UpdateProfileRequest,
  usersContract,
  walletProofContract,
} from '@redpack/contract'
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'

export const profileKey = [usersContract.profile.path] as const

/** The caller's profile. */
export function useProfile() {
  return useQuery<Profile>({ queryKey: profileKey })
}

/** Keeps the profile that an answer carried and has the session asked for again. */
function keepProfile(queryClient: QueryClient, profile: Profile): void {
  queryClient.setQueryData<Profile>(profileKey, profile)
  refetch(queryClient, authContract.me.path)
}

function refetch(queryClient: QueryClient, path: string): void {
  queryClient.invalidateQueries({ queryKey: [path] }).catch(() => undefined)
}

/** What the form may change; the wallet travels along as it was last loaded. */
export type ProfileChange = Omit<UpdateProfileRequest, 'solanaWallet'>

export function useUpdateProfile() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (change: ProfileChange) => {
      const solanaWallet = queryClient.getQueryData<Profile>(profileKey)?.solanaWallet ?? null
      return call(usersContract.updateProfile, { body: { ...change, solanaWallet } })
    },
    onSuccess: (profile) => {
      keepProfile(queryClient, profile)
      // What the person wants to hear of decides what there is to hear.
      refetch(queryClient, noticesContract.list.path)
    },
  })
}

/** Sets the wallet address; null takes it away. */
export function useUpdateWallet() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (walletAddress: string | null) =>
      call(usersContract.updateWallet, { body: { walletAddress } }),
    onSuccess: (profile) => {
      keepProfile(queryClient, profile)
      refetch(queryClient, walletProofContract.status.path)
    },
  })
}

export function useDisconnectDiscord() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call(authContract.discordDisconnect),
    onSuccess: () => {
      refetch(queryClient, usersContract.profile.path)
      refetch(queryClient, authContract.me.path)
    },
  })
}
