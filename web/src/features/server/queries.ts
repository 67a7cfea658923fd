// What the Server tab asks the server: every figure with what it means and what to do.

import { adminServerContract, type ServerState } from '@redpack/contract'
import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../../lib/endpoint-query.ts'

export const serverStateMs = 5_000

export function useServerState() {
  return useQuery<ServerState>({
    ...endpointQuery(adminServerContract.state, { shows: [], isNeeded: true }),
    refetchInterval: serverStateMs,
  })
}
