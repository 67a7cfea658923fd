// What the Server tab asks the server: every figure with what it means and what to do.

import { adminServerContract, type ServerState } from '@redpack/contract'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'

const serverStateMs = 5_000

export function useServerState() {
  return useQuery<ServerState>({
    queryKey: [adminServerContract.state.path],
    queryFn: ({ signal }) => call(adminServerContract.state, { signal }),
    refetchInterval: serverStateMs,
  })
}
