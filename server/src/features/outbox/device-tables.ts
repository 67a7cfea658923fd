// The SQL of the browsers that show news. An endpoint is a secret: only its id is told.

import { type Queryable, statement } from '../../adapters/db/database.ts'
import { existsQuery, rowsQuery, writeQuery } from '../../adapters/db/queries.ts'
import { sha256Hex } from '../../adapters/random/hashing.ts'

interface Device {
  readonly id: string
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
}

/** Names an endpoint without giving it away. */
export function deviceIdOf(endpoint: string): string {
  return sha256Hex(endpoint).slice(0, 32)
}

const lockSettings = statement(
  'begin_notification_settings',
  `INSERT INTO notification_settings (user_id) VALUES ($1)
   ON CONFLICT (user_id) DO UPDATE SET user_id = EXCLUDED.user_id`,
)
// A browser that somebody else used before shows its keys: whoever knows no more than the address
// takes it from nobody.
const putDevice = statement(
  'put_push_subscription',
  `INSERT INTO push_subscriptions (id, user_id, endpoint, p256dh, auth, label, created_at)
   VALUES (:id, :userId, :endpoint, :p256dh, :auth, :label, :now)
   ON CONFLICT (id) DO UPDATE SET user_id = EXCLUDED.user_id, label = EXCLUDED.label,
     created_at = EXCLUDED.created_at
   WHERE push_subscriptions.p256dh = EXCLUDED.p256dh AND push_subscriptions.auth = EXCLUDED.auth
   RETURNING id`,
)
const forgetOldest = statement(
  'forget_oldest_push_subscriptions',
  `DELETE FROM push_subscriptions WHERE id IN (SELECT id FROM push_subscriptions
     WHERE user_id = $1 ORDER BY created_at DESC, id OFFSET $2)`,
)

/** Holds a session, so that nobody ends it before this transaction does; false when it is gone. */
export const holdSession = existsQuery<[sessionHash: string]>(
  'hold_session',
  'SELECT 1 AS found FROM sessions WHERE token_hash = $1 FOR KEY SHARE',
)

/** Keeps a browser as the caller's, whose it was before or not; false for one with other keys. */
export async function keepDevice(
  tx: Queryable,
  userId: number,
  { endpoint, p256dh, auth, label }: Omit<Device, 'id'> & { readonly label: string },
  { now, devicesMax }: { readonly now: Date; readonly devicesMax: number },
): Promise<boolean> {
  await tx.run(lockSettings, [userId])
  const id = deviceIdOf(endpoint)
  const kept = await tx.run(putDevice, { id, userId, endpoint, p256dh, auth, label, now })
  await tx.run(forgetOldest, [userId, devicesMax])
  return kept.length > 0
}

export const devicesOf = rowsQuery<Device, [userId: number]>(
  'read_push_subscriptions',
  `SELECT id, endpoint, p256dh, auth FROM push_subscriptions WHERE user_id = $1
   ORDER BY created_at, id`,
)

/** For good: the far side does not know them any more. */
export const forgetDevices = writeQuery<[ids: readonly string[]]>(
  'forget_push_subscriptions',
  'DELETE FROM push_subscriptions WHERE id = ANY($1::text[])',
)

/** Only where it is the user's own. */
export const forgetOwnDevice = writeQuery<[userId: number, id: string]>(
  'forget_own_push_subscription',
  'DELETE FROM push_subscriptions WHERE user_id = $1 AND id = $2',
)
