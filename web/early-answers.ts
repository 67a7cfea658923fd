// What each screen asks the server first. The page's first script asks it ahead of the screen's
// code, so that answers and code come side by side.

/** Addresses of calls by the first word of a screen's address; those of the bar under `frame`. */
export const earlyAnswers: Readonly<Record<string, readonly string[]>> = {
  frame: ['/api/user/notices'],
  dashboard: ['/api/user/stats', '/api/user/openings'],
  inventory: ['/api/packs/types', '/api/user/packs'],
  store: ['/api/store/listings'],
  leaderboard: ['/api/redcoin/leaderboard?limit=3', '/api/redcoin/leaderboard?limit=53'],
  'twitch-streams': [
    '/api/twitch/active-streams',
    '/api/twitch/watch-sessions',
    '/api/twitch/watch-completions',
  ],
}
