// The two readings of the admin panel, and all in which they differ. The panel on
// /admin-old is the older one; tabs are told by `usePanelReading` what to show and never which.

import {
  addressesOf,
  adminClaimsContract,
  adminUsersContract,
  type claimStatusFilters,
  type EndpointShape,
} from '@redpack/contract'
import { createContext, useContext } from 'react'

type ClaimStatus = (typeof claimStatusFilters)[number]

export interface PanelReading {
  /** The calls on users and their prizes, each under the name that this reading knows. */
  readonly calls: ReturnType<typeof callsBelow>
  /** What the Prize Claims tab starts with and offers first. */
  readonly usualClaims: ClaimStatus
  readonly claimStatuses: readonly { readonly value: ClaimStatus; readonly label: string }[]
  /** Whether a user has a page of their own. */
  readonly hasUserPages: boolean
  /** A prize of a user has a menu; without, it can only be deleted. */
  readonly hasPrizeMenu: boolean
  readonly prizeNotDeleted: { readonly title: string; readonly text: string }
  /** What the dialog starts with for a new prize; the server's own default is 100 packs. */
  readonly newPrizeTotalPacks: number
}

/** The endpoint by its first name below a path, or as it is when it has none there. */
function namedBelow<E extends EndpointShape>(endpoint: E, family: string): E {
  const older = addressesOf(endpoint).find(({ path }) => path.startsWith(family))
  return older ? { ...endpoint, path: older.path } : endpoint
}

function callsBelow(family: string) {
  return {
    users: namedBelow(adminUsersContract.list, family),
    changeRole: namedBelow(adminUsersContract.changeRole, family),
    userPrizes: namedBelow(adminUsersContract.prizes, family),
    deletePrize: namedBelow(adminClaimsContract.remove, family),
  }
}

const pending = { value: 'pending', label: 'Pending' } as const
const others = [
  { value: 'completed', label: 'Completed' },
  { value: 'processing', label: 'Processing' },
  { value: 'deleted', label: 'Deleted' },
] as const

export const currentReading: PanelReading = {
  calls: {
    users: adminUsersContract.list,
    changeRole: adminUsersContract.changeRole,
    userPrizes: adminUsersContract.prizes,
    deletePrize: adminClaimsContract.remove,
  },
  usualClaims: 'pending',
  claimStatuses: [pending, { value: 'all', label: 'All Claims' }, ...others],
  hasUserPages: true,
  hasPrizeMenu: true,
  prizeNotDeleted: { title: 'Delete Failed', text: 'Unable to delete prize claim' },
  newPrizeTotalPacks: 10,
}

export const olderReading: PanelReading = {
  calls: callsBelow('/api/test/'),
  usualClaims: 'all',
  claimStatuses: [{ value: 'all', label: 'All Status' }, pending, ...others],
  hasUserPages: false,
  hasPrizeMenu: false,
  prizeNotDeleted: { title: 'Error removing prize', text: 'Failed to delete prize claim' },
  newPrizeTotalPacks: 100,
}

/** The reading that an address of the panel shows. */
export function readingAt(pathname: string): PanelReading {
  return pathname === '/admin-old' ? olderReading : currentReading
}

export const PanelReadingContext = createContext(currentReading)

/** The reading that the panel around the calling component shows. */
export function usePanelReading(): PanelReading {
  return useContext(PanelReadingContext)
}
