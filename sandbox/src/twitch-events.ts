// EventSub's side of the wire: the check of an address, signed messages, and trying again.
// Facts: dev.twitch.tv/docs/eventsub/handling-webhook-events.

import { createHmac, randomUUID } from 'node:crypto'

const attemptsMax = 3
const patienceMillis = 3_000

type Status =
  | 'enabled'
  | 'webhook_callback_verification_pending'
  | 'webhook_callback_verification_failed'
  | 'notification_failures_exceeded'
  | 'authorization_revoked'

export interface Subscription {
  readonly id: string
  status: Status
  readonly type: string
  readonly version: string
  readonly condition: Readonly<Record<string, string>>
  readonly createdAt: string
  readonly callback: string
  readonly secret: string
}

/** Subscriptions and the sending of what they ask for. */
export class EventSubscriptions {
  readonly all = new Map<string, Subscription>()
  private readonly now: () => Date

  constructor(now: () => Date) {
    this.now = now
  }

  add(more: Omit<Subscription, 'id' | 'status' | 'createdAt'>): Subscription {
    const subscription: Subscription = {
      ...more,
      id: randomUUID(),
      status: 'webhook_callback_verification_pending',
      createdAt: nanoseconds(this.now()),
    }
    this.all.set(subscription.id, subscription)
    return subscription
  }

  /** Asks the address for the challenge, as Twitch does before it sends anything there. */
  async verify(subscription: Subscription): Promise<void> {
    const challenge = randomUUID()
    const content = { challenge, subscription: shownSubscription(subscription) }
    const answer = await this.send(subscription, 'webhook_callback_verification', content, 0)
    const isRight = answer?.status === 200 && answer.text === challenge
    subscription.status = isRight ? 'enabled' : 'webhook_callback_verification_failed'
  }

  /** Sends an event to everyone who asked for it, again and again until it is taken. */
  async notify(type: string, field: string, value: string, event: object): Promise<void> {
    const wanted = [...this.all.values()].filter(
      (one) => one.status === 'enabled' && one.type === type && one.condition[field] === value,
    )
    await Promise.all(wanted.map((one) => this.deliver(one, event)))
  }

  private async deliver(subscription: Subscription, event: object): Promise<void> {
    const content = { subscription: shownSubscription(subscription), event }
    const messageId = randomUUID()
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      const answer = await this.send(subscription, 'notification', content, attempt, messageId)
      if (answer !== undefined && answer.status >= 200 && answer.status < 300) return
    }
    subscription.status = 'notification_failures_exceeded'
    const revoked = { subscription: shownSubscription(subscription) }
    await this.send(subscription, 'revocation', revoked, 0)
  }

  private async send(
    subscription: Subscription,
    messageType: string,
    content: object,
    retry: number,
    messageId: string = randomUUID(),
  ): Promise<{ status: number; text: string } | undefined> {
    const body = JSON.stringify(content)
    const timestamp = nanoseconds(this.now())
    const signature = createHmac('sha256', subscription.secret)
      .update(messageId + timestamp + body)
      .digest('hex')
    try {
      const response = await fetch(subscription.callback, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'twitch-eventsub-message-id': messageId,
          'twitch-eventsub-message-retry': String(retry),
          'twitch-eventsub-message-type': messageType,
          'twitch-eventsub-message-signature': `sha256=${signature}`,
          'twitch-eventsub-message-timestamp': timestamp,
          'twitch-eventsub-subscription-type': subscription.type,
          'twitch-eventsub-subscription-version': subscription.version,
        },
        body,
        signal: AbortSignal.timeout(patienceMillis),
      })
      return { status: response.status, text: await response.text() }
    } catch {
      return undefined
    }
  }
}

/** Twitch writes times with nanoseconds. */
function nanoseconds(time: Date): string {
  return time.toISOString().replace('Z', '123456Z')
}

/** A subscription as the API answers it; its secret stays here. */
export function shownSubscription(subscription: Subscription) {
  const { id, status, type, version, condition, createdAt, callback } = subscription
  const transport = { method: 'webhook', callback }
  return { id, status, type, version, cost: 1, condition, transport, created_at: createdAt }
}
