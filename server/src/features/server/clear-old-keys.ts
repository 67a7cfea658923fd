// Forgets idempotency keys that no client asks for any more.

import type { Deps } from '../../adapters/deps.ts'
import { deleteOldKeys } from './old-key-tables.ts'

/** Clients may count on 24 hours; the second day is for those whose clock is wrong. */
const keptMillis = 48 * 3_600_000
const batchMax = 500

/** May run at any time and as often as one likes. */
export async function clearOldKeys({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const before = new Date(clock.now().getTime() - keptMillis)
  while ((await deleteOldKeys(db, before, batchMax)) === batchMax);
}
