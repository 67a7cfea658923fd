// The words of SQL that people are read with in more than one place.

import { authorOf, suspensionOf } from '../../shared/standing-sql.ts'

/** A note `n` with its author `u`. */
export const noteColumns = `n.id, n.body, n.created_at AS "createdAt", ${authorOf('u')} AS author`

/** The list is long and asked for often, so its text is made where the rows are. */
const packs = `SELECT h.user_id, json_agg(json_build_object('packTypeId', h.pack_type_id,
    'packTypeName', t.name, 'quantity', h.quantity) ORDER BY h.pack_type_id) AS list
  FROM picked p JOIN user_packs h ON h.user_id = p.id AND h.quantity > 0
  JOIN pack_types t ON t.id = h.pack_type_id GROUP BY h.user_id`

const object = `json_build_object('id', p.id, 'username', p.username, 'displayName', p.display_name,
  'email', p.email, 'avatar', p.avatar, 'redCoinBalance', p.red_coin_balance, 'role', p.role,
  'createdAt', to_char(p.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  'userPacks', coalesce(h.list, '[]'::json), 'isProtected', p.is_protected,
  'isLocked', p.is_protected, 'isEarningBlocked', p.is_earning_blocked, 'ownName', p.own_name,
  'isNameFlagged', p.is_name_flagged, 'suspension', ${suspensionOf('p')})`

/** Answers the JSON text of those of the users $1 that have not left, in the order of the ids. */
export const usersText = `WITH picked AS MATERIALIZED (
     SELECT u.id, u.username, u.display_name, u.email, u.avatar, u.red_coin_balance, u.role,
       u.created_at, u.is_protected, u.is_earning_blocked, u.own_name, u.is_name_flagged,
       u.suspended_until, u.suspension_reason, u.suspension_answer, w.position
     FROM unnest($1::int[]) WITH ORDINALITY AS w (id, position)
     JOIN users u ON u.id = w.id AND u.deleted_at IS NULL
   ), packs AS (${packs})
   SELECT '[' || coalesce(string_agg(${object}::text, ',' ORDER BY p.position), '') || ']' AS users
   FROM picked p LEFT JOIN packs h ON h.user_id = p.id`
