// The SQL with which other rooms leave news in their own transaction.

import { notificationChannels } from '@redpack/contract/notification-kinds'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import { valueQuery } from '../../adapters/db/queries.ts'
import { type LeftKind, wantsNews } from './recipient-sql.ts'

const addOne = statement(
  'add_outbox_message',
  `INSERT INTO outbox_messages (user_id, channel, kind, event, next_try_at, created_at)
   SELECT u.id, ch.channel, $2, $2 || '-' || gen_random_uuid(), $3, $3
   FROM users u JOIN notification_settings s ON s.user_id = u.id
   CROSS JOIN unnest($4::text[]) ch(channel)
   WHERE u.id = ANY($1::int[]) AND ${wantsNews('$2::text', 'ch.channel')}`,
)

/** Leaves news for those of the people who want it; for what stands in no history of its own. */
export async function addNews(
  tx: Queryable,
  kind: LeftKind,
  userIds: readonly number[],
  now: Date,
): Promise<void> {
  await tx.run(addOne, [userIds, kind, now, notificationChannels])
}

const readWallet = valueQuery<{ wallet: string | null }, [userId: number]>(
  'read_wallet_of_user',
  'SELECT solana_wallet AS wallet FROM users WHERE id = $1',
)

/**
 * Does `change` and, when the wallet is another one afterwards, leaves that as news, all in the
 * caller's transaction.
 */
export async function tellingWalletChange<Result>(
  tx: Queryable,
  userId: number,
  now: Date,
  change: () => Promise<Result>,
): Promise<Result> {
  const before = await readWallet(tx, userId)
  const result = await change()
  if ((await readWallet(tx, userId)) !== before) await addNews(tx, 'wallet_changed', [userId], now)
  return result
}
