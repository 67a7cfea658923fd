// A message of Twitch's EventSub with a good signature.

import { createHmac } from 'node:crypto'

export interface SignedEvent {
  readonly id: string
  readonly type: string
  readonly subscriptionType: string
  readonly body: unknown
}

/** The request that delivers it. */
export function signedEvent(secret: string, at: Date, event: SignedEvent) {
  const payload = JSON.stringify(event.body)
  const timestamp = at.toISOString()
  const signature = createHmac('sha256', secret).update(event.id + timestamp + payload)
  return {
    method: 'POST' as const,
    url: '/api/twitch/eventsub',
    payload,
    headers: {
      'content-type': 'application/json',
      'twitch-eventsub-message-id': event.id,
      'twitch-eventsub-message-timestamp': timestamp,
      'twitch-eventsub-message-signature': `sha256=${signature.digest('hex')}`,
      'twitch-eventsub-message-type': event.type,
      'twitch-eventsub-subscription-type': event.subscriptionType,
    },
  }
}
