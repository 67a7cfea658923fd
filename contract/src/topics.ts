// The topics of refreshing: what a call changes, what a query shows, what the socket tells.

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
