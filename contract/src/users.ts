// The caller's profile and wallet (W-016 to W-018).

import * as z from 'zod/mini'
import { Role, Timestamp } from './answers.ts'
import { endpoint } from './endpoint.ts'
import { bioMax, displayNameMax, walletAddressPattern } from './limits.ts'
import { clearable, clearableIf, flag, nameText, plainText, requestObject } from './values.ts'

export const Profile = z.object({
  id: z.int(),
  username: z.string(),
  displayName: z.string(),
  email: z.nullable(z.string()),
  avatar: z.nullable(z.string()),
  bio: z.nullable(z.string()),
  country: z.nullable(z.string()),
  timezone: z.nullable(z.string()),
  notifications: z.object({ email: z.boolean(), prizes: z.boolean(), rewards: z.boolean() }),
  solanaWallet: z.nullable(z.string()),
  discordId: z.nullable(z.string()),
  discordUsername: z.nullable(z.string()),
  discordAvatar: z.nullable(z.string()),
  role: Role,
  redCoinBalance: z.int(),
  createdAt: Timestamp,
  /** What staff show instead of the display name; null when it is shown. */
  shownName: z.nullable(z.string()),
})
export type Profile = z.infer<typeof Profile>

const emailMax = 254
const placeMax = 100
const addressMax = 100
const walletFormat = 'Please enter a valid Solana wallet address format.'
const walletMissing = 'Please enter a valid Solana wallet address.'

function isNoChoice(text: string): boolean {
  return text === '' || text.toLowerCase() === 'none'
}

const isEmail = (text: string) => z.regexes.email.test(text)
const Email = clearableIf({ label: 'Email', max: emailMax }, isEmail, 'Invalid email')

const choice = (label: string) => clearable(nameText({ label, max: placeMax }), isNoChoice)

const OptionalWallet = clearable(
  nameText({ label: 'Solana wallet', max: addressMax, tooLong: walletFormat }).check(
    z.refine((text) => isNoChoice(text) || walletAddressPattern.test(text), walletFormat),
  ),
  isNoChoice,
)

/** Any of the seven fields; absent ones stay, null or blank text clears them. */
export const UpdateProfileRequest = requestObject({
  displayName: z.optional(
    nameText({
      label: 'Display name',
      max: displayNameMax,
      required: 'Display name is required',
      isOneLine: true,
    }),
  ),
  email: z.optional(Email),
  bio: z.optional(
    z.nullable(
      plainText({
        label: 'Bio',
        max: bioMax,
        tooLong: `Bio must be less than ${bioMax} characters`,
      }),
    ),
  ),
  country: z.optional(choice('Country')),
  timezone: z.optional(choice('Time zone')),
  notifications: z.optional(
    z.object(
      {
        email: z.optional(flag('Email notifications must be true or false')),
        prizes: z.optional(flag('Prize notifications must be true or false')),
        rewards: z.optional(flag('Reward notifications must be true or false')),
      },
      { error: 'Notifications must be an object' },
    ),
  ),
  solanaWallet: z.optional(OptionalWallet),
})
export type UpdateProfileRequest = z.infer<typeof UpdateProfileRequest>

/** Null disconnects; blank text is refused and does not clear. */
export const UpdateWalletRequest = requestObject({
  walletAddress: z.nullable(
    nameText({
      label: 'Wallet address',
      max: addressMax,
      required: walletMissing,
      tooLong: walletFormat,
    }).check(
      z.refine((text) => text === '' || walletAddressPattern.test(text), { error: walletFormat }),
    ),
  ),
})

export const usersContract = {
  profile: endpoint('viewer', 'GET', '/api/user/profile', {
    summary: "Returns the caller's profile.",
    response: Profile,
  }),
  updateProfile: endpoint('viewer', 'PUT', '/api/user/profile', {
    changes: ['user'],
    summary: "Changes the given fields of the caller's profile.",
    body: UpdateProfileRequest,
    response: Profile,
  }),
  updateWallet: endpoint('viewer', 'PUT', '/api/user/wallet', {
    changes: ['user'],
    summary: "Sets or clears the caller's wallet address.",
    body: UpdateWalletRequest,
    response: Profile,
  }),
}
