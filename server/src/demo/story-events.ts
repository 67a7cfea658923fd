// What can happen in the story of the demo. Plain data: nothing of it has happened yet.

import type { DemoPackKey } from './catalogue.ts'

/** The sign-in name of one of the demo's viewers. */
export type Name = string

export interface Ask {
  readonly viewer: Name
  readonly packType: DemoPackKey
  readonly quantity: number
}

/** A broadcast that Twitch would name as live. */
export interface Broadcast {
  readonly channelId: string
  readonly broadcastId: string
  readonly startedAt: number
}

export type StoryAct =
  /** Pack types, prizes, store, streams and the first members of staff. */
  | {
      readonly kind: 'found'
      readonly sold: ReadonlyMap<DemoPackKey, number>
      /** A story that ends before any deadline would never tell of one that passed. */
      readonly deadlineDaysMax: number
    }
  | { readonly kind: 'join'; readonly viewer: Name; readonly isGreeted: boolean }
  | { readonly kind: 'make_staff'; readonly viewer: Name }
  /** Openings of different viewers at one moment. */
  | { readonly kind: 'open'; readonly asks: readonly Ask[] }
  | ({ readonly kind: 'buy' } & Ask)
  | { readonly kind: 'look_at_twitch'; readonly live: readonly Broadcast[] }
  | { readonly kind: 'start_watching'; readonly viewer: Name; readonly broadcast: Broadcast }
  | { readonly kind: 'watch_on'; readonly viewer: Name; readonly broadcast: Broadcast }
  | { readonly kind: 'start_discord' }
  | { readonly kind: 'post_reward' }
  | { readonly kind: 'claim_reward'; readonly viewer: Name }
  | { readonly kind: 'pause_discord' }
  | { readonly kind: 'say_addresses' }
  /** `isLast` leaves no kind of claim without an example. */
  | { readonly kind: 'work_on_claims'; readonly deletes: boolean; readonly isLast: boolean }
  | {
      readonly kind: 'give_by_file'
      readonly fileName: string
      /** RedCoin when undefined. */
      readonly packType: DemoPackKey | undefined
      readonly rows: readonly (readonly [username: string, amount: number | string])[]
    }
  | { readonly kind: 'reverse_file'; readonly fileName: string }
  | {
      readonly kind: 'give_to_all'
      readonly packType: DemoPackKey
      readonly quantity: number
      readonly reason: string
    }
  | { readonly kind: 'write_note'; readonly viewer: Name; readonly text: string }
  | { readonly kind: 'block_earning'; readonly viewer: Name; readonly reason: string }
  | {
      readonly kind: 'replace_name'
      readonly viewer: Name
      readonly name: string
      readonly reason: string
    }
  | { readonly kind: 'suspend'; readonly viewer: Name; readonly reason: string }
  | { readonly kind: 'add_stock'; readonly prize: string; readonly units: number }

export interface StoryEvent {
  /** Milliseconds of the epoch. */
  readonly at: number
  readonly act: StoryAct
}
