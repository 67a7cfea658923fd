// What the privacy feature asks the server: the own data, and the end of the account.

import { privacyContract } from '@redpack/contract'
import { useMutation } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'

/** Where everything that is kept about the caller can be had as a file. */
export const exportAddress = privacyContract.exportOwnData.path

/** Removes the account for good; `confirm` is the caller's username. */
export function useDeleteAccount() {
  return useMutation({
    mutationFn: (confirm: string) => call(privacyContract.deleteAccount, { body: { confirm } }),
  })
}
