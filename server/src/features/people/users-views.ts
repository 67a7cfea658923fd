// Users as staff see them: the whole list, one page, a file, and the prizes of one of them.

import type {
  AdminUser,
  AdminUsersFileQuery,
  AdminUsersPage,
  AdminUsersQuery,
  UserPrize,
} from '@redpack/contract'
import { adminFileRowsMax } from '@redpack/contract/limits'
import { type Database, type Queryable, statement } from '../../adapters/db/database.ts'
import { atOneMoment } from '../../adapters/db/retry.ts'
import { formatClaimId } from '../../rules/claim-steps.ts'
import { csvPieces } from '../../shared/csv-file.ts'
import { DomainError } from '../../shared/domain-error.ts'
import { type JsonText, joinedLists, trustedJson } from '../../shared/json-text.ts'
import { pagesOf } from '../../shared/search-pattern.ts'
import { pickedColumns, usersText } from './user-row-views.ts'
import { userIds } from './users-order-views.ts'

// Adding up hashes is far cheaper than writing the list, and moves whenever a shown value does.
const version = `concat_ws(':',
  (SELECT count(*) || ':' || sum(hashtextextended(concat_ws('|', id, username, display_name,
     email, avatar, red_coin_balance, role, created_at, is_protected, is_earning_blocked), 0))
   FROM users WHERE deleted_at IS NULL),
  (SELECT count(*) || ':' || sum(hashtextextended(concat_ws('|', user_id, pack_type_id, quantity),
     0)) FROM user_packs WHERE quantity > 0),
  (SELECT sum(hashtextextended(id || '|' || name, 0)) FROM pack_types))`
const readVersion = statement('read_admin_users_version', `SELECT ${version} AS version`)
const listMillisMax = 60_000
const readPicked = statement(
  'read_picked_admin_users',
  usersText(
    `SELECT ${pickedColumns}, w.position
     FROM unnest($1::int[]) WITH ORDINALITY AS w (id, position)
     JOIN users u ON u.id = w.id AND u.deleted_at IS NULL`,
    'p.position',
  ),
)
const readOne = statement(
  'read_admin_user',
  usersText(
    `SELECT ${pickedColumns} FROM users u WHERE u.id = $1 AND u.deleted_at IS NULL`,
    'p.id',
  ),
)

export interface UsersList {
  readonly json: JsonText<AdminUser[]>
  /** Differs whenever the list does; undefined when something changed while it was read. */
  readonly version: string | undefined
}

/** Users that are read and written at once where many are wanted. */
const pieceRowsMax = 500

/** All of one moment, in the order that is asked for; what is read of each later is of then. */
function listedIds(
  db: Pick<Database, 'transaction'>,
  { search, sort }: AdminUsersFileQuery,
  rowsMax: number,
): Promise<readonly number[]> {
  return atOneMoment(db, async (tx) => {
    await tx.allow(listMillisMax)
    return (await userIds(tx, { search, sort, offset: 0, limit: rowsMax })).ids
  })
}

async function* userPieces(db: Database): AsyncGenerator<JsonText<AdminUser[]>> {
  const ids = await listedIds(db, { search: '', sort: 'username' }, adminFileRowsMax)
  for (let from = 0; from < ids.length; from += pieceRowsMax) {
    const picked = ids.slice(from, from + pieceRowsMax)
    yield trustedJson(textOf(await db.run<{ users: string }>(readPicked, [picked])))
  }
}

/** JSON text of every user by username, 100000 at most, read piece by piece. */
export async function allUsersJson(db: Database): Promise<UsersList> {
  const before = await usersVersion(db)
  const json = await joinedLists(userPieces(db))
  // What changed meanwhile may stand in the list as it was: then it is the list of no version.
  const after = await usersVersion(db)
  return { json, version: before === after ? before : undefined }
}

/** The `version` of `allUsersJson` as it is now. */
export async function usersVersion(db: Queryable): Promise<string> {
  return (await db.run<{ version: string }>(readVersion, []))[0]?.version ?? ''
}

type PageQuery = Extract<AdminUsersQuery, { readonly isPaged: true }>

/** JSON text of one page; see `searchHitsMax` for the total of a search. */
export async function usersPageJson(
  db: Pick<Database, 'transaction'>,
  { search, sort, page, limit }: PageQuery,
): Promise<JsonText<AdminUsersPage>> {
  const wanted = { search, sort, offset: (page - 1) * limit, limit }
  const { total, text } = await atOneMoment(db, async (tx) => {
    const { ids, total } = await userIds(tx, wanted)
    return { total, text: textOf(await tx.run<{ users: string }>(readPicked, [ids])) }
  })
  const place = { total, totalPages: pagesOf(total, limit), page, limit }
  return trustedJson(`{"users":${text},${JSON.stringify(place).slice(1)}`)
}

function textOf(rows: readonly { readonly users: string }[]): string {
  return rows[0]?.users ?? '[]'
}

/** One user. @throws DomainError not_found, also for somebody who has left */
export async function adminUser(db: Queryable, userId: number): Promise<AdminUser> {
  const [user] = JSON.parse(textOf(await db.run<{ users: string }>(readOne, [userId])))
  if (user === undefined) throw new DomainError('not_found', 'User not found')
  return user
}

const heading = [
  'id',
  'username',
  'displayName',
  'email',
  'role',
  'redCoinBalance',
  'packs',
  'createdAt',
  'isProtected',
  'isEarningBlocked',
]

/** The users as pieces of a CSV file; `packs` adds up all pack types. */
export function usersFile(
  db: Database,
  query: AdminUsersFileQuery,
  rowsMax = adminFileRowsMax,
): AsyncIterable<string> {
  let left: readonly number[] | undefined
  return csvPieces<AdminUser>({
    heading,
    rowsMax,
    async read(_last, limit) {
      left ??= await listedIds(db, query, rowsMax)
      const users: AdminUser[] = []
      // Who has left meanwhile is passed over.
      while (users.length < limit && left.length > 0) {
        const ids = left.slice(0, limit - users.length)
        left = left.slice(ids.length)
        users.push(...JSON.parse(textOf(await db.run<{ users: string }>(readPicked, [ids]))))
      }
      return users
    },
    cells: (user) => [
      user.id,
      user.username,
      user.displayName,
      user.email,
      user.role,
      user.redCoinBalance,
      user.userPacks.reduce((sum, { quantity }) => sum + quantity, 0),
      user.createdAt,
      String(user.isProtected),
      String(user.isEarningBlocked),
    ],
  })
}

/** Claims shown in a user's dialog, the newest ones. */
const prizesMax = 1_000

const readPrizes = statement(
  'read_user_prizes',
  `SELECT c.id, c.claim_id, c.status, c.created_at, c.prize_id,
     c.prize_name AS name, c.prize_description AS description, c.red_coin_amount,
     p.claim_instructions
   FROM users u
   LEFT JOIN (prize_claims c JOIN prizes p ON p.id = c.prize_id)
     ON c.user_id = u.id AND c.deleted_at IS NULL AND c.red_coin_amount = 0
   WHERE u.id = $1 AND u.deleted_at IS NULL
   ORDER BY c.id DESC LIMIT ${prizesMax}`,
)

interface PrizeRow {
  readonly id: number | null
  readonly claim_id: string | null
  readonly status: UserPrize['status']
  readonly created_at: Date
  readonly prize_id: number
  readonly name: string
  readonly description: string
  readonly red_coin_amount: number
  readonly claim_instructions: string
}

/**
 * A user's claims on physical prizes, newest first, 1000 at most.
 * @throws DomainError not_found when there is no such user
 */
export async function userPrizes(db: Queryable, userId: number): Promise<UserPrize[]> {
  const rows = await db.run<PrizeRow>(readPrizes, [userId])
  if (rows.length === 0) throw new DomainError('not_found', 'User not found')
  return rows.flatMap(({ id, ...row }) =>
    id === null
      ? []
      : [
          {
            id,
            claimId: formatClaimId(row.claim_id, id),
            status: row.status,
            createdAt: row.created_at.toISOString(),
            prize: {
              id: row.prize_id,
              name: row.name,
              description: row.description,
              redCoinAmount: row.red_coin_amount,
              claimInstructions: row.claim_instructions,
            },
          },
        ],
  )
}
