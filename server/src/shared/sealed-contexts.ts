// Where sealed texts stand. Each is bound to its place: copied to another row or column it cannot
// be opened there.

/** The secret server seed of a pair. */
export function seedContext(pairId: number): string {
  return `seed_pairs.server_seed:${pairId}`
}

/** What Twitch has handed out for somebody who signed in. */
export function signInContext(userId: number): string {
  return `twitch_sign_ins|tokens|${userId}`
}

export type BotToken = 'access_token' | 'refresh_token'

/** One of the chat bot's tokens; there is one row of them. */
export function botTokenContext(which: BotToken): string {
  return `twitch_bot_credentials|${which}|1`
}
