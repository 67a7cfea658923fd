// The second factor of the local account: codes from an authenticator app, and recovery codes.

import * as z from 'zod/mini'
import { ActionAnswer, Timestamp } from './answers.ts'
import { endpoint } from './endpoint.ts'
import { nameText, requestObject } from './values.ts'

export const SecondFactorStatus = z.object({
  /** True only for the local account: others sign in with Twitch. */
  isAvailable: z.boolean(),
  isEnabled: z.boolean(),
  enabledAt: z.nullable(Timestamp),
  recoveryCodesLeft: z.int(),
})
export type SecondFactorStatus = z.infer<typeof SecondFactorStatus>

/** Shown once; enrolling again makes another. */
export const Enrolment = z.object({
  /** The secret in base32, for typing without a camera. */
  secret: z.string(),
  /** An `otpauth://` address, for a QR code. */
  otpauthUrl: z.string(),
})

/** Codes that each replace one from the app once. They are never shown again. */
export const RecoveryCodes = z.extend(ActionAnswer, { recoveryCodes: z.array(z.string()) })
export type RecoveryCodes = z.infer<typeof RecoveryCodes>

/** A code from the app, or a recovery code where one is accepted. */
export const secondFactorCode = nameText({
  label: 'Code',
  max: 40,
  required: 'Enter the code from your authenticator app',
})

export const SecondFactorCodeRequest = requestObject({ code: secondFactorCode })

export const ConfirmedSession = z.extend(ActionAnswer, {
  /** Until then this session needs no further confirmation. */
  confirmedUntil: Timestamp,
})

/** What calls that take a code share. No schemas: browsers load all of this. */
const ofCode = {
  changes: ['second_factor'],
  domainErrors: ['wrong_state', 'second_factor_invalid'],
  rate: 'sign-in',
} as const

export const secondFactorContract = {
  status: endpoint('staff', 'GET', '/api/admin/second-factor', {
    summary: 'Returns whether the caller signs in with a second factor.',
    response: SecondFactorStatus,
  }),
  enrol: endpoint('staff', 'POST', '/api/admin/second-factor/enrol', {
    changes: [],
    summary: 'Makes a secret for an authenticator app; it takes effect once a code confirms it.',
    response: Enrolment,
    domainErrors: ['wrong_state'],
  }),
  confirm: endpoint('staff', 'POST', '/api/admin/second-factor/confirm', {
    ...ofCode,
    summary: 'Switches the second factor on and returns the recovery codes.',
    body: SecondFactorCodeRequest,
    response: RecoveryCodes,
  }),
  confirmSession: endpoint('staff', 'POST', '/api/admin/second-factor/confirm-session', {
    ...ofCode,
    summary: 'Takes a code again; for 5 minutes this session may do what concerns everybody.',
    body: SecondFactorCodeRequest,
    response: ConfirmedSession,
  }),
  renewCodes: endpoint('staff', 'POST', '/api/admin/second-factor/recovery-codes', {
    ...ofCode,
    summary: 'Replaces the recovery codes with new ones.',
    body: SecondFactorCodeRequest,
    response: RecoveryCodes,
  }),
  turnOff: endpoint('staff', 'POST', '/api/admin/second-factor/turn-off', {
    ...ofCode,
    summary: 'Switches the second factor off; takes a code from the app or a recovery code.',
    body: SecondFactorCodeRequest,
    response: ActionAnswer,
  }),
}
