// What changes a balance, as named in the ledger and on its screens.

export const redCoinTypes = [
  'prize_win',
  'pack_consolation',
  'store_purchase',
  'watch_reward',
  'discord_reward',
  'admin_grant',
  'admin_removal',
  'opening_balance',
] as const
