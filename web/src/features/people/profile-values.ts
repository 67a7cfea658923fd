// The fields of the profile form as values: from a profile, compared, and merged with a newer one.

import { type Profile, UpdateProfileRequest } from '@redpack/contract'
import type * as z from 'zod/mini'

/** What the form's rules take; they are the server's own. */
export const profileRules = UpdateProfileRequest
export type ProfileInput = z.input<typeof UpdateProfileRequest>

/** What the form holds; a blank text means none. */
export interface ProfileValues {
  readonly displayName: string
  readonly email: string
  readonly bio: string
  readonly country: string
  readonly timezone: string
  readonly notifications: {
    readonly email: boolean
    readonly prizes: boolean
    readonly rewards: boolean
  }
}

export function valuesOf(profile: Profile): ProfileValues {
  return {
    displayName: profile.displayName,
    email: profile.email ?? '',
    bio: profile.bio ?? '',
    country: profile.country ?? '',
    timezone: profile.timezone ?? '',
    notifications: {
      email: profile.notifications.email,
      prizes: profile.notifications.prizes,
      rewards: profile.notifications.rewards,
    },
  }
}

/** The form's values as they are held while it is being filled in. */
export function heldValues(input: ProfileInput): ProfileValues {
  return {
    displayName: input.displayName ?? '',
    email: input.email ?? '',
    bio: input.bio ?? '',
    country: input.country ?? '',
    timezone: input.timezone ?? '',
    notifications: {
      email: input.notifications?.email === true,
      prizes: input.notifications?.prizes === true,
      rewards: input.notifications?.rewards === true,
    },
  }
}

const texts = ['displayName', 'email', 'bio', 'country', 'timezone'] as const
const switches = ['email', 'prizes', 'rewards'] as const

export function isSame(one: ProfileValues, other: ProfileValues): boolean {
  return (
    texts.every((field) => one[field] === other[field]) &&
    switches.every((field) => one.notifications[field] === other.notifications[field])
  )
}

/**
 * What the form shows after the server's values went from `before` to `after`: the new ones, except
 * where the person had changed something.
 */
export function mergeValues(
  held: ProfileValues,
  before: ProfileValues,
  after: ProfileValues,
): ProfileValues {
  const text = (field: (typeof texts)[number]) =>
    held[field] === before[field] ? after[field] : held[field]
  const flag = (field: (typeof switches)[number]) =>
    held.notifications[field] === before.notifications[field]
      ? after.notifications[field]
      : held.notifications[field]
  return {
    displayName: text('displayName'),
    email: text('email'),
    bio: text('bio'),
    country: text('country'),
    timezone: text('timezone'),
    notifications: { email: flag('email'), prizes: flag('prizes'), rewards: flag('rewards') },
  }
}
