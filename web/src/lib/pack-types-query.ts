// Pack types as everybody sees them.

import { packsContract } from '@redpack/contract'
import { useEndpoint } from './endpoint-query.ts'

/** Every pack type, the ones the player does not own included. */
export function usePackTypes() {
  return useEndpoint(packsContract.types, { shows: ['pack_types'], empty: [] })
}
