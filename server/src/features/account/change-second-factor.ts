// Switches the second factor of the local account on and off.

import type { Queryable } from '../../adapters/db/database.ts'
import type { Deps } from '../../adapters/deps.ts'
import type { Counter } from '../../adapters/http/limiter.ts'
import type { OneTimeCodes } from '../../adapters/one-time-codes/one-time-codes.ts'
import { confirmedUntil, secretContext, secretUnreadable } from '../../rules/second-factor.ts'
import { DomainError } from '../../shared/domain-error.ts'
import { recordStaffAction } from '../audit/tables.ts'
import {
  confirmSecret,
  enrolSecret,
  localAccountName,
  readSecondFactor,
  removeSecondFactor,
  replaceRecoveryCodes,
  spendCode,
} from './second-factor-tables.ts'
import { deleteOtherSessions, markSessionConfirmed } from './tables.ts'

/** Wrong codes are waited out; nobody is ever locked out for good. */
export const wrongCodesMax = 10
export const wrongCodesWindowSeconds = 900

export interface Keeper {
  readonly userId: number
  /** Names the session that the call came with. */
  readonly sessionHash: string
  readonly requestId: string
  readonly codes: OneTimeCodes
  /** Counts the codes that this account gets wrong. */
  readonly wrongCodes: Counter
}

const isOff = () => new DomainError('wrong_state', 'The second factor is not switched on')
const isWrong = () => new DomainError('second_factor_invalid', 'This code is not valid')

/**
 * Makes a secret and answers it, once. It counts only after `confirmSecondFactor`; until then
 * another call replaces it.
 * @throws DomainError wrong_state for everybody but the local account, and when one counts already
 */
export async function enrolSecondFactor(
  deps: Deps,
  { userId, codes }: Pick<Keeper, 'userId' | 'codes'>,
) {
  const secret = codes.newSecret(deps.random)
  const sealed = deps.encryption.seal(secret, secretContext(userId))
  const account = await deps.db.transaction(async (tx) => {
    const name = await requireLocalAccount(tx, userId)
    if (!(await enrolSecret(tx, userId, sealed, deps.clock.now()))) {
      throw new DomainError('wrong_state', 'The second factor is switched on already')
    }
    return name
  })
  return { secret, otpauthUrl: codes.enrolmentAddress(secret, deps.config.brandName, account) }
}

async function requireLocalAccount(tx: Queryable, userId: number): Promise<string> {
  const name = await localAccountName(tx, userId)
  if (name === undefined) {
    throw new DomainError('wrong_state', 'Only the local account has a second factor')
  }
  return name
}

/**
 * Switches the second factor on, for somebody whose app shows the right code, and answers the
 * recovery codes. Every other session of the account ends: it was opened without a code.
 * @throws DomainError wrong_state, second_factor_invalid, rate_limited; Unavailable when the secret
 * cannot be opened
 */
export async function confirmSecondFactor(
  deps: Deps,
  keeper: Keeper,
  code: string,
): Promise<readonly string[]> {
  const { userId, sessionHash: kept } = keeper
  const now = deps.clock.now()
  const { recoveryCodes, ended } = await counted(keeper, () =>
    deps.db.transaction(async (tx) => {
      await requireLocalAccount(tx, userId)
      const row = await readSecondFactor(tx, userId)
      if (row === undefined || row.confirmedAt !== null) {
        throw new DomainError('wrong_state', 'Set up an authenticator app first')
      }
      const secret = openSecret(deps, userId, row.secret)
      if (secret === undefined) throw secretUnreadable()
      const typed = keeper.codes.readTypedCode(secret, code, now)
      if (typed?.kind !== 'step') throw isWrong()
      if (!(await confirmSecret(tx, userId, typed.step, now))) {
        throw new DomainError('wrong_state', 'The second factor is switched on already')
      }
      const codes = await makeRecoveryCodes(deps, tx, keeper)
      await record(tx, keeper, 'second_factor.enable', now)
      return { recoveryCodes: codes, ended: await deleteOtherSessions(tx, userId, kept) }
    }),
  )
  for (const sessionHash of ended) {
    deps.events.publish({ type: 'sessions_ended', userId, sessionHash })
  }
  return recoveryCodes
}

/**
 * Notes that whoever uses this session has the second factor now, and answers until when that
 * counts.
 * @throws DomainError wrong_state, second_factor_invalid, rate_limited, unauthorized when the
 * session
 * has ended meanwhile
 */
export async function confirmSession(deps: Deps, keeper: Keeper, code: string): Promise<Date> {
  return withCode(deps, keeper, code, async (tx, now) => {
    const isMarked = await markSessionConfirmed(tx, keeper.sessionHash, now)
    if (!isMarked) throw new DomainError('unauthorized', 'Unauthorized')
    return confirmedUntil(now)
  })
}

/**
 * Answers new recovery codes; the old ones are worth nothing from then on.
 * @throws DomainError wrong_state, second_factor_invalid, rate_limited; Unavailable when the secret
 * cannot be opened
 */
export async function renewRecoveryCodes(
  deps: Deps,
  keeper: Keeper,
  code: string,
): Promise<readonly string[]> {
  return withCode(deps, keeper, code, async (tx, now) => {
    const codes = await makeRecoveryCodes(deps, tx, keeper)
    await record(tx, keeper, 'second_factor.renew_codes', now)
    return codes
  })
}

/**
 * Switches the second factor off.
 * @throws DomainError wrong_state, second_factor_invalid, rate_limited; Unavailable when the secret
 * cannot be opened
 */
export async function turnOffSecondFactor(deps: Deps, keeper: Keeper, code: string): Promise<void> {
  await withCode(deps, keeper, code, async (tx, now) => {
    await removeSecondFactor(tx, keeper.userId)
    await record(tx, keeper, 'second_factor.disable', now)
  })
}

/** Does `work` for somebody who has a code, and uses the code up with it. */
async function withCode<Result>(
  deps: Deps,
  keeper: Keeper,
  code: string,
  work: (tx: Queryable, now: Date) => Promise<Result>,
): Promise<Result> {
  const { userId } = keeper
  const now = deps.clock.now()
  return counted(keeper, () =>
    deps.db.transaction(async (tx) => {
      await requireLocalAccount(tx, userId)
      const row = await readSecondFactor(tx, userId)
      if (row === undefined || row.confirmedAt === null) throw isOff()
      const secret = openSecret(deps, userId, row.secret)
      const typed = keeper.codes.readTypedCode(secret, code, now)
      if (secret === undefined && typed === undefined) throw secretUnreadable()
      if (typed === undefined || !(await spendCode(tx, userId, typed, now))) throw isWrong()
      return work(tx, now)
    }),
  )
}

/** Counts first, so that many guesses at once do not all get their answer. */
async function counted<Result>(keeper: Keeper, work: () => Promise<Result>): Promise<Result> {
  const key = String(keeper.userId)
  const waitSeconds = await keeper.wrongCodes.take(key)
  if (waitSeconds > 0) {
    throw new DomainError('rate_limited', 'Too many wrong codes, try again later', {
      retryAfterSeconds: waitSeconds,
    })
  }
  try {
    const result = await work()
    await keeper.wrongCodes.giveBack(key)
    return result
  } catch (error) {
    const isGuess = error instanceof DomainError && error.code === 'second_factor_invalid'
    if (!isGuess) await keeper.wrongCodes.giveBack(key)
    throw error
  }
}

function openSecret(
  { encryption }: Deps,
  userId: number,
  secret: Parameters<Deps['encryption']['open']>[0],
): string | undefined {
  return encryption.open(secret, secretContext(userId))
}

async function makeRecoveryCodes(
  deps: Deps,
  tx: Queryable,
  { userId, codes }: Keeper,
): Promise<readonly string[]> {
  const made = codes.newRecoveryCodes(deps.random)
  await replaceRecoveryCodes(tx, userId, made.map(codes.recoveryCodeHash))
  return made
}

async function record(
  tx: Queryable,
  { userId, requestId }: Keeper,
  action: string,
  now: Date,
): Promise<void> {
  await recordStaffAction(tx, {
    actorId: userId,
    action,
    targetType: 'user',
    targetId: String(userId),
    requestId,
    now,
  })
}
