// Somebody who has not named an address yet, different where the test says so.

import { type NotificationsResponse, notificationKinds } from '@redpack/contract'

export function sampleNotifications(
  email: Partial<NotificationsResponse['channels']['email']> = {},
  isEmailSetUp = true,
): NotificationsResponse {
  const none = { address: null, verified: false, pending: null, refusedAt: null }
  const all = { email: true, push: true, discord: true }
  const preferences = notificationKinds.map((kind) => [kind, all])
  return {
    isEmailSetUp,
    isPushSetUp: false,
    isDiscordPossible: false,
    channels: {
      email: { ...none, ...email },
      ...{ push: [], discord: false, discordRefusedAt: null },
    },
    preferences: Object.fromEntries(preferences) as NotificationsResponse['preferences'],
    quietHours: null,
    timezone: 'Europe/Berlin',
  }
}
