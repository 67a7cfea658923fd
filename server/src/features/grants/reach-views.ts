// How far acts on everyone reach, counted before they are done.

import type { GrantReach } from '@redpack/contract'
import { type Queryable, statement } from '../../adapters/db/database.ts'

const read = statement(
  'read_grant_reach',
  `SELECT u.recipients, u."redCoinTotal", u."redCoinUsers", h."packTotal", h."packUsers"
   FROM (
     SELECT (count(*) FILTER (WHERE NOT is_protected AND deleted_at IS NULL))::int AS recipients,
       coalesce(sum(red_coin_balance), 0)::bigint AS "redCoinTotal",
       (count(*) FILTER (WHERE red_coin_balance > 0))::int AS "redCoinUsers"
     FROM users
   ) u, (
     SELECT coalesce(sum(quantity), 0)::bigint AS "packTotal",
       count(DISTINCT user_id)::int AS "packUsers"
     FROM user_packs WHERE quantity > 0
   ) h`,
)

interface ReachRow {
  readonly recipients: number
  readonly redCoinTotal: number
  readonly redCoinUsers: number
  readonly packTotal: number
  readonly packUsers: number
}

export async function grantReach(db: Queryable): Promise<GrantReach> {
  const [row] = await db.run<ReachRow>(read, [])
  return {
    recipients: row?.recipients ?? 0,
    redCoin: { total: row?.redCoinTotal ?? 0, users: row?.redCoinUsers ?? 0 },
    packs: { total: row?.packTotal ?? 0, users: row?.packUsers ?? 0 },
  }
}
