// Where news comes from, and who wants to hear of it over which channel, as SQL.

import {
  isToldByDefault,
  kindRules,
  type NotificationKind,
  notificationKinds,
} from '@redpack/contract/notification-kinds'

const switches = notificationKinds
  .map((kind) => ({ kind, name: kindRules[kind].switch }))
  .flatMap(({ kind, name }) => (name === null ? [] : [`WHEN '${kind}' THEN '${name}'`]))
  .join(' ')
const asked = notificationKinds
  .filter((kind) => !isToldByDefault(kind))
  .map((kind) => `'${kind}'`)
  .join(', ')

/**
 * True where user `u` with settings `s` is told of `kind` over `channel`, both SQL expressions: the
 * channel leads to them, and neither the choice for the kind nor a switch of the profile is off.
 */
export function wantsNews(kind: string, channel: string): string {
  return `u.deleted_at IS NULL
    AND CASE ${channel}
      WHEN 'email' THEN s.address IS NOT NULL
        AND coalesce(u.notifications ->> 'email', 'true') = 'true'
      WHEN 'push' THEN EXISTS (SELECT FROM push_subscriptions p WHERE p.user_id = u.id)
      ELSE s.is_discord_on AND u.discord_id IS NOT NULL END
    AND coalesce(s.preferences -> ${kind} ->> ${channel},
      CASE WHEN ${kind} IN (${asked}) THEN 'false' ELSE 'true' END) = 'true'
    AND coalesce(u.notifications ->> CASE ${kind} ${switches} END, 'true') = 'true'`
}

/** A history that has news in it, or, without a table, what is true for some time. */
export interface NewsSource {
  readonly table?: string
  readonly kinds: readonly NotificationKind[]
  /**
   * Rows of `id`, `user_id`, `at`, `kind`, and what the text needs: `subject`, `status` and
   * `amount`. Its `t.id` is the key of the table. Without a table also `detail`, which tells apart
   * what may be told of one row.
   */
  readonly rows: string
}

const kind = (name: NotificationKind) => `'${name}'`

/** What is true of a parcel in a state, from a time on; told again when it comes there again. */
const ofParcel = <Kind extends NotificationKind>(
  name: Kind,
  state: 'sent' | 'returned',
  at: string,
  status = 'NULL::text',
) => ({
  kinds: [name] as const,
  rows: `SELECT t.id::bigint AS id, c.user_id, t.${at} AS at, ${kind(name)} AS kind,
        extract(epoch FROM t.${at})::bigint::text AS detail, c.prize_name AS subject,
        ${status} AS status, 0::bigint AS amount
      FROM shipments t JOIN prize_claims c ON c.id = t.id
      WHERE c.deleted_at IS NULL AND t.state = '${state}'`,
})

/** True of the step `e` with which the shipment `s` came to want the address that it wants now. */
export const asksForAddress = (e: string) => `(s.state = 'address_wanted'
      AND (${e}.status = 'pending' OR ${e}.kind = 'delivery_erased'))`

/**
 * True of the step `e` of the claim `c` where its status is told. What winners have said
 * themselves is no news to them: that it came is their word unless staff or the clock, 30 days
 * after it was sent, have said so. Nor is what was pending all the while, and what has been sent
 * since is told as that.
 */
export const tellsStatus = (e: string) => `(${e}.kind = 'status' AND (${e}.status = 'completed'
      AND (s.state IN ('declined', 'lapsed')
        OR (s.state = 'delivered' AND ${e}.created_at < s.sent_at + interval '720 hours'
          AND NOT EXISTS (SELECT FROM audit_log a WHERE a.target_type = 'claim'
            AND a.target_id = c.id::text AND a.created_at = ${e}.created_at)))) IS NOT TRUE
      AND (${e}.status <> 'pending' OR (SELECT o.status FROM prize_claim_events o
        WHERE o.prize_claim_id = c.id AND o.kind = 'status' AND o.id < ${e}.id
        ORDER BY o.id DESC LIMIT 1) <> 'pending')
      AND (${e}.status = 'processing' AND s.sent_at >= ${e}.created_at) IS NOT TRUE)`

/** Every source, by the word with which its events begin. */
export const newsSources = {
  claim: {
    table: 'prize_claims',
    kinds: ['code_ready', 'prize_won'],
    rows: `SELECT t.id::bigint AS id, t.user_id, t.created_at AS at,
        CASE WHEN EXISTS (SELECT FROM prize_codes p WHERE p.prize_claim_id = t.id)
          THEN ${kind('code_ready')} ELSE ${kind('prize_won')} END AS kind,
        t.prize_name AS subject, s.state AS status, 0::bigint AS amount
      FROM prize_claims t LEFT JOIN shipments s ON s.id = t.id
      WHERE t.deleted_at IS NULL AND t.red_coin_amount = 0
        AND (t.pack_quantity = 0 OR t.is_also_sent)
        AND (s.state IN ('declined', 'lapsed')) IS NOT TRUE`,
  },
  claim_step: {
    table: 'prize_claim_events',
    kinds: ['deadline_near', 'address_wanted', 'claim_status'],
    rows: `SELECT t.id, c.user_id, t.created_at AS at,
        CASE WHEN t.kind = 'deadline_near' THEN ${kind('deadline_near')}
          WHEN ${asksForAddress('t')} THEN ${kind('address_wanted')}
          ELSE ${kind('claim_status')} END AS kind,
        c.prize_name AS subject, 0::bigint AS amount,
        CASE WHEN t.kind = 'status' THEN t.status
          ELSE to_char(s.deadline AT TIME ZONE 'UTC', 'FMMonth FMDD, YYYY, HH24:MI "UTC"')
        END AS status
      FROM prize_claim_events t JOIN prize_claims c ON c.id = t.prize_claim_id
      LEFT JOIN shipments s ON s.id = c.id
      WHERE c.deleted_at IS NULL AND (${tellsStatus('t')} OR ${asksForAddress('t')}
          OR (t.kind = 'deadline_near' AND s.state = 'address_wanted' AND s.deadline IS NOT NULL))`,
  },
  red_coin: {
    table: 'red_coin_transactions',
    kinds: ['granted', 'taken'],
    rows: `SELECT t.id, t.user_id, t.created_at AS at,
        CASE WHEN t.amount > 0 THEN ${kind('granted')} ELSE ${kind('taken')} END AS kind,
        NULL::text AS subject, NULL::text AS status, t.amount
      FROM red_coin_transactions t WHERE t.type IN ('admin_grant', 'admin_removal')`,
  },
  // Packs of several types that were given together are one piece of news: its first row tells it.
  packs: {
    table: 'pack_transactions',
    kinds: ['granted', 'taken'],
    rows: `SELECT t.id, t.user_id, t.created_at AS at,
        CASE WHEN t.delta > 0 THEN ${kind('granted')} ELSE ${kind('taken')} END AS kind,
        'packs' AS subject, NULL::text AS status,
        (SELECT sum(o.delta)::bigint FROM pack_transactions o WHERE o.user_id = t.user_id
          AND o.type = t.type AND o.created_at = t.created_at) AS amount
      FROM pack_transactions t
      WHERE t.type IN ('admin_grant', 'admin_removal') AND NOT EXISTS (
        SELECT FROM pack_transactions o WHERE o.user_id = t.user_id AND o.type = t.type
          AND o.created_at = t.created_at AND o.id < t.id)`,
  },
  shipment_sent: ofParcel(
    'shipment_sent',
    'sent',
    'sent_at',
    "concat_ws(', number ', t.courier, t.tracking_number)",
  ),
  shipment_returned: ofParcel('shipment_returned', 'returned', 'updated_at'),
  delivery_asked: ofParcel('delivery_asked', 'sent', "sent_at + interval '21 days'"),
  // Those who come later than this see it themselves.
  stream_live: {
    kinds: ['stream_live'],
    rows: `SELECT t.id::bigint AS id, s.user_id, t.stream_started_at AS at,
        ${kind('stream_live')} AS kind, t.current_stream_id AS detail,
        t.display_name AS subject, NULL::text AS status, 0::bigint AS amount
      FROM twitch_streams t JOIN notification_settings s ON s.preferences ? 'stream_live'
        AND (s.live_streams IS NULL OR t.id = ANY(s.live_streams))
      WHERE t.is_live AND t.is_active AND t.archived_at IS NULL`,
  },
} as const satisfies Readonly<Record<string, NewsSource>>

export type NewsSourceName = keyof typeof newsSources
/** What no source tells of: it is left where it happens. */
export type LeftKind = 'signed_in' | 'wallet_changed'
/** What is told, and the link that proves an address. A kind without a source has no preview. */
export type MessageKind =
  | (typeof newsSources)[NewsSourceName]['kinds'][number]
  | LeftKind
  | 'verify_address'
