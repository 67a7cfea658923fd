// What the product tells itself after a commit. A lost event may delay a screen, but never loses
// value.

import type { EventsFigures } from '../../rules/server-figures.ts'

export type ProductEvent =
  /** Balance, profile, role or anything else of a user row has changed. */
  | { readonly type: 'user_changed'; readonly userId: number }
  /** So many users have changed, with what they hold, that nobody is named. */
  | { readonly type: 'everybody_changed' }
  | { readonly type: 'sessions_ended'; readonly userId: number }
  | { readonly type: 'holdings_changed'; readonly userId: number }
  /** Pack types, prizes, listings or stock that players see have changed. */
  | { readonly type: 'catalogue_changed'; readonly what: 'pack_types' | 'listings' | 'prizes' }
  | { readonly type: 'leaderboard_changed' }
  | { readonly type: 'streams_changed' }
  | { readonly type: 'watch_completed'; readonly userId: number }
  | { readonly type: 'theme_changed' }

export type EventListener = (event: ProductEvent) => void

export interface Events {
  /** Tells every listener in this process now, and other processes soon after. Never throws. */
  publish(event: ProductEvent): void
  /** Answers the function that ends the subscription. */
  subscribe(listener: EventListener): () => void
  /** How events reach other processes. */
  figures(): EventsFigures
  close(): Promise<void>
}

/** Events inside one process. A listener that throws is reported and does not stop the others. */
export function localEvents(onError: (error: unknown) => void): Events {
  const listeners = new Set<EventListener>()
  return {
    publish(event) {
      for (const listener of listeners) {
        try {
          listener(event)
        } catch (error) {
          onError(error)
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    figures: () => alone,
    async close() {
      listeners.clear()
    },
  }
}

const alone: EventsFigures = {
  carrier: 'none',
  isUp: true,
  published: 0,
  received: 0,
  lost: 0,
  lastHeardAt: undefined,
  roundTripSeconds: undefined,
}
