// Addresses of what players and staff see.

import { everyday } from '../server/test/everyday.ts'

/** Every screen of a player. */
export const playerScreens = [
  '/dashboard',
  '/inventory',
  '/my-prizes',
  '/store',
  '/profile',
  '/twitch-streams',
  '/leaderboard',
  '/fairness',
  '/history',
  '/history?view=openings',
] as const

/** Every tab of the admin panel. */
export const staffScreens = [
  'overview',
  'prizes',
  'pack-types',
  'distribute',
  'store',
  'prize-claims',
  'fresh-users',
  'settings',
  'twitch-streams',
  'discord-bot',
  'bot-credentials',
  'economy',
  'audit',
  'messages',
  'jobs',
  'server',
  'security',
].map((tab) => `/admin?tab=${tab}`)

/** Every third, for what says the same of each; all of them under `npm run test:faults`. */
export function screensOfToday(screens: readonly string[]): readonly string[] {
  return everyday(
    screens.filter((_, index) => index % 3 === 0),
    screens,
  )
}
