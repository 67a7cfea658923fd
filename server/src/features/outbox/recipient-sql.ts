// Who wants to hear of a kind of news by e-mail, as a condition of SQL.

import {
  type NotificationKind,
  notificationRules,
  type OutboxKind,
} from '@redpack/contract/notification-kinds'

/** What is told, by the word of the contract; tables know it from here. */
export type NewsKind = NotificationKind
/** The same with the link that proves an address. */
export type MessageKind = OutboxKind

const switches = Object.entries(notificationRules)
  .map(([kind, rule]) => `WHEN '${kind}' THEN '${rule.switch ?? 'email'}'`)
  .join(' ')

/**
 * True where user `u` with settings `s` is told of `kind`, an SQL expression, by e-mail: the
 * address is proven, and neither the choice for the kind nor a switch of the profile is off.
 */
export function wantsMail(kind: string): string {
  return `s.address IS NOT NULL AND u.deleted_at IS NULL
    AND coalesce(s.preferences -> ${kind} ->> 'email', 'true') = 'true'
    AND coalesce(u.notifications ->> 'email', 'true') = 'true'
    AND coalesce(u.notifications ->> CASE ${kind} ${switches} END, 'true') = 'true'`
}

/** A history that has news in it. */
export interface NewsSource {
  readonly table: string
  /**
   * Rows of `id`, `user_id`, `at`, `kind`, and what the text needs: `subject`, `status` and
   * `amount`. Its `t.id` is the key of the table.
   */
  readonly rows: string
}

const kind = (name: NewsKind) => `'${name}'`

/** Every history, by the word with which its events begin. */
export const newsSources = {
  claim: {
    table: 'prize_claims',
    rows: `SELECT t.id::bigint AS id, t.user_id, t.created_at AS at, ${kind('prize_won')} AS kind,
        t.prize_name AS subject, NULL::text AS status, 0::bigint AS amount
      FROM prize_claims t
      WHERE t.deleted_at IS NULL AND t.red_coin_amount = 0
        AND (t.pack_quantity = 0 OR t.is_also_sent)
        AND NOT EXISTS (SELECT FROM prize_codes k WHERE k.prize_claim_id = t.id)`,
  },
  claim_step: {
    table: 'prize_claim_events',
    rows: `SELECT t.id, c.user_id, t.created_at AS at,
        CASE t.kind WHEN 'deadline_near' THEN ${kind('deadline_near')}
          ELSE ${kind('claim_status')} END AS kind,
        c.prize_name AS subject, t.status, 0::bigint AS amount
      FROM prize_claim_events t JOIN prize_claims c ON c.id = t.prize_claim_id
      WHERE t.kind IN ('status', 'deadline_near') AND c.deleted_at IS NULL`,
  },
  red_coin: {
    table: 'red_coin_transactions',
    rows: `SELECT t.id, t.user_id, t.created_at AS at,
        CASE WHEN t.amount > 0 THEN ${kind('granted')} ELSE ${kind('taken')} END AS kind,
        NULL::text AS subject, NULL::text AS status, t.amount
      FROM red_coin_transactions t WHERE t.type IN ('admin_grant', 'admin_removal')`,
  },
  // Packs of several types that were given together are one piece of news: its first row tells it.
  packs: {
    table: 'pack_transactions',
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
} as const satisfies Readonly<Record<string, NewsSource>>

export type NewsSourceName = keyof typeof newsSources
