// The second step of the local sign-in, where it is switched on.

import type { Queryable } from '../../adapters/db/database.ts'
import type { Deps } from '../../adapters/deps.ts'
import type { OneTimeCodes } from '../../adapters/one-time-codes/one-time-codes.ts'
import { secretContext, secretUnreadable } from '../../rules/second-factor.ts'
import { DomainError } from '../../shared/domain-error.ts'
import { readSecondFactor, spendCode } from './second-factor-tables.ts'

/**
 * Lets pass who has no second factor, or whose code is good; the code is used up with the
 * transaction.
 * @throws DomainError second_factor_required without a code, second_factor_invalid with a wrong
 * one;
 * Unavailable for a code of the app when its secret cannot be opened. Recovery codes need no secret
 */
export async function requireSecondFactor(
  { clock, encryption }: Deps,
  tx: Queryable,
  userId: number,
  given: { readonly code: string | undefined; readonly codes: OneTimeCodes },
): Promise<void> {
  const { code, codes } = given
  const row = await readSecondFactor(tx, userId)
  if (row === undefined || row.confirmedAt === null) return
  if (code === undefined) {
    const message = 'Enter the code from your authenticator app'
    throw new DomainError('second_factor_required', message)
  }
  const now = clock.now()
  const secret = encryption.open(row.secret, secretContext(userId))
  const typed = codes.readTypedCode(secret, code, now)
  if (secret === undefined && typed === undefined) throw secretUnreadable()
  if (typed === undefined || !(await spendCode(tx, userId, typed, now))) {
    throw new DomainError('second_factor_invalid', 'This code is not valid')
  }
}
