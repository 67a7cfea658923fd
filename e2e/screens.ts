// Addresses of what players and staff see.

import { adminTabNames } from '../web/src/compat/admin-tabs.ts'

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
export const staffScreens = adminTabNames.map(({ id }) => `/admin?tab=${id}`)
