// The second factor of the local account: codes of an authenticator app, and codes for losing it.

import * as z from 'zod/mini'
import { ActionAnswer, Timestamp } from './answers.ts'
import { endpoint } from './endpoint.ts'
import { nameText, requestObject } from './values.ts'

export const SecondFactorStatus = z.object({
  /** False for everyone but the local account: they sign in with Twitch. */
  isAvailable: z.boolean(),
  isEnabled: z.boolean(),
  enabledAt: z.nullable(Timestamp),
  recoveryCodesLeft: z.int(),
})
export type SecondFactorStatus = z.infer<typeof SecondFactorStatus>

/** Shown once; enrolling again makes another. */
export const Enrolment = z.object({
  /** The secret in base32, to be typed where no camera is. */
  secret: z.string(),
  /** An `otpauth://` address, for a QR code. */
  otpauthUrl: z.string(),
})

/** Codes that are good once each, in place of one from the app. They are never shown again. */
export const RecoveryCodes = z.extend(ActionAnswer, { recoveryCodes: z.array(z.string()) })
export type RecoveryCodes = z.infer<typeof RecoveryCodes>

/** A code of the app, or a recovery code where one may stand in for it. */
export const secondFactorCode = nameText({
  label: 'Code',
  max: 40,
  required: 'Enter the code from your authenticator app',
})

export const SecondFactorCodeRequest = requestObject({ code: secondFactorCode })

export const ConfirmedSession = z.extend(ActionAnswer, {
  /** Until then what asks for a confirmation goes through in this session. */
  confirmedUntil: Timestamp,
})

/** What takes a code. No schema: browsers are given all of it. */
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
