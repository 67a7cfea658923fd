// What the Twitch Streams tab asks the server: every stream, and what staff do with them.

import {
  type AdminStream,
  type CreateStreamRequest,
  adminStreamsContract as contract,
} from '@redpack/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { call } from '../../lib/api.ts'
import { endpointQuery } from '../../lib/endpoint-query.ts'

/** How often live flags are asked for while the tab is open, in milliseconds. */
const liveMs = 30_000

/** What is sent for a stream, before the contract makes one form of both readings. */
export type StreamBody = z.input<typeof CreateStreamRequest>

export const adminStreamsQuery = {
  ...endpointQuery(contract.list, { shows: ['streams'], empty: [] }),
  refetchInterval: liveMs,
}

/** Activates or deactivates; shown at once and taken back when it fails. */
export function useToggleStream() {
  const queryClient = useQueryClient()
  const { queryKey } = adminStreamsQuery
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
