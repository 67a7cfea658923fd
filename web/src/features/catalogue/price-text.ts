// A price as the panel writes it.

import { formatNumber } from '../../lib/format.ts'

/** '1,000 RedCoins'; one is '1 RedCoin'. */
export function formatRedCoins(price: number): string {
  return `${formatNumber(price)} ${price === 1 ? 'RedCoin' : 'RedCoins'}`
}
