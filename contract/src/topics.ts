// The topics of refreshing: what a call changes, what a query shows, what the socket tells.

import * as z from 'zod/mini'

/** Topics that the server tells open pages about over their socket. */
export const realtimeTopics = [
  'user',
  'holdings',
  'leaderboard',
  'listings',
  'pack_types',
  'streams',
  'theme',
  'watch',
] as const

/** Every topic; those after the first row are known from the page's own calls alone. */
export const topics = [
  ...realtimeTopics,
  'session',
  'profile',
  'statistics',
  'claims',
  'chain',
  'catalogue',
  'users',
  'overview',
  'batches',
  'audit',
  'discord_bot',
  'twitch_bot',
  'second_factor',
  'notifications',
  'outbox',
] as const

export type RealtimeTopic = (typeof realtimeTopics)[number]

/**
 * `user` is what the server says of the caller, `session` only who that is; `statistics` are the
 * caller's counts, part of `holdings`; `chain` is what the next
 * opening is drawn from, `catalogue` is what staff see of prizes, packs and listings.
 */
export type Topic = (typeof topics)[number]

export const realtimePath = '/api/realtime'

/**
 * A message says what has changed; the page then asks for it again with the calls it has anyway. So
 * a lost message costs nothing but time, and nothing private travels here.
 */
export const RealtimeMessage = z.object({ changed: z.array(z.enum(realtimeTopics)) })
export type RealtimeMessage = z.infer<typeof RealtimeMessage>
