// Subscriptions to Twitch's events by webhook: which there are, new ones, and their end.
// Facts: dev.twitch.tv/docs/eventsub/{manage-subscriptions,eventsub-subscription-types}.

import * as z from 'zod/mini'
import { TwitchFault } from '../../shared/far-side-faults.ts'
import { readAnswer, type TwitchAnswer } from './twitch-calls.ts'

export const subscriptionTypes = [
  'stream.online',
  'stream.offline',
  'user.authorization.revoke',
] as const
export type SubscriptionType = (typeof subscriptionTypes)[number]

export interface WantedSubscription {
  readonly type: SubscriptionType
  /** The channel; empty for what concerns the whole app. */
  readonly channelId: string
}

export interface Subscription {
  readonly id: string
  readonly type: string
  readonly channelId: string
  readonly callback: string
  /** True while events come, or the address is about to be checked. */
  readonly isAlive: boolean
}

export interface EventSub {
  /** Every subscription of the app. @throws TwitchFault */
  list(): Promise<Subscription[]>
  /** Has events sent to an https address. One that exists is fine. @throws TwitchFault */
  create(wanted: WantedSubscription, callback: string, secret: string): Promise<void>
  /** Ends a subscription; one that has ended already is fine. @throws TwitchFault */
  remove(id: string): Promise<void>
}

const Subscriptions = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      status: z.string(),
      type: z.string(),
      condition: z.record(z.string(), z.unknown()),
      transport: z.object({ callback: z.optional(z.string()) }),
    }),
  ),
  pagination: z.optional(z.object({ cursor: z.optional(z.string()) })),
})

const pagesMax = 200
const alive = new Set(['enabled', 'webhook_callback_verification_pending'])
const path = '/eventsub/subscriptions'

interface AppCall {
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly json?: unknown
}

export function eventSub(
  asApp: (call: AppCall) => Promise<TwitchAnswer>,
  clientId: string | undefined,
): EventSub {
  return {
    async list() {
      const found: Subscription[] = []
      let after: string | undefined
      for (let page = 0; page < pagesMax; page += 1) {
        const query: Record<string, string> = after === undefined ? {} : { after }
        const answer = readAnswer(Subscriptions, await asApp({ path, query }))
        for (const { id, status, type, condition, transport } of answer.data) {
          found.push({
            id,
            type,
            channelId: String(condition['broadcaster_user_id'] ?? ''),
            callback: transport.callback ?? '',
            isAlive: alive.has(status),
          })
        }
        after = answer.pagination?.cursor
        if (after === undefined || after === '') break
      }
      return found
    },
    async create({ type, channelId }, callback, secret) {
      const condition =
        channelId === '' ? { client_id: clientId ?? '' } : { broadcaster_user_id: channelId }
      const transport = { method: 'webhook', callback, secret }
      const json = { type, version: '1', condition, transport }
      await asApp({ method: 'POST', path, json }).catch(unlessRefusedWith(409))
    },
    async remove(id) {
      await asApp({ method: 'DELETE', path, query: { id } }).catch(unlessRefusedWith(404))
    },
  }
}

function unlessRefusedWith(status: number): (error: unknown) => undefined {
  return (error) => {
    if (error instanceof TwitchFault && error.code === status) return undefined
    throw error
  }
}
