// What the Twitch Streams tab asks the server: every stream, and what staff do with them.

import {
  type AdminStream,
  type CreateStreamRequest,
  adminStreamsContract as contract,
} from '@redpack/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { call } from '../../lib/api.ts'
import { endpointQuery } from '../../lib/endpoint-query.ts'

/** How often live flags are asked for while the tab is open, in milliseconds. */
const liveMs = 30_000

/** What is sent for a stream, before the contract makes one form of both readings. */
export type StreamBody = z.input<typeof CreateStreamRequest>

const streamsQuery = endpointQuery(contract.list, { shows: ['streams'], empty: [] })

export function useAdminStreams() {
  return useQuery<AdminStream[]>({
    ...streamsQuery,
    refetchInterval: liveMs,
  })
}

export function useCreateStream() {
  return useMutation({
    mutationFn: (body: StreamBody) => call(contract.create, { body }),
  })
}

interface StreamChange {
  readonly id: number
  readonly change: Partial<StreamBody>
}

export function useUpdateStream() {
  return useMutation({
    mutationFn: ({ id, change }: StreamChange) =>
      call(contract.update, { params: { id }, body: change }),
  })
}

/** Activates or deactivates; shown at once and taken back when it fails. */
export function useToggleStream() {
  const queryClient = useQueryClient()
  const { queryKey } = streamsQuery
  return useMutation({
    mutationFn: ({ id, isActive }: Pick<AdminStream, 'id' | 'isActive'>) =>
      call(contract.toggle, { params: { id }, body: { isActive } }),
    onMutate: async ({ id, isActive }) => {
      await queryClient.cancelQueries({ queryKey })
      const before = queryClient.getQueryData<AdminStream[]>(queryKey)
      queryClient.setQueryData<AdminStream[]>(queryKey, (streams) =>
        streams?.map((stream) => (stream.id === id ? { ...stream, isActive } : stream)),
      )
      return before
    },
    onError: (_error, _input, before) => queryClient.setQueryData(queryKey, before),
  })
}

/** Sets the live flag by hand. */
export function useSetLive() {
  return useMutation({
    mutationFn: ({ id, isLive }: Pick<AdminStream, 'id' | 'isLive'>) =>
      call(contract.setLive, { params: { id }, body: { isLive } }),
  })
}

export function useDeleteStream() {
  return useMutation({
    mutationFn: (id: number) => call(contract.remove, { params: { id } }),
  })
}

/** Takes the deletion of a stream back. */
export function useRestoreStream() {
  return useMutation({
    mutationFn: (id: number) => call(contract.restore, { params: { id } }),
  })
}
