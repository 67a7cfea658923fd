// Which users stand where in the list, by id: along an index and from the end that is nearer, so
// that no page of a million people is far away.

import type { userSorts } from '@redpack/contract'
import { type Queryable, type Statement, statement } from '../../adapters/db/database.ts'
import {
  type IdRow,
  idsOf,
  type PageOfIds,
  pageFromCloserEnd,
  sampleOf,
  searchWords,
  sequentialScan,
  type WordSearch,
} from '../../adapters/db/word-search.ts'
import { containing } from '../../shared/search-pattern.ts'
import { peopleTotal } from '../ledger/people-totals-sql.ts'

export type UserSort = (typeof userSorts)[number]

/** A search says of more hits only that there are so many. */
export const searchHitsMax = 10_000
/** Staff are few; no more of them are put in order. */
const staffMax = 10_000

const staff = `role <> 'user' AND deleted_at IS NULL`
// Equal balances stand as in the ranking, whose index this is.
const orders = {
  username: { from: 'people_search s WHERE NOT s.has_left', by: ['s.username', 's.user_id'] },
  createdAt: { from: 'people_search s WHERE NOT s.has_left', by: ['s.created_at', 's.user_id'] },
  redCoinBalance: {
    from: 'users u WHERE u.deleted_at IS NULL',
    by: ['u.red_coin_balance', 'u.id'],
  },
  /** Everybody but staff. */
  others: {
    from: `people_search s WHERE NOT s.has_left
      AND s.user_id NOT IN (SELECT id FROM users WHERE ${staff})`,
    by: ['s.user_id'],
  },
} as const satisfies Record<string, { from: string; by: readonly string[] }>
type OrderName = keyof typeof orders
const isTurned = (name: OrderName, index: number) => name === 'redCoinBalance' && index === 1

function statementsOf(name: OrderName) {
  const { from, by } = orders[name]
  const id = by.at(-1)
  const read = (isDown: boolean, where = '') => {
    const along = by.map(
      (column, index) => `${column} ${isDown === isTurned(name, index) ? 'ASC' : 'DESC'}`,
    )
    return `SELECT ${id} AS id FROM ${from}${where} ORDER BY ${along.join(', ')}
      LIMIT $1 OFFSET $2`
  }
  const word = `${sequentialScan('w.words')} LIKE lower($3)`
  // Said so that neither an index over letters nor a join of everybody fits: the next hit is near.
  const says =
    name === 'redCoinBalance'
      ? ` AND (SELECT ${word} FROM people_search w WHERE w.user_id = u.id)`
      : ` AND ${word.replace('w.', 's.')}`
  return {
    up: statement(`users_by_${name}`, read(false)),
    down: statement(`users_by_${name}_down`, read(true)),
    foundUp: statement(`found_users_by_${name}`, read(false, says)),
    foundDown: statement(`found_users_by_${name}_down`, read(true, says)),
  }
}
const reads = {
  username: statementsOf('username'),
  createdAt: statementsOf('createdAt'),
  redCoinBalance: statementsOf('redCoinBalance'),
  others: statementsOf('others'),
} as const satisfies Readonly<Record<OrderName, unknown>>
const hitsOf = (words: string) =>
  `SELECT user_id AS id FROM people_search WHERE NOT has_left AND ${words} LIKE lower($1) LIMIT $2`
const hits: WordSearch = {
  sample: sampleOf('people_search', 'sample_users'),
  byIndex: statement('find_users', hitsOf('words')),
  sequentialScan: statement('find_users_in_passing', hitsOf(sequentialScan('words'))),
}
const orderOf = {
  username: 'username, id',
  '-username': 'username DESC, id DESC',
  redCoinBalance: 'red_coin_balance, id DESC',
  '-redCoinBalance': 'red_coin_balance DESC, id',
  role: 'role, id',
  '-role': 'role DESC, id DESC',
  createdAt: 'created_at, id',
  '-createdAt': 'created_at DESC, id DESC',
} as const satisfies Readonly<Record<UserSort, string>>
const sortHits = Object.fromEntries(
  Object.entries(orderOf).map(([sort, order]) => [
    sort,
    statement(
      `sort_found_users_${sort.replace('-', 'desc_')}`,
      `SELECT id FROM users WHERE id = ANY($1::int[]) ORDER BY ${order} LIMIT $2 OFFSET $3`,
    ),
  ]),
) as Readonly<Record<UserSort, Statement>>
const staffInOrder = statement(
  'users_of_staff',
  `SELECT u.id FROM users u
   WHERE ${staff} AND ($1 = '%%' OR EXISTS (SELECT FROM people_search w
     WHERE w.user_id = u.id AND w.words LIKE lower($1)))
   ORDER BY u.role, u.id LIMIT ${staffMax}`,
)
const countPeople = statement('count_listed_users', `SELECT ${peopleTotal}::int AS total`)

interface Wanted {
  readonly search: string
  readonly sort: UserSort
  readonly offset: number
  readonly limit: number
}

/**
 * The users from `offset` on. To be read at one moment, with statements planned for their values.
 */
export async function userIds(tx: Queryable, wanted: Wanted): Promise<PageOfIds> {
  const { search, sort, offset, limit } = wanted
  if (search !== '') {
    const found = await searchWords<IdRow>(tx, hits, containing(search), searchHitsMax + 1)
    if (found.length <= searchHitsMax) {
      const rows = await tx.run<IdRow>(sortHits[sort], [idsOf(found), limit, offset])
      return { ids: idsOf(rows), total: found.length }
    }
  }
  const [row] = search === '' ? await tx.run<{ total: number }>(countPeople, []) : []
  const total = row?.total ?? searchHitsMax
  const read = sort.endsWith('role') ? byRole : byIndex
  return { ids: await read(tx, wanted, row?.total), total }
}

/** Along one index; `total` is known where nothing is searched for. */
async function byIndex(tx: Queryable, wanted: Wanted, total?: number): Promise<number[]> {
  const isDown = wanted.sort.startsWith('-')
  return along(tx, wanted.sort.replace('-', '') as OrderName, isDown, wanted, total)
}

/** Staff in the order of roles, everybody else before or after them. */
async function byRole(tx: Queryable, wanted: Wanted, total?: number): Promise<number[]> {
  const { search, offset, limit } = wanted
  const isDown = wanted.sort.startsWith('-')
  const staffIds = idsOf(await tx.run<IdRow>(staffInOrder, [containing(search)]))
  const others = total === undefined ? undefined : total - staffIds.length
  if (!isDown) {
    const first = staffIds.slice(offset, offset + limit)
    const place = { ...wanted, offset: Math.max(0, offset - staffIds.length) }
    const rest = { ...place, limit: limit - first.length }
    return [...first, ...(await along(tx, 'others', false, rest, others))]
  }
  const first = await along(tx, 'others', true, wanted, others)
  if (first.length === limit) return first
  const before = others ?? offset + first.length
  const from = Math.max(0, offset - before)
  const last = staffIds.toReversed().slice(from, from + limit - first.length)
  return [...first, ...last]
}

async function along(
  tx: Queryable,
  name: OrderName,
  isDown: boolean,
  { search, offset, limit }: Wanted,
  total: number | undefined,
): Promise<number[]> {
  const { up, down, foundUp, foundDown } = reads[name]
  if (total === undefined) {
    const values = [limit, offset, containing(search)]
    return idsOf(await tx.run<IdRow>(isDown ? foundDown : foundUp, values))
  }
  return pageFromCloserEnd(tx, isDown ? [down, up] : [up, down], { offset, limit, total })
}
