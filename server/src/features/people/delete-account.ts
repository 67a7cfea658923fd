// Lets somebody leave for good without a hole in the books.

import type { Queryable } from '../../adapters/db/database.ts'
import type { Deps } from '../../adapters/deps.ts'
import { drawSeeds } from '../../adapters/random/draw-seeds.ts'
import { DomainError, Unavailable } from '../../shared/domain-error.ts'
import {
  clearPerson,
  type OutsideAccount,
  outsideAccounts,
  paidBroadcasts,
  paidBroadcastText,
  remember,
  rememberPaidBroadcasts,
} from '../account/leaving-tables.ts'
import { recordStaffAction } from '../audit/tables.ts'
import { endOpenChain } from '../fairness/chain-tables.ts'
import { lockUser } from '../ledger/ledger-tables.ts'

const confirmSentence = 'Type your username to delete your account'

/**
 * Removes name, contact details, linked accounts and sessions of the user. The rows of the books
 * stay under a name that says nothing, and the draw chain ends with its seed revealed, since nobody
 * could ask for it any more. Keyed marks stay of the outside accounts, with an earning block if
 * there is one, and of what they were paid for: who comes back starts anew, but gets nothing a
 * second time.
 * @throws DomainError unauthorized, protected_account, or invalid_input when `confirm` is not the
 * username
 */
export async function deleteAccount(
  deps: Deps,
  userId: number,
  confirm: string,
  requestId: string,
): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const person = await lockUser(tx, userId)
    if (person === undefined) throw new DomainError('unauthorized', 'Unauthorized')
    // After the lock: what was paid while it was waited for lies before the leaving.
    const now = deps.clock.now()
    if (person.is_protected) {
      throw new DomainError('protected_account', 'This account is protected and cannot be deleted')
    }
    if (confirm !== person.username) {
      const errors = [{ path: 'confirm', message: confirmSentence }]
      throw new DomainError('invalid_input', confirmSentence, { errors })
    }
    await rememberPerson(deps, tx, userId, {
      leftAt: now,
      isEarningBlocked: person.is_earning_blocked,
    })
    await endChain(deps, tx, userId, now)
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
  deps.events.publish({ type: 'sessions_ended', userId })
  deps.events.publish({ type: 'user_changed', userId })
  deps.events.publish({ type: 'leaderboard_changed' })
}

async function rememberPerson(
  { encryption }: Deps,
  tx: Queryable,
  userId: number,
  tombstone: { readonly leftAt: Date; readonly isEarningBlocked: boolean },
): Promise<void> {
  const accounts = await outsideAccounts(tx, userId)
  for (const { provider, id } of accounts) {
    await remember(tx, provider, encryption.fingerprint(provider, id), tombstone)
  }
  const twitch = accounts.find(isTwitch)
  if (twitch === undefined) return
  const marks = (await paidBroadcasts(tx, userId)).map((broadcast) =>
    encryption.fingerprint('watch', paidBroadcastText(twitch.id, broadcast)),
  )
  await rememberPaidBroadcasts(tx, marks, tombstone.leftAt)
}

function isTwitch({ provider }: OutsideAccount): boolean {
  return provider === 'twitch'
}

/**
 * A seed whose key is lost can never be revealed; that keeps nobody here against their will. Its
 * chain ends when staff give the key up.
 */
async function endChain(deps: Deps, tx: Queryable, userId: number, now: Date): Promise<void> {
  const seeds = drawSeeds(deps.random, deps.encryption)
  try {
    await endOpenChain(tx, seeds, userId, { now, which: 'any' })
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error
  }
}
