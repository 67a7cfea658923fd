// Somebody who has not named an address yet, different where the test says so.

import { type NotificationsResponse, notificationKinds } from '@redpack/contract'

export function sampleNotifications(
  email: Partial<NotificationsResponse['channels']['email']> = {},
  isEmailSetUp = true,
): NotificationsResponse {
  const none = { address: null, verified: false, pending: null, refusedAt: null }
  const preferences = notificationKinds.map((kind) => [kind, { email: true }])
  return {
    isEmailSetUp,
    channels: { email: { ...none, ...email }, push: [], discord: false },
    preferences: Object.fromEntries(preferences) as NotificationsResponse['preferences'],
    quietHours: null,
    timezone: 'Europe/Berlin',
  }
}
