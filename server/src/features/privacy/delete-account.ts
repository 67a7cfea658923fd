// Lets somebody leave for good without a hole in the books.

import type { World } from '../../adapters/world.ts'
import { Refusal } from '../../rules/refusal.ts'
import { recordStaffAction } from '../audit/tables.ts'
import { lockUser } from '../ledger/tables.ts'
import { clearPerson, outsideAccounts, remember } from './tables.ts'

const confirmSentence = 'Type your username to delete your account'

/**
 * Removes name, contact details, linked accounts and sessions of the user. The rows of the books
 * stay under a name that says nothing, and a keyed mark of the outside accounts stays, so that who
 * comes back starts anew but gets no welcome a second time.
 * @throws Refusal unauthorized, protected_account, or invalid_input when `confirm` is not the
 * username
 */
export async function deleteAccount(
  world: World,
  userId: number,
  confirm: string,
  requestId: string,
): Promise<void> {
  const now = world.clock.now()
  await world.db.transaction(async (tx) => {
    const person = await lockUser(tx, userId)
    if (person === undefined) throw new Refusal('unauthorized', 'Unauthorized')
    if (person.is_protected) {
      throw new Refusal('protected_account', 'This account is protected and cannot be deleted')
    }
    if (confirm !== person.username) {
      const errors = [{ path: 'confirm', message: confirmSentence }]
      throw new Refusal('invalid_input', confirmSentence, { errors })
    }
    for (const { provider, id } of await outsideAccounts(tx, userId)) {
      await remember(tx, provider, world.encryption.fingerprint(provider, id), now)
    }
    await clearPerson(tx, userId, now)
    await recordStaffAction(tx, {
      actorId: userId,
      action: 'account.delete',
      targetType: 'user',
      targetId: String(userId),
      requestId,
      now,
    })
  })
  world.events.publish({ type: 'sessions_ended', userId })
  world.events.publish({ type: 'user_changed', userId })
  world.events.publish({ type: 'leaderboard_changed' })
}
