// Whether a broadcast was paid for already, under an account that its owner has deleted.

import type { Queryable } from '../../adapters/db/database.ts'
import type { Deps } from '../../adapters/deps.ts'
import { paidBroadcastText, wasPaidBefore } from '../account/leaving-tables.ts'
import type { Viewer, WatchOrder } from './session-tables.ts'

/** A completion is paid once to one Twitch account, however often it leaves and comes back. */
export async function isPaidBefore(
  { encryption }: Pick<Deps, 'encryption'>,
  tx: Queryable,
  { twitchId }: Viewer,
  order: WatchOrder,
): Promise<boolean> {
  if (twitchId === null) return false
  return wasPaidBefore(tx, encryption.fingerprints('watch', paidBroadcastText(twitchId, order)))
}
