// The profile that tests speak of.

import type { Profile } from '@redpack/contract'

/** A wallet address that is one: 32 bytes in base58. */
export const sampleAddress = '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV'
export const otherAddress = 'So11111111111111111111111111111111111111112'

/** Luna's profile, different where the test says so. */
export function sampleProfile(change: Partial<Profile> = {}): Profile {
  return {
    id: 7,
    username: 'lunafox',
    displayName: 'Luna Fox',
    email: 'luna@example.com',
    avatar: null,
    bio: 'Hello',
    country: 'DE',
    timezone: 'Europe/Berlin',
    notifications: { email: true, prizes: false, rewards: true },
    solanaWallet: null,
    discordId: null,
    discordUsername: null,
    discordAvatar: null,
    role: 'user',
    redCoinBalance: 1200,
    createdAt: '2026-01-02T10:00:00.000Z',
    shownName: null,
    ...change,
  }
}
