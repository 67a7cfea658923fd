// The SQL of where news goes and what of it is wanted.

import type { NotificationChannel } from '@redpack/contract/notification-kinds'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import {
  existsQuery,
  oneQuery,
  oneValueQuery,
  valueQuery,
  writeQuery,
} from '../../adapters/db/queries.ts'
import { signedOut } from '../../shared/domain-error.ts'
import type { Recipient } from './news-tables.ts'
import type { MessageKind } from './recipient-sql.ts'

// Whoever is leaving waits, and what is kept of them is erased with them.
const askFor = existsQuery<[userId: number, address: string, key: string, until: Date]>(
  'ask_for_address',
  `INSERT INTO notification_settings (user_id, pending_address, pending_key, pending_until)
   SELECT id, $2, $3, $4::timestamptz FROM users WHERE id = $1 AND deleted_at IS NULL FOR SHARE
   ON CONFLICT (user_id) DO UPDATE SET pending_address = EXCLUDED.pending_address,
     pending_key = EXCLUDED.pending_key, pending_until = EXCLUDED.pending_until
   RETURNING user_id`,
)
const addLink = statement(
  'add_address_link',
  `INSERT INTO outbox_messages (user_id, channel, kind, event, next_try_at, created_at)
   VALUES ($1, 'email', 'verify_address', 'verify-' || $2::text, $3, $3)`,
)

/**
 * Keeps an address until its link was followed, and has the link sent; the one before ends.
 * @throws DomainError unauthorized for whoever has left since their call was let in
 */
export async function askForAddress(
  tx: Queryable,
  asked: {
    readonly userId: number
    readonly address: string
    readonly key: string
    readonly until: Date
  },
  now: Date,
): Promise<void> {
  const { userId, address, key, until } = asked
  const isAsked = await askFor(tx, userId, address, key, until)
  if (!isAsked) throw signedOut()
  await tx.run(addLink, [userId, key, now])
}

/** Keeps somebody who has not left from leaving until the transaction ends; false for others. */
export const holdUser = existsQuery<[userId: number]>(
  'hold_user_of_settings',
  'SELECT id FROM users WHERE id = $1 AND deleted_at IS NULL FOR SHARE',
)

/** Who asks for links, as they are known again after leaving: by Twitch, where they came from. */
export const linkAsker = oneValueQuery<{ asker: string }, [userId: number]>(
  'read_link_asker',
  `SELECT coalesce(twitch_id, 'user ' || id) AS asker FROM users WHERE id = $1`,
)

/**
 * Counts a link for one mark, of who asks or of the address: how many there are now of the last
 * hour and day. Whoever counts for the same mark meanwhile waits.
 */
export const countLink = oneQuery<
  { readonly hour: number; readonly day: number },
  [mark: string, now: Date]
>(
  'count_address_link',
  `INSERT INTO address_link_marks AS known (mark, asked_at) VALUES ($1, ARRAY[$2::timestamptz])
   ON CONFLICT (mark) DO UPDATE SET asked_at = $2::timestamptz || ARRAY(
     SELECT at FROM unnest(known.asked_at) at WHERE at > $2::timestamptz - interval '24 hours')
   RETURNING cardinality(asked_at) AS day, (SELECT count(*) FROM unnest(asked_at) at
     WHERE at > $2::timestamptz - interval '1 hour')::int AS hour`,
)

/** Forgets marks without a link since a time. */
export const forgetLinks = writeQuery<[before: Date]>(
  'forget_address_links',
  'DELETE FROM address_link_marks WHERE $1::timestamptz >= ALL (asked_at)',
)

/** What the link under way is known by; undefined or null without one. */
export const pendingKeyOf = valueQuery<{ pending_key: string | null }, [userId: number, now: Date]>(
  'read_pending_key',
  'SELECT pending_key FROM notification_settings WHERE user_id = $1 AND pending_until > $2',
)

/**
 * Makes the address under `key` the one in use, and switches mail on again for whoever asked for
 * it; false when it is not under way any more.
 */
export const proveAddress = existsQuery<[userId: number, key: string, now: Date]>(
  'prove_address',
  // The user first, as whoever leaves does.
  `WITH asking AS (
     UPDATE users SET notifications = notifications || '{"email": true}', updated_at = $3
     WHERE id = $1 AND deleted_at IS NULL AND EXISTS (SELECT FROM notification_settings
       WHERE user_id = $1 AND pending_key = $2 AND pending_until > $3)
     RETURNING id
   )
   UPDATE notification_settings SET address = pending_address, refused_at = NULL,
     pending_address = NULL, pending_key = NULL, pending_until = NULL
   FROM asking WHERE user_id = asking.id AND pending_key = $2 AND pending_until > $3
   RETURNING user_id`,
)

/** Forgets where mail went; what waits to go there is dropped when it is due. */
export const forgetAddressOf = writeQuery<[userId: number]>(
  'forget_address',
  `UPDATE notification_settings SET address = NULL, refused_at = NULL, pending_address = NULL,
     pending_key = NULL, pending_until = NULL
   WHERE user_id = $1`,
)
const refuseProven = statement(
  'refuse_address',
  `UPDATE notification_settings SET address = NULL, refused_at = $2
   WHERE user_id = $1 AND address = $3`,
)
const refusePending = statement(
  'refuse_pending_address',
  `UPDATE notification_settings SET refused_at = $2, pending_address = NULL,
     pending_key = NULL, pending_until = NULL
   WHERE user_id = $1 AND pending_address = $3`,
)
const refuseDiscord = statement(
  'refuse_discord',
  `UPDATE notification_settings SET is_discord_on = false, discord_refused_at = $2
   WHERE user_id = $1 AND EXISTS (SELECT FROM users WHERE id = $1 AND discord_id = $3)`,
)
/** Ends messages to an account that is linked no more: whoever links anew decides anew. */
export const endDiscordMessages = writeQuery<[userId: number]>(
  'end_discord_messages',
  `UPDATE notification_settings SET is_discord_on = false, discord_refused_at = NULL
   WHERE user_id = $1`,
)
/**
 * The far side takes nothing for whom the message was for: what led there is switched off, unless
 * it leads elsewhere meanwhile.
 */
export async function refuseRecipient(
  tx: Queryable,
  userId: number,
  { kind, channel }: { readonly kind: MessageKind; readonly channel: NotificationChannel },
  tried: Pick<Recipient, 'address' | 'pending_address' | 'discord_id'>,
  now: Date,
): Promise<void> {
  // Devices that are gone are forgotten one by one.
  if (channel === 'push') return
  if (channel === 'discord') await tx.run(refuseDiscord, [userId, now, tried.discord_id])
  else if (kind === 'verify_address')
    await tx.run(refusePending, [userId, now, tried.pending_address])
  else await tx.run(refuseProven, [userId, now, tried.address])
}

/** Lets messages go to the linked Discord account, or no more. */
export const switchDiscord = writeQuery<[userId: number, isOn: boolean]>(
  'switch_discord_messages',
  `INSERT INTO notification_settings (user_id, is_discord_on) VALUES ($1, $2)
   ON CONFLICT (user_id) DO UPDATE SET is_discord_on = $2,
     discord_refused_at = CASE WHEN $2 THEN NULL ELSE notification_settings.discord_refused_at END`,
)

/** Turns the switch of the profile off; false when nobody is there. */
export const switchMailOff = existsQuery<[userId: number, now: Date]>(
  'switch_mail_off',
  `UPDATE users SET notifications = notifications || '{"email": false}', updated_at = $2
   WHERE id = $1 AND deleted_at IS NULL RETURNING id`,
)

type Preferences = Readonly<
  Record<string, Readonly<Partial<Record<NotificationChannel, boolean | undefined>>>>
>

/** Kinds and channels that are not named stay. */
export const writePreferences = writeQuery<[userId: number, preferences: Preferences]>(
  'save_notification_preferences',
  `INSERT INTO notification_settings (user_id, preferences) VALUES ($1, $2::jsonb)
   ON CONFLICT (user_id) DO UPDATE
   SET preferences = notification_settings.preferences || (
     SELECT coalesce(jsonb_object_agg(e.kind,
       coalesce(notification_settings.preferences -> e.kind, '{}') || e.choices), '{}')
     FROM jsonb_each(EXCLUDED.preferences) e(kind, choices))`,
)

/** Of which streams to tell when they go live; null for every one. */
export const writeLiveStreams = writeQuery<[userId: number, streamIds: readonly number[] | null]>(
  'save_live_streams',
  `INSERT INTO notification_settings (user_id, live_streams) VALUES ($1, $2)
   ON CONFLICT (user_id) DO UPDATE SET live_streams = $2`,
)

/** Between two times of the clock, or at none. */
export const writeQuietHours = writeQuery<
  [userId: number, from: string | null, until: string | null]
>(
  'save_quiet_hours',
  `INSERT INTO notification_settings (user_id, quiet_from, quiet_until) VALUES ($1, $2, $3)
   ON CONFLICT (user_id) DO UPDATE SET quiet_from = $2, quiet_until = $3`,
)
