// Topics: what a call changes, what a query shows, what the socket tells.

import * as z from 'zod/mini'

/** Topics that the server sends to open pages over their socket. */
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

/** Every topic; pages notice those after the first row only by their own calls. */
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
 * `user` is everything about the caller, `session` only who they are; `statistics` are the caller's
 * counts, part of `holdings`; `chain` is what the next opening is drawn from; `catalogue` is what
 * staff see of prizes, packs and listings.
 */
export type Topic = (typeof topics)[number]

export const realtimePath = '/api/realtime'

/**
 * A message says what has changed; the page then asks for it with its usual calls. So a lost
 * message costs only time, and nothing private is sent here.
 */
export const RealtimeMessage = z.object({ changed: z.array(z.enum(realtimeTopics)) })
export type RealtimeMessage = z.infer<typeof RealtimeMessage>
