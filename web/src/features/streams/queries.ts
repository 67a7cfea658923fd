// What the Twitch Streams tab asks the server: every stream, and what staff do with them.

import {
  type AdminStream,
  type CreateStreamRequest,
  adminStreamsContract as contract,
  watchContract,
} from '@redpack/contract'
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { call } from '../../lib/api.ts'
import { refreshQueries } from '../../lib/refresh-queries.ts'

/** How often live flags are asked for while the tab is open, in milliseconds. */
const liveMs = 30_000

/** What is sent for a stream, before the contract makes one form of both readings. */
export type StreamBody = z.input<typeof CreateStreamRequest>

export function useAdminStreams() {
  return useQuery<AdminStream[]>({
    queryKey: [contract.list.path],
    queryFn: ({ signal }) => call(contract.list, { signal }),
    refetchInterval: liveMs,
  })
}

function refreshAfter(queryClient: QueryClient): void {
  refreshQueries(queryClient, [contract.list, watchContract.streams])
}

export function useCreateStream() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: StreamBody) => call(contract.create, { body }),
    onSettled: () => refreshAfter(queryClient),
  })
}

interface StreamChange {
  readonly id: number
  readonly change: Partial<StreamBody>
}

export function useUpdateStream() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, change }: StreamChange) =>
      call(contract.update, { params: { id }, body: change }),
    onSettled: () => refreshAfter(queryClient),
  })
}

/** Activates or deactivates; shown at once and taken back when it fails. */
export function useToggleStream() {
  const queryClient = useQueryClient()
  const queryKey = [contract.list.path]
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
    onSettled: () => refreshAfter(queryClient),
  })
}

/** Sets the live flag by hand. */
export function useSetLive() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, isLive }: Pick<AdminStream, 'id' | 'isLive'>) =>
      call(contract.setLive, { params: { id }, body: { isLive } }),
    onSettled: () => refreshAfter(queryClient),
  })
}

export function useDeleteStream() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call(contract.remove, { params: { id } }),
    onSettled: () => refreshAfter(queryClient),
  })
}

/** Takes the deletion of a stream back. */
export function useRestoreStream() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call(contract.restore, { params: { id } }),
    onSettled: () => refreshAfter(queryClient),
  })
}
