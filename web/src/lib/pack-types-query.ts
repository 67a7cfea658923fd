// Pack types as everybody sees them.

import { type PackType, packsContract } from '@redpack/contract'
import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from './endpoint-query.ts'

/** Every pack type, the ones the player does not own included. */
export function usePackTypes() {
  return useQuery<PackType[]>(
    endpointQuery(packsContract.types, { shows: ['pack_types'], empty: [] }),
  )
}
