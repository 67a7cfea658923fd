// What has happened for people without their doing, as notices.

import type { Notice } from '@redpack/contract'
import { noticeDaysMax, noticesMax } from '@redpack/contract/limits'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import { type Dated, isoTimes } from '../../shared/iso-times.ts'
import { asksForAddress, newsSources, tellsStatus } from '../outbox/recipient-sql.ts'

const none = 'NULL::text AS status, 0::bigint AS red_coin, 0::bigint AS packs'
const newest = `ORDER BY id DESC LIMIT ${noticesMax}`

/** Told as on the other channels; a win to be sent shows by the address that it wants. */
const asNews = (['claim', 'shipment_sent', 'shipment_returned', 'delivery_asked'] as const).map(
  (name) => `SELECT * FROM (SELECT n.id, '${name}-' || n.id AS key, n.kind, n.at, n.subject,
       n.status, 0::bigint AS red_coin, 0::bigint AS packs
     FROM (${newsSources[name].rows}) n
     WHERE n.user_id = $1 AND n.at > $2 AND n.at <= $3 AND n.kind <> 'prize_won'
     ORDER BY n.at DESC LIMIT ${noticesMax}) n`,
)

const sources = {
  prizes: [
    ...asNews,
    `SELECT e.id, 'claim-step-' || e.id AS key, 'claim_status' AS kind, e.created_at AS at,
       c.prize_name AS subject, e.status, 0::bigint AS red_coin, 0::bigint AS packs
     FROM prize_claims c
     JOIN prize_claim_events e ON e.prize_claim_id = c.id
     LEFT JOIN shipments s ON s.id = c.id
     WHERE c.user_id = $1 AND c.deleted_at IS NULL AND e.created_at > $2
       AND ${tellsStatus('e')} AND ${asksForAddress('e')} IS NOT TRUE`,
    `SELECT e.id, 'deadline-' || e.id, 'deadline_near', e.created_at, c.prize_name, ${none}
     FROM prize_claims c
     JOIN shipments s ON s.id = c.id AND s.state = 'address_wanted' AND s.deadline IS NOT NULL
     JOIN prize_claim_events e ON e.prize_claim_id = c.id AND e.kind = 'deadline_near'
     WHERE c.user_id = $1 AND c.deleted_at IS NULL AND e.created_at > $2`,
    // Of the moment when it last came to want one: its win, or a step since.
    `SELECT c.id, 'delivery-' || c.id, 'delivery_wanted', asked.at, c.prize_name, ${none}
     FROM prize_claims c JOIN shipments s ON s.id = c.id AND s.state = 'address_wanted'
     CROSS JOIN LATERAL (SELECT greatest(c.created_at, max(e.created_at)) AS at
       FROM prize_claim_events e
       WHERE e.prize_claim_id = c.id AND ${asksForAddress('e')}) asked
     WHERE c.user_id = $1 AND c.deleted_at IS NULL AND asked.at > $2`,
  ],
  rewards: [
    `SELECT w.id, 'watch-' || w.id AS key, 'watch_reward' AS kind, w.completed_at AS at,
       s.display_name AS subject, NULL::text AS status,
       (SELECT coalesce(sum((given ->> 'redCoinAmount')::bigint), 0)::bigint
        FROM jsonb_array_elements(w.rewards_given) given) AS red_coin,
       (SELECT coalesce(sum((given ->> 'packQuantity')::bigint), 0)::bigint
        FROM jsonb_array_elements(w.rewards_given) given) AS packs
     FROM watch_completions w JOIN twitch_streams s ON s.id = w.stream_id
     WHERE w.user_id = $1 AND w.completed_at > $2`,
    `SELECT max(t.id) AS id, 'packs-' || max(t.id),
       CASE t.type WHEN 'admin_grant' THEN 'packs_granted' ELSE 'packs_removed' END, t.created_at,
       CASE WHEN min(p.id) = max(p.id) THEN max(p.name) END, NULL::text, 0::bigint,
       sum(t.delta)::bigint
     FROM pack_transactions t JOIN pack_types p ON p.id = t.pack_type_id
     WHERE t.user_id = $1 AND t.type IN ('admin_grant', 'admin_removal') AND t.created_at > $2
     GROUP BY t.created_at, t.type`,
    `SELECT id, 'red-coin-' || id,
       CASE type WHEN 'admin_grant' THEN 'red_coin_granted'
         WHEN 'admin_removal' THEN 'red_coin_removed' ELSE 'discord_reward' END,
       created_at, NULL, NULL::text, amount, 0::bigint
     FROM red_coin_transactions
     WHERE user_id = $1 AND type IN ('admin_grant', 'admin_removal', 'discord_reward')
       AND created_at > $2`,
  ],
} as const

// That a channel does not work any more is said whatever somebody wants to hear of.
const refused = `SELECT 0::bigint AS id, 'email-refused' AS key, 'email_refused' AS kind,
    refused_at AS at, NULL::text AS subject, ${none}
  FROM notification_settings WHERE user_id = $1 AND refused_at > $2
  UNION ALL SELECT 0::bigint, 'discord-refused', 'discord_refused', discord_refused_at, NULL, ${none}
  FROM notification_settings WHERE user_id = $1 AND discord_refused_at > $2`

/** One source of notices, as far as it may matter, and only where the user wants to hear of it. */
function limited(preference: keyof typeof sources): string[] {
  return sources[preference].map(
    (source) => `SELECT * FROM (${source} ${newest}) ${preference}
      WHERE (SELECT ${preference} FROM me)`,
  )
}

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
   FROM (${[...limited('prizes'), ...limited('rewards'), refused].join('\n UNION ALL ')}) notices
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
