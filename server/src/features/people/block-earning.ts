// Shuts somebody out from earning without taking anything they have.

import type { Author, Outcome } from '../../adapters/commands/run-command.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import type { Encryption } from '../../adapters/encryption/encryption.ts'
import { DomainError } from '../../shared/domain-error.ts'
import { liftRememberedBlock, outsideAccounts } from '../account/leaving-tables.ts'
import { lockAccountRow, setEarningBlock } from '../account/users-tables.ts'

export interface EarningChange {
  readonly userId: number
  readonly isBlocked: boolean
  readonly reason: string
}

/**
 * While blocked a user earns nothing by watching and from the chat bot. Opening packs, buying,
 * claiming prizes and grants by staff stay open: what is theirs stays theirs.
 * @throws DomainError not_found, or protected_account
 */
export async function blockEarning(
  tx: Queryable,
  { now }: Author,
  encryption: Encryption,
  { userId, isBlocked, reason }: EarningChange,
): Promise<Outcome<void>> {
  const account = await lockAccountRow(tx, userId)
  if (account === undefined) throw new DomainError('not_found', 'User not found')
  if (account.isProtected) {
    throw new DomainError('protected_account', 'This account is protected and cannot be blocked')
  }
  const done = { answer: undefined, events: [{ type: 'user_changed', userId }] } as const
  // Blocking again may give a better reason; allowing what is allowed says nothing.
  if (!isBlocked && !account.isEarningBlocked) return done
  await setEarningBlock(tx, userId, isBlocked, now)
  if (!isBlocked) await forgetBlock(encryption, tx, userId)
  const audit = {
    action: isBlocked ? 'earning.block' : 'earning.allow',
    targetType: 'user',
    targetId: String(userId),
    before: { isEarningBlocked: account.isEarningBlocked },
    after: { isEarningBlocked: isBlocked },
    reason,
  }
  return { ...done, audit }
}

/** Who may earn again is not to be shut out by leaving, coming back or linking an account. */
async function forgetBlock(encryption: Encryption, tx: Queryable, userId: number): Promise<void> {
  for (const { provider, id } of await outsideAccounts(tx, userId)) {
    await liftRememberedBlock(tx, provider, encryption.fingerprints(provider, id))
  }
}
