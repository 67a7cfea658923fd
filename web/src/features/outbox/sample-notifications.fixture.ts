// Somebody who has not named an address yet, different where the test says so.

import { isToldByDefault, type NotificationsResponse, notificationKinds } from '@redpack/contract'

export function sampleNotifications(
  email: Partial<NotificationsResponse['channels']['email']> = {},
  isEmailSetUp = true,
): NotificationsResponse {
  const none = { address: null, verified: false, pending: null, isLinkOver: false, refusedAt: null }
  const preferences = notificationKinds.map((kind) => {
    const isTold = isToldByDefault(kind)
    return [kind, { email: isTold, push: isTold, discord: isTold }]
  })
  return {
    isEmailSetUp,
    isPushSetUp: false,
    isDiscordPossible: false,
    channels: {
      email: { ...none, ...email },
      ...{ push: [], discord: false, discordRefusedAt: null },
    },
    preferences: Object.fromEntries(preferences) as NotificationsResponse['preferences'],
    liveStreams: null,
    quietHours: null,
    timezone: 'Europe/Berlin',
  }
}
