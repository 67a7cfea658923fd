// What has happened for people without their doing, as notices.

import type { Notice } from '@redpack/contract'
import { noticeDaysMax, noticesMax } from '@redpack/contract/limits'
import { kindRules, type NoticeKind, noticeKinds } from '@redpack/contract/notification-kinds'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import { type Dated, isoTimes } from '../../shared/iso-times.ts'
import { asksForAddress, newsSources, tellsStatus } from '../outbox/recipient-sql.ts'

const noValue = '0::bigint AS red_coin, 0::bigint AS packs'
const none = `NULL::text AS status, ${noValue}`
const newest = `ORDER BY id DESC LIMIT ${noticesMax}`

/** Told as on the other channels; a win to be sent shows by the address that it wants. */
const asNews = (name: 'claim' | 'shipment_sent' | 'shipment_returned' | 'delivery_asked') =>
  `SELECT * FROM (SELECT n.id, '${name}-' || n.id AS key, n.kind, n.at, n.subject,
       n.status, ${noValue}
     FROM (${newsSources[name].rows}) n
     WHERE n.user_id = $1 AND n.at > $2 AND n.at <= $3 AND n.kind <> 'prize_won'
     ORDER BY n.at DESC LIMIT ${noticesMax}) n`

const packsByStaff = `SELECT max(t.id) AS id, 'packs-' || max(t.id) AS key,
       CASE t.type WHEN 'admin_grant' THEN 'packs_granted' ELSE 'packs_removed' END AS kind,
       t.created_at AS at, CASE WHEN min(p.id) = max(p.id) THEN max(p.name) END AS subject,
       NULL::text AS status, 0::bigint AS red_coin, sum(t.delta)::bigint AS packs
     FROM pack_transactions t JOIN pack_types p ON p.id = t.pack_type_id
     WHERE t.user_id = $1 AND t.type IN ('admin_grant', 'admin_removal') AND t.created_at > $2
     GROUP BY t.created_at, t.type`
const redCoin = `SELECT id, 'red-coin-' || id AS key,
       CASE type WHEN 'admin_grant' THEN 'red_coin_granted'
         WHEN 'admin_removal' THEN 'red_coin_removed' ELSE 'discord_reward' END AS kind,
       created_at AS at, NULL::text AS subject, NULL::text AS status, amount AS red_coin,
       0::bigint AS packs
     FROM red_coin_transactions
     WHERE user_id = $1 AND type IN ('admin_grant', 'admin_removal', 'discord_reward')
       AND created_at > $2`
const refused = (channel: 'email' | 'discord', at: string) =>
  `SELECT 0::bigint AS id, '${channel}-refused' AS key, '${channel}_refused' AS kind, ${at} AS at,
       NULL::text AS subject, ${none}
     FROM notification_settings WHERE user_id = $1 AND ${at} > $2`

/** Where the notices of a kind come from; those of one source stand together in it. */
const sources: Readonly<Record<NoticeKind, string>> = {
  code_ready: asNews('claim'),
  shipment_sent: asNews('shipment_sent'),
  shipment_returned: asNews('shipment_returned'),
  delivery_asked: asNews('delivery_asked'),
  claim_status: `SELECT e.id, 'claim-step-' || e.id AS key, 'claim_status' AS kind,
       e.created_at AS at, c.prize_name AS subject, e.status, ${noValue}
     FROM prize_claims c
     JOIN prize_claim_events e ON e.prize_claim_id = c.id
     LEFT JOIN shipments s ON s.id = c.id
     WHERE c.user_id = $1 AND c.deleted_at IS NULL AND e.created_at > $2
       AND ${tellsStatus('e')} AND ${asksForAddress('e')} IS NOT TRUE`,
  deadline_near: `SELECT e.id, 'deadline-' || e.id AS key, 'deadline_near' AS kind,
       e.created_at AS at, c.prize_name AS subject, ${none}
     FROM prize_claims c
     JOIN shipments s ON s.id = c.id AND s.state = 'address_wanted' AND s.deadline IS NOT NULL
     JOIN prize_claim_events e ON e.prize_claim_id = c.id AND e.kind = 'deadline_near'
     WHERE c.user_id = $1 AND c.deleted_at IS NULL AND e.created_at > $2`,
  // Of the moment when it last came to want one: its win, or a step since.
  delivery_wanted: `SELECT c.id, 'delivery-' || c.id AS key, 'delivery_wanted' AS kind,
       asked.at AS at, c.prize_name AS subject, ${none}
     FROM prize_claims c JOIN shipments s ON s.id = c.id AND s.state = 'address_wanted'
     CROSS JOIN LATERAL (SELECT greatest(c.created_at, max(e.created_at)) AS at
       FROM prize_claim_events e
       WHERE e.prize_claim_id = c.id AND ${asksForAddress('e')}) asked
     WHERE c.user_id = $1 AND c.deleted_at IS NULL AND asked.at > $2`,
  watch_reward: `SELECT w.id, 'watch-' || w.id AS key, 'watch_reward' AS kind,
       w.completed_at AS at, s.display_name AS subject, NULL::text AS status,
       (SELECT coalesce(sum((given ->> 'redCoinAmount')::bigint), 0)::bigint
        FROM jsonb_array_elements(w.rewards_given) given) AS red_coin,
       (SELECT coalesce(sum((given ->> 'packQuantity')::bigint), 0)::bigint
        FROM jsonb_array_elements(w.rewards_given) given) AS packs
     FROM watch_completions w JOIN twitch_streams s ON s.id = w.stream_id
     WHERE w.user_id = $1 AND w.completed_at > $2`,
  packs_granted: packsByStaff,
  packs_removed: packsByStaff,
  red_coin_granted: redCoin,
  red_coin_removed: redCoin,
  discord_reward: redCoin,
  email_refused: refused('email', 'refused_at'),
  discord_refused: refused('discord', 'discord_refused_at'),
}

/** Each source once, as far as it may matter, and only where the user wants to hear of it. */
const limited = [
  ...new Map(noticeKinds.map((kind) => [sources[kind], kindRules[kind].switch])),
].map(
  ([source, name]) => `SELECT * FROM (${source} ${newest}) n
      WHERE ${name === null ? 'true' : `(SELECT ${name} FROM me)`}`,
)

const readNotices = statement(
  'read_notices',
  `WITH me AS MATERIALIZED (
     SELECT notices_read_at, coalesce(notifications ->> 'prizes', 'true') = 'true' AS prizes,
       coalesce(notifications ->> 'rewards', 'true') = 'true' AS rewards
     FROM users WHERE id = $1
   )
   SELECT key AS id, kind, at, subject, CASE kind WHEN 'claim_status' THEN status END AS status,
     CASE kind WHEN 'shipment_sent' THEN nullif(status, '') END AS carriage,
     red_coin AS "redCoin", packs,
     date_trunc('milliseconds', at)
       > coalesce((SELECT notices_read_at FROM me), '-infinity') AS "isUnread"
   FROM (${limited.join('\n UNION ALL ')}) notices
   ORDER BY at DESC, key DESC LIMIT ${noticesMax}`,
)

const dayMillis = 86_400_000

/** The newest notices of the kinds that the user wants to hear of. */
export async function noticesOf(db: Queryable, userId: number, now: Date) {
  const since = new Date(now.getTime() - noticeDaysMax * dayMillis)
  const rows = await db.run<Dated<Notice, 'at'>>(readNotices, [userId, since, now])
  const notices = rows.map(isoTimes)
  return { notices, unreadCount: notices.filter(({ isUnread }) => isUnread).length }
}
