// The lists of the catalogue end at a number of rows: one more would be shown nowhere.

import type { TestDeps } from './deps.ts'

type FullList = [what: string, max: number, url: string, into: string, values: string]

export const fullLists: readonly FullList[] = [
  ['pack types', 500, '/api/admin/pack-types', 'pack_types (name)', "'x'"],
  ['prizes', 1_000, '/api/admin/prizes', 'prizes (name)', "'x'"],
  [
    'listings',
    500,
    '/api/admin/store/listings',
    'store_pack_listings (pack_type_id, red_coin_price)',
    '(SELECT min(id) FROM pack_types), 5',
  ],
]

/**
 * Fills a list but for one row.
 * @returns what creates one more of any list
 */
export async function fillList(t: TestDeps, [what, max, , into, values]: FullList) {
  const packTypeId = await t.packType('First')
  const missing = max - 1 - (what === 'pack types' ? 1 : 0)
  await t.rows(`INSERT INTO ${into} SELECT ${values} FROM generate_series(1, ${missing})`)
  const priced = { packTypeId, redCoinPrice: 5, isUnlimited: true }
  return { name: 'More', packTypeIds: [packTypeId], ...priced }
}
