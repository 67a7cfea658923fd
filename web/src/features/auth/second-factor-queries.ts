// What the Security tab asks the server: whether the second factor is on, and how to change that.

import {
  type Enrolment,
  type RecoveryCodes,
  type SecondFactorStatus,
  secondFactorContract,
} from '@redpack/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { endpointQuery } from '../../lib/endpoint-query.ts'
import { useIsStaff } from '../session/queries.ts'

export function useSecondFactor() {
  return useQuery<SecondFactorStatus>({
    ...endpointQuery(secondFactorContract.status, { shows: ['second_factor'], isNeeded: true }),
    enabled: useIsStaff(),
  })
}

/** Asks for a new secret; an earlier one that was not confirmed counts no more. */
export function useEnrol() {
  return useMutation<Enrolment>({ mutationFn: () => call(secondFactorContract.enrol) })
}

function useCodeCall<T>(send: (code: string) => Promise<T>) {
  return useMutation({
    mutationFn: send,
  })
}

export function useConfirmEnrolment() {
  return useCodeCall<RecoveryCodes>((code) =>
    call(secondFactorContract.confirm, { body: { code } }),
  )
}

export function useRenewCodes() {
  return useCodeCall<RecoveryCodes>((code) =>
    call(secondFactorContract.renewCodes, { body: { code } }),
  )
}

/** Confirms that whoever uses this session has the second factor now. */
export function useConfirmSession() {
  return useCodeCall((code) => call(secondFactorContract.confirmSession, { body: { code } }))
}

export function useTurnOff() {
  return useCodeCall((code) => call(secondFactorContract.turnOff, { body: { code } }))
}
