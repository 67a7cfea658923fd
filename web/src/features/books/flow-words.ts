// What the kinds of ledger entries are called on the economy's pages.

const words: Readonly<Record<string, string>> = {
  prize_win: 'Prizes won',
  pack_consolation: 'Consolations',
  store_purchase: 'Store purchases',
  watch_reward: 'Watch rewards',
  discord_reward: 'Reward messages',
  admin_grant: 'Grants by staff',
  admin_removal: 'Removals by staff',
  opening_balance: 'Opening balances',
}

/** A kind that this page does not know reads as it is written, with spaces. */
export function flowWord(type: string): string {
  return words[type] ?? type.replaceAll('_', ' ')
}
