// What changes a balance, as the ledger and its screens call it.

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
