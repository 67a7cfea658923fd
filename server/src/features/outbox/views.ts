// Where news reaches somebody, and what waits to go out, for screens.

import {
  isToldByDefault,
  type NotificationChannel,
  type NotificationsResponse,
  notificationChannels,
  notificationKinds,
  type OutboxMessage,
  type OutboxQuery,
  type OutboxResponse,
} from '@redpack/contract'
import { type Database, type Queryable, statement } from '../../adapters/db/database.ts'
import { oneQuery } from '../../adapters/db/queries.ts'
import { atOneMoment } from '../../adapters/db/retry.ts'
import { type Dated, isoTimes } from '../../shared/iso-times.ts'
import { placeOf } from '../../shared/pagination.ts'

// Users who have left keep their row.
const readSettings = oneQuery<SettingsRow, [userId: number, now: Date]>(
  'read_notification_settings',
  `SELECT s.address, s.pending_address, coalesce(s.pending_until <= $2, false) AS is_link_over,
     s.refused_at, s.quiet_from, s.quiet_until, u.timezone,
     coalesce(s.preferences, '{}') AS preferences, coalesce(s.is_discord_on, false) AS is_discord_on,
     s.discord_refused_at, s.live_streams, u.discord_id IS NOT NULL AS is_linked,
     (SELECT coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'label', p.label)
        ORDER BY p.created_at DESC, p.id), '[]')
      FROM push_subscriptions p WHERE p.user_id = u.id) AS devices
   FROM users u LEFT JOIN notification_settings s ON s.user_id = u.id WHERE u.id = $1`,
)

interface SettingsRow {
  readonly address: string | null
  readonly pending_address: string | null
  readonly is_link_over: boolean
  readonly refused_at: Date | null
  readonly quiet_from: string | null
  readonly quiet_until: string | null
  readonly timezone: string | null
  readonly preferences: Readonly<Record<string, Partial<Record<NotificationChannel, boolean>>>>
  readonly is_discord_on: boolean
  readonly discord_refused_at: Date | null
  readonly live_streams: number[] | null
  readonly is_linked: boolean
  readonly devices: readonly { readonly id: string; readonly label: string }[]
}

export async function notificationsOf(
  db: Queryable,
  userId: number,
  /** What the product can reach anybody over. */
  channels: readonly NotificationChannel[],
  now: Date,
): Promise<NotificationsResponse> {
  const row = await readSettings(db, userId, now)
  const { quiet_from: from, quiet_until: until } = row
  const preferences = notificationKinds.map((kind) => {
    const chosen = row.preferences[kind]
    const choices = notificationChannels.map((channel) => {
      return [channel, chosen?.[channel] ?? isToldByDefault(kind)] as const
    })
    return [kind, Object.fromEntries(choices)] as const
  })
  return {
    isEmailSetUp: channels.includes('email'),
    isPushSetUp: channels.includes('push'),
    isDiscordPossible: channels.includes('discord') && row.is_linked,
    channels: {
      email: {
        address: row.address ?? row.pending_address,
        verified: row.address !== null,
        pending: row.address ? row.pending_address : null,
        isLinkOver: row.is_link_over,
        refusedAt: row.refused_at?.toISOString() ?? null,
      },
      push: [...row.devices],
      discord: row.is_discord_on,
      discordRefusedAt: row.discord_refused_at?.toISOString() ?? null,
    },
    preferences: Object.fromEntries(preferences) as NotificationsResponse['preferences'],
    liveStreams: row.live_streams,
    quietHours: from === null || until === null ? null : { from, until },
    timezone: row.timezone ?? 'UTC',
  }
}

const readPage = statement(
  'read_outbox_page',
  `SELECT id, kind, channel, state, attempts, problem AS "lastError", created_at AS "createdAt",
     CASE WHEN state = 'waiting' THEN next_try_at END AS "nextAttempt", sent_at AS "sentAt"
   FROM outbox_messages
   WHERE bundled_into IS NULL AND state = ANY($1::text[])
   ORDER BY id DESC LIMIT $2 OFFSET $3`,
)
const countStates = statement(
  'count_outbox_states',
  `SELECT state, count(*)::int AS count FROM outbox_messages
   WHERE bundled_into IS NULL GROUP BY state`,
)

type MessageRow = Dated<OutboxMessage, 'nextAttempt' | 'createdAt' | 'sentAt'>

/** One page of the messages, newest first, and how many there are of each state. */
export async function outboxPage(
  db: Database,
  { state, page, limit }: OutboxQuery,
): Promise<OutboxResponse> {
  const states = state === undefined ? ['waiting', 'sent', 'failed'] : [state]
  const { rows, counted } = await atOneMoment(db, async (tx) => ({
    rows: await tx.run<MessageRow>(readPage, [states, limit, (page - 1) * limit]),
    counted: await tx.run<{ state: OutboxMessage['state']; count: number }>(countStates, []),
  }))
  const countOf = (one: string) => counted.find((row) => row.state === one)?.count ?? 0
  const total = states.reduce((sum, one) => sum + countOf(one), 0)
  return {
    messages: rows.map(isoTimes),
    counts: { waiting: countOf('waiting'), sent: countOf('sent'), failed: countOf('failed') },
    ...placeOf(total, { page, limit }),
  }
}
