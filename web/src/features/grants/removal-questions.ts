// What is asked before something is taken.

import { formatNumber } from '../../lib/format.ts'

export function packRemovalQuestion(quantity: number, pack: string, user: string): string {
  return `Are you sure you want to remove ${formatNumber(quantity)} ${pack} pack(s) from ${user}?`
}

export function redCoinRemovalQuestion(amount: number, user: string): string {
  return `Are you sure you want to remove ${formatNumber(amount)} RedCoins from ${user}?`
}

export const allRedCoinQuestion =
  'Are you sure you want to remove ALL RedCoins from ALL users? This cannot be undone!'

export const allPacksQuestion =
  'Are you sure you want to remove ALL packs from ALL users? This cannot be undone!'
