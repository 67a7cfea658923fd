// Addresses of what players and staff see.

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
