// Signing in and out, and linking a Discord account (W-001 to W-007).

import * as z from 'zod/mini'
import { ActionAnswer, Role, Suspension, Timestamp } from './answers.ts'
import { endpoint } from './endpoint.ts'
import { passwordMax, usernameMax } from './limits.ts'
import { secondFactorCode } from './second-factor.ts'
import { plainText, requestObject } from './values.ts'

/** The signed-in user, as the session call returns it. */
export const SessionUser = z.object({
  id: z.int(),
  username: z.string(),
  displayName: z.string(),
  email: z.nullable(z.string()),
  avatar: z.nullable(z.string()),
  role: Role,
  redCoinBalance: z.int(),
  createdAt: Timestamp,
  solanaWallet: z.nullable(z.string()),
  discordId: z.nullable(z.string()),
  discordUsername: z.nullable(z.string()),
  discordAvatar: z.nullable(z.string()),
  /** Null when none is in force. */
  suspension: z.nullable(Suspension),
})
export type SessionUser = z.infer<typeof SessionUser>

const bothRequired = 'Username and password are required'

export const LocalSignInRequest = requestObject({
  username: plainText({ label: 'Username', max: usernameMax, required: bothRequired }),
  password: plainText({ label: 'Password', max: passwordMax, required: bothRequired }),
  /** From the authenticator app, or a recovery code; needed once the password is right. */
  code: z.optional(secondFactorCode),
})
export type LocalSignInRequest = z.infer<typeof LocalSignInRequest>

export const LocalSignInResponse = z.extend(ActionAnswer, { user: SessionUser })

const CallbackText = z.optional(z.catch(z.optional(z.string()), undefined))

/** What a provider sends back through the browser; anything malformed counts as absent. */
export const ProviderCallbackQuery = z.object({
  code: CallbackText,
  state: CallbackText,
  error: CallbackText,
  error_description: CallbackText,
})

export const authContract = {
  me: endpoint('viewer', 'GET', '/api/auth/me', {
    summary: 'Returns the signed-in user.',
    response: SessionUser,
  }),
  logout: endpoint('public', 'POST', '/api/auth/logout', {
    changes: [],
    summary: 'Ends the session, if there is one.',
    response: ActionAnswer,
  }),
  logoutEverywhere: endpoint('viewer', 'POST', '/api/auth/logout-everywhere', {
    changes: [],
    summary: 'Ends every session of the caller and stops push to all their devices.',
    response: ActionAnswer,
  }),
  emergencyLogout: endpoint('public', 'GET', '/api/auth/emergency-logout', {
    summary: 'Ends the session and redirects to the landing page, whatever happens.',
    response: 'redirect',
    fromAnySite: true,
    rate: 'none',
  }),
  twitch: endpoint('public', 'GET', '/api/auth/twitch', {
    summary: 'Starts the sign-in with Twitch.',
    response: 'redirect',
    failsTo: '/?authError=provider',
    rate: 'sign-in',
  }),
  twitchCallback: endpoint('public', 'GET', '/api/auth/twitch/callback', {
    summary: 'Finishes the sign-in with Twitch.',
    query: ProviderCallbackQuery,
    response: 'redirect',
    failsTo: '/?authError=provider',
    rate: 'sign-in',
  }),
  local: endpoint('public', 'POST', '/api/auth/local', {
    changes: [],
    summary: 'Signs in the protected local account.',
    body: LocalSignInRequest,
    response: LocalSignInResponse,
    domainErrors: ['invalid_credentials', 'second_factor_required', 'second_factor_invalid'],
    rate: 'sign-in',
  }),
  discord: endpoint('public', 'GET', '/api/auth/discord', {
    summary: 'Starts linking a Discord account; without a session, redirects to the landing page.',
    response: 'redirect',
    failsTo: '/profile?discord=failed',
    rate: 'sign-in',
  }),
  discordCallback: endpoint('public', 'GET', '/api/auth/discord/callback', {
    summary: 'Finishes linking a Discord account.',
    query: ProviderCallbackQuery,
    response: 'redirect',
    failsTo: '/profile?discord=failed',
    rate: 'sign-in',
  }),
  discordDisconnect: endpoint('viewer', 'POST', '/api/auth/discord/disconnect', {
    changes: ['user', 'profile'],
    summary: 'Removes the link to the Discord account.',
    response: ActionAnswer,
  }),
}
