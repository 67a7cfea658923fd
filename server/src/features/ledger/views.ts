// What is seen of balances: the ranking, the caller's own place in it, and their own history.

import type {
  LeaderboardEntry,
  OwnRank,
  RedCoinEntry,
  RedCoinHistoryQuery,
  RedCoinHistoryResponse,
} from '@redpack/contract'
import { historyFileRowsMax } from '@redpack/contract/limits'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import { csvPieces, ownColumns } from '../../shared/csv-file.ts'
import { signedOut } from '../../shared/domain-error.ts'
import { type Dated, isoTimes } from '../../shared/iso-times.ts'
import { paginationOf } from '../../shared/pagination.ts'
import { publicName } from '../../shared/standing-sql.ts'

// The index users_balance holds the rows in this order.
const isRanked = `red_coin_balance > 0 AND NOT is_protected AND NOT is_hidden_from_leaderboard
     AND deleted_at IS NULL`
const rankedOf = (people: string) => `display_name AS "displayName",
  ${publicName(people, 'username')} AS username, avatar, red_coin_balance AS "redCoinBalance"`

const readRanking = statement(
  'read_leaderboard',
  `SELECT ${rankedOf('users')}
   FROM users
   WHERE ${isRanked}
   ORDER BY red_coin_balance DESC, id
   LIMIT $1`,
)

/**
 * The `limit` highest balances above 0, equal ones by id. The protected account is left
 * out, since its name must not be public, and so is everyone who wants to stay hidden.
 */
export async function leaderboard(db: Queryable, limit: number): Promise<LeaderboardEntry[]> {
  const rows = await db.run<Omit<LeaderboardEntry, 'rank'>>(readRanking, [limit])
  return rows.map((row, index) => ({ rank: index + 1, ...row }))
}

const neighboursEachSide = 2

const balance = '(SELECT red_coin_balance FROM me)'
const markBalance = '(SELECT balance FROM mark)'
const markId = '(SELECT last_id FROM mark)'
/** Whether a place, given by its balance, is at the mark or above it. */
const isAboveMark = (place: string) =>
  `(${place} > mark.balance OR ${place} = mark.balance AND c.user_id <= mark.last_id)`

/**
 * How many people stand above `me`: those above the next mark as they were counted, what has
 * changed there since, and those between the mark and `me` one by one. Equal balances are looked
 * up apart, so that each part is one piece of an index however many people share a balance.
 */
const placeOfMe = `mark AS MATERIALIZED (
     SELECT * FROM (
       (SELECT m.balance, m.last_id, m.ranked FROM ranking_marks m
        WHERE m.edition = (SELECT edition FROM people_counts) AND m.balance = ${balance}
          AND m.last_id < $1 ORDER BY m.last_id DESC LIMIT 1)
       UNION ALL
       (SELECT m.balance, m.last_id, m.ranked FROM ranking_marks m
        WHERE m.edition = (SELECT edition FROM people_counts) AND m.balance > ${balance}
        ORDER BY m.balance, m.last_id DESC LIMIT 1)
     ) nearest ORDER BY balance, last_id DESC LIMIT 1
   ), place AS (
     SELECT coalesce((SELECT ranked FROM mark), 0)
       + (SELECT coalesce(sum(${isAboveMark('c.ranked_after')}::int
            - ${isAboveMark('c.ranked_before')}::int), 0)
          FROM people_changes c, mark
          WHERE c.id > (SELECT settled_id FROM people_counts)
            AND c.ranked_after <> c.ranked_before)
       + (SELECT count(*) FROM ranked WHERE ${markBalance} > ${balance}
            AND red_coin_balance = ${markBalance} AND id > ${markId})
       + (SELECT count(*) FROM ranked WHERE red_coin_balance > ${balance}
            AND red_coin_balance < coalesce(${markBalance}, 9223372036854775807))
       + (SELECT count(*) FROM ranked WHERE red_coin_balance = ${balance} AND id < $1
            AND id > CASE WHEN ${markBalance} = ${balance} THEN ${markId} ELSE 0 END) AS higher
   )`

/** The people next to `me` on one side, those with the same balance first. */
const nextTo = (side: 'above' | 'below') => {
  const [than, order] = side === 'above' ? ['<', 'id DESC'] : ['>', 'id']
  const [further, balanceOrder] =
    side === 'above' ? ['>', 'red_coin_balance'] : ['<', 'red_coin_balance DESC']
  return `SELECT * FROM (
       (SELECT * FROM ranked WHERE red_coin_balance = ${balance} AND id ${than} $1
        ORDER BY ${order} LIMIT ${neighboursEachSide})
       UNION ALL
       (SELECT * FROM ranked WHERE red_coin_balance ${further} ${balance}
        ORDER BY ${balanceOrder}, ${order} LIMIT ${neighboursEachSide})
     ) near_${side} ORDER BY ${balanceOrder}, ${order} LIMIT ${neighboursEachSide}`
}

// One statement sees one moment, so the place and the people next to it agree.
const readOwnRank = statement(
  'read_own_rank',
  `WITH me AS MATERIALIZED (
     SELECT * FROM users WHERE id = $1 AND deleted_at IS NULL
   ), ranked AS NOT MATERIALIZED (
     SELECT * FROM users WHERE ${isRanked}
   ), ${placeOfMe}, above AS (
     ${nextTo('above')}
   ), below AS (
     ${nextTo('below')}
   )
   SELECT (SELECT higher::int FROM place) AS higher, id,
     is_protected AS "isProtected", is_hidden_from_leaderboard AS "isHidden", ${rankedOf('near')}
   FROM (SELECT * FROM above UNION ALL SELECT * FROM me UNION ALL SELECT * FROM below) near
   ORDER BY red_coin_balance DESC, id`,
)

interface NearRow extends Omit<LeaderboardEntry, 'rank'> {
  /** How many people of the public ranking stand above the caller. */
  readonly higher: number
  readonly id: number
  readonly isProtected: boolean
  readonly isHidden: boolean
}

/**
 * The caller's place among everyone in the public ranking. Others carry the rank that everyone
 * sees; a hidden caller sees the rank they would have, which the next person then has in public.
 * @throws DomainError unauthorized when the account is gone
 */
export async function ownRank(db: Queryable, userId: number): Promise<OwnRank> {
  const rows = await db.run<NearRow>(readOwnRank, [userId])
  const at = rows.findIndex(({ id }) => id === userId)
  const me = rows[at]
  if (me === undefined) throw signedOut()
  const { higher, isHidden, isProtected, redCoinBalance } = me
  if (redCoinBalance === 0 || isProtected) {
    return { rank: null, redCoinBalance, isHidden, neighbours: [] }
  }
  const rank = higher + 1
  const neighbours = rows.map(({ displayName, username, avatar, ...row }, index) => ({
    // Below somebody hidden the public ranks go on as if nobody stood there.
    rank: rank + index - at - (isHidden && index > at ? 1 : 0),
    displayName,
    username,
    avatar,
    redCoinBalance: row.redCoinBalance,
    isSelf: index === at,
  }))
  return { rank, redCoinBalance, isHidden, neighbours }
}

const columns = `t.id, t.created_at AS "createdAt", t.amount, t.type, t.description,
  t.balance_after AS "balanceAfter", c.prize_name AS "prizeName", t.pack_opening_id AS "openingId"`

// The index red_coin_transactions_user holds the rows in this order. The total stands beside the
// page in one snapshot; a page past the end still has its one row, empty.
const readPage = statement(
  'read_red_coin_history',
  `SELECT matching.total, page.*
   FROM (
     SELECT count(*)::int AS total FROM red_coin_transactions
     WHERE user_id = $1 AND ($2 = 'all' OR type = $2)
   ) matching
   LEFT JOIN LATERAL (
     SELECT ${columns}
     FROM (
       SELECT * FROM red_coin_transactions
       WHERE user_id = $1 AND ($2 = 'all' OR type = $2)
       ORDER BY id DESC LIMIT $3 OFFSET $4
     ) t
     LEFT JOIN prize_claims c ON c.pack_opening_id = t.pack_opening_id
   ) page ON true
   ORDER BY page.id DESC`,
)
const readBefore = statement(
  'read_red_coin_history_before',
  `SELECT ${columns}
   FROM (
     SELECT * FROM red_coin_transactions
     WHERE user_id = $1 AND ($2 = 'all' OR type = $2) AND id < $3
     ORDER BY id DESC LIMIT $4
   ) t
   LEFT JOIN prize_claims c ON c.pack_opening_id = t.pack_opening_id
   ORDER BY t.id DESC`,
)

type EntryRow = Dated<RedCoinEntry, 'createdAt'>

/** One page of the caller's ledger, newest first. A page past the end is empty. */
export async function redCoinHistory(
  db: Queryable,
  userId: number,
  { page, limit, type }: RedCoinHistoryQuery,
): Promise<RedCoinHistoryResponse> {
  const rows = await db.run<{ total: number } & (EntryRow | { readonly id: null })>(readPage, [
    userId,
    type,
    limit,
    (page - 1) * limit,
  ])
  return {
    entries: rows.flatMap(({ total: _total, ...row }) => (row.id === null ? [] : [isoTimes(row)])),
    pagination: paginationOf(rows[0]?.total ?? 0, { page, limit }),
  }
}

/**
 * The ledger as pieces of a CSV file, newest first. Rows that are written meanwhile are newer than
 * the first piece and so left out.
 */
export function redCoinFile(
  db: Queryable,
  userId: number,
  type: RedCoinHistoryQuery['type'],
  rowsMax = historyFileRowsMax,
): AsyncIterable<string> {
  return csvPieces<EntryRow>({
    rowsMax,
    read: (last, limit) =>
      db.run<EntryRow>(readBefore, [userId, type, last?.id ?? Number.MAX_SAFE_INTEGER, limit]),
    columns: {
      id: (row) => row.id,
      createdAt: (row) => row.createdAt.toISOString(),
      ...ownColumns('amount', 'type', 'description', 'balanceAfter', 'prizeName', 'openingId'),
    },
  })
}
