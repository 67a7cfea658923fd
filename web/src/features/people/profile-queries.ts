// Everything the profile asks of the server.

import { type Profile, type UpdateProfileRequest, usersContract } from '@redpack/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { endpointQuery } from '../../lib/endpoint-query.ts'

export const profileQuery = endpointQuery(usersContract.profile, { shows: ['profile'] })

/** The caller's profile. */
export function useProfile() {
  return useQuery<Profile>(profileQuery)
}

/** What the form may change; the wallet travels along as it was last loaded. */
export type ProfileChange = Omit<UpdateProfileRequest, 'solanaWallet'>

export function useUpdateProfile() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (change: ProfileChange) => {
      const solanaWallet =
        queryClient.getQueryData<Profile>(profileQuery.queryKey)?.solanaWallet ?? null
      return call(usersContract.updateProfile, { body: { ...change, solanaWallet } })
    },
    onSuccess: (profile) => queryClient.setQueryData<Profile>(profileQuery.queryKey, profile),
  })
}
