// Users as staff see them: the whole list, one page, a file, and the prizes of one of them. Which
// of them stand where is read along an index and from the end that is nearer, so that no page of a
// million people is far away.

import {
  type AdminUser,
  type AdminUsersFileQuery,
  type AdminUsersPage,
  type AdminUsersQuery,
  type UserPrize,
  type userChoices,
  userSorts,
} from '@redpack/contract'
import { adminFileRowsMax, hitsMax } from '@redpack/contract/limits'
import {
  type Database,
  type Queryable,
  type Statement,
  statement,
} from '../../adapters/db/database.ts'
import { oneValueQuery, rowsQuery } from '../../adapters/db/queries.ts'
import { atOneMoment } from '../../adapters/db/retry.ts'
import {
  containing,
  type IdRow,
  idsOf,
  type PageOfIds,
  pageFromCloserEnd,
  sampleOf,
  searchWords,
  sequentialScan,
  type WordSearch,
} from '../../adapters/db/word-search.ts'
import { formatClaimId } from '../../rules/claim-steps.ts'
import { csvPieces, ownColumns } from '../../shared/csv-file.ts'
import { DomainError } from '../../shared/domain-error.ts'
import { type Dated, isoTimes } from '../../shared/iso-times.ts'
import { type JsonText, joinedLists, trustedJson } from '../../shared/json-text.ts'
import { placeOf } from '../../shared/pagination.ts'
import { isSuspended } from '../../shared/standing-sql.ts'
import { peopleTotal } from '../ledger/people-totals-sql.ts'
import { usersText } from './users-sql.ts'

export type UserSort = (typeof userSorts)[number]
type UserChoice = (typeof userChoices)[number]

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
const reads = Object.fromEntries(
  (Object.keys(orders) as OrderName[]).map((name) => [name, statementsOf(name)]),
) as Readonly<Record<OrderName, ReturnType<typeof statementsOf>>>
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
  userSorts.map((sort) => [
    sort,
    statement(
      `sort_found_users_${sort.replace('-', 'desc_')}`,
      `SELECT id FROM users WHERE id = ANY($1::int[]) ORDER BY ${orderOf[sort]} LIMIT $2 OFFSET $3`,
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
const isLookedAt = {
  flagged: 'u.is_name_flagged',
  renamed: 'u.own_name IS NOT NULL',
  suspended: 'u.suspended_until IS NOT NULL',
}
/** A few of all, by the index that has no others. */
const lookedAt = statement(
  'find_looked_at_users',
  `SELECT u.id FROM users u JOIN people_search w ON w.user_id = u.id
   WHERE (${Object.values(isLookedAt).join(' OR ')}) AND NOT w.has_left
     AND CASE $2 ${Object.entries(isLookedAt)
       .map(([name, is]) => `WHEN '${name}' THEN ${is}`)
       .join(' ')} END
     AND ($2 <> 'suspended' OR ${isSuspended('u', '$4')})
     AND w.words LIKE lower($1)
   ORDER BY u.id LIMIT $3`,
)
const countPeople = oneValueQuery<{ total: number }>(
  'count_listed_users',
  `SELECT ${peopleTotal}::int AS total`,
)

interface Wanted {
  readonly search: string
  readonly sort: UserSort
  readonly only: UserChoice
  readonly offset: number
  readonly limit: number
  /** Suspensions that are over by then are none. */
  readonly now: Date
}

/**
 * The users from `offset` on. To be read at one moment, with statements planned for their values.
 */
export async function userIds(tx: Queryable, wanted: Wanted): Promise<PageOfIds> {
  const { search, sort, only, offset, limit, now } = wanted
  if (search !== '' || only !== 'all') {
    const found =
      only === 'all'
        ? await searchWords<IdRow>(tx, hits, containing(search), hitsMax + 1)
        : await tx.run<IdRow>(lookedAt, [containing(search), only, hitsMax, now])
    if (found.length <= hitsMax) {
      const rows = await tx.run<IdRow>(sortHits[sort], [idsOf(found), limit, offset])
      return { ids: idsOf(rows), total: found.length }
    }
  }
  const total = search === '' ? await countPeople(tx) : undefined
  const read = sort.endsWith('role') ? byRole : byIndex
  return { ids: await read(tx, wanted, total), total: total ?? hitsMax }
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

// Adding up hashes is far cheaper than writing the list, and moves whenever a shown value does.
const version = `concat_ws(':',
  (SELECT count(*) || ':' || sum(hashtextextended(concat_ws('|', id, username, display_name,
     email, avatar, red_coin_balance, role, created_at, is_protected, is_earning_blocked, own_name,
     is_name_flagged, suspended_until, suspension_reason, suspension_answer), 0))
   FROM users WHERE deleted_at IS NULL),
  (SELECT count(*) || ':' || sum(hashtextextended(concat_ws('|', user_id, pack_type_id, quantity),
     0)) FROM user_packs WHERE quantity > 0),
  (SELECT sum(hashtextextended(id || '|' || name, 0)) FROM pack_types))`
const listMillisMax = 60_000
const readPicked = oneValueQuery<{ users: string }, [ids: readonly number[]]>(
  'read_picked_admin_users',
  usersText,
)
/** Those of the users that have not left, in the order of the ids. */
export async function pickedUsers(db: Queryable, ids: readonly number[]): Promise<AdminUser[]> {
  return JSON.parse(await readPicked(db, ids))
}

/** Users that are read and written at once where many are wanted. */
const pieceRowsMax = 500

/** All of one moment, in the order that is asked for; what is read of each later is of then. */
function listedIds(
  db: Pick<Database, 'transaction'>,
  { search, sort, only }: AdminUsersFileQuery,
  rowsMax: number,
  now: Date,
): Promise<readonly number[]> {
  return atOneMoment(db, async (tx) => {
    await tx.allow(listMillisMax)
    return (await userIds(tx, { search, sort, only, offset: 0, limit: rowsMax, now })).ids
  })
}

async function* userPieces(db: Database, now: Date): AsyncGenerator<JsonText<AdminUser[]>> {
  const all = { search: '', sort: 'username', only: 'all' } as const
  const ids = await listedIds(db, all, adminFileRowsMax, now)
  for (let from = 0; from < ids.length; from += pieceRowsMax) {
    const picked = ids.slice(from, from + pieceRowsMax)
    yield trustedJson(await readPicked(db, picked))
  }
}

/**
 * JSON text of every user by username, 100000 at most, read piece by piece; and its version, which
 * differs whenever the list does, undefined when something changed while it was read.
 */
export async function allUsersJson(db: Database, now: Date) {
  const before = await usersVersion(db)
  const json = await joinedLists(userPieces(db, now))
  // What changed meanwhile may stand in the list as it was: then it is the list of no version.
  const after = await usersVersion(db)
  return { json, version: before === after ? before : undefined }
}

/** The `version` of `allUsersJson` as it is now. */
export const usersVersion = oneValueQuery<{ version: string }>(
  'read_admin_users_version',
  `SELECT ${version} AS version`,
)

type PageQuery = Extract<AdminUsersQuery, { readonly isPaged: true }>

/** JSON text of one page; see `hitsMax` for the total of a search. */
export async function usersPageJson(
  db: Pick<Database, 'transaction'>,
  { search, sort, only, page, limit }: PageQuery,
  now: Date,
): Promise<JsonText<AdminUsersPage>> {
  const wanted = { search, sort, only, offset: (page - 1) * limit, limit, now }
  const { total, text } = await atOneMoment(db, async (tx) => {
    const { ids, total } = await userIds(tx, wanted)
    return { total, text: await readPicked(tx, ids) }
  })
  const place = placeOf(total, { page, limit })
  return trustedJson(`{"users":${text},${JSON.stringify(place).slice(1)}`)
}

/** The users as pieces of a CSV file; `packs` adds up all pack types. */
export function usersFile(
  db: Database,
  query: AdminUsersFileQuery,
  now: Date,
  rowsMax = adminFileRowsMax,
): AsyncIterable<string> {
  let left: readonly number[] | undefined
  return csvPieces<AdminUser>({
    rowsMax,
    async read(_last, limit) {
      left ??= await listedIds(db, query, rowsMax, now)
      const users: AdminUser[] = []
      // Who has left meanwhile is passed over.
      while (users.length < limit && left.length > 0) {
        const ids = left.slice(0, limit - users.length)
        left = left.slice(ids.length)
        users.push(...(await pickedUsers(db, ids)))
      }
      return users
    },
    columns: {
      ...ownColumns('id', 'username', 'displayName', 'email', 'role', 'redCoinBalance'),
      packs: (user) => user.userPacks.reduce((sum, { quantity }) => sum + quantity, 0),
      createdAt: (user) => user.createdAt,
      isProtected: (user) => String(user.isProtected),
      isEarningBlocked: (user) => String(user.isEarningBlocked),
    },
  })
}

/** Claims shown in a user's dialog, the newest ones. */
const prizesMax = 1_000

type PrizeRow = Omit<Dated<UserPrize, 'createdAt'>, 'id' | 'claimId'> & {
  /** Null in the only row of a user without claims. */
  readonly id: number | null
  readonly claimId: string | null
}

const readPrizes = rowsQuery<PrizeRow, [userId: number]>(
  'read_user_prizes',
  `SELECT c.id, c.claim_id AS "claimId", c.status, c.created_at AS "createdAt",
     json_build_object('id', c.prize_id, 'name', c.prize_name, 'description', c.prize_description,
       'redCoinAmount', c.red_coin_amount, 'claimInstructions', p.claim_instructions) AS prize
   FROM users u
   LEFT JOIN (prize_claims c JOIN prizes p ON p.id = c.prize_id)
     ON c.user_id = u.id AND c.deleted_at IS NULL AND c.red_coin_amount = 0
   WHERE u.id = $1 AND u.deleted_at IS NULL
   ORDER BY c.id DESC LIMIT ${prizesMax}`,
)

/**
 * A user's claims on physical prizes, newest first, 1000 at most.
 * @throws DomainError not_found when there is no such user
 */
export async function userPrizes(db: Queryable, userId: number): Promise<UserPrize[]> {
  const rows = await readPrizes(db, userId)
  if (rows.length === 0) throw new DomainError('not_found', 'User not found')
  return rows.flatMap(({ id, ...row }) =>
    id === null ? [] : [{ id, ...isoTimes(row), claimId: formatClaimId(row.claimId, id) }],
  )
}
