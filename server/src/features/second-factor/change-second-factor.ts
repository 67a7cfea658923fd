// Switches the second factor of the local account on and off.

import type { Queryable } from '../../adapters/db/database.ts'
import type { Counter } from '../../adapters/http/limiter.ts'
import type { OneTimeCodes } from '../../adapters/one-time-codes/one-time-codes.ts'
import type { World } from '../../adapters/world.ts'
import { Refusal } from '../../rules/refusal.ts'
import { confirmedUntil, secretPlace, secretUnreadable } from '../../rules/second-factor.ts'
import { recordStaffAction } from '../audit/tables.ts'
import { deleteOtherSessions, markSessionConfirmed } from '../auth/tables.ts'
import {
  confirmSecret,
  enrolSecret,
  localAccountName,
  readSecondFactor,
  removeSecondFactor,
  replaceRecoveryCodes,
  spendCode,
} from './tables.ts'

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

const isOff = () => new Refusal('wrong_state', 'The second factor is not switched on')
const isWrong = () => new Refusal('second_factor_invalid', 'This code is not valid')

/**
 * Makes a secret and answers it, once. It counts only after `confirmSecondFactor`; until then
 * another call replaces it.
 * @throws Refusal wrong_state for everybody but the local account, and when one counts already
 */
export async function enrolSecondFactor(
  world: World,
  { userId, codes }: Pick<Keeper, 'userId' | 'codes'>,
) {
  const secret = codes.newSecret(world.random)
  const sealed = world.encryption.seal(secret, secretPlace(userId))
  const account = await world.db.transaction(async (tx) => {
    const name = await requireLocalAccount(tx, userId)
    if (!(await enrolSecret(tx, userId, sealed, world.clock.now()))) {
      throw new Refusal('wrong_state', 'The second factor is switched on already')
    }
    return name
  })
  return { secret, otpauthUrl: codes.enrolmentAddress(secret, world.config.brandName, account) }
}

async function requireLocalAccount(tx: Queryable, userId: number): Promise<string> {
  const name = await localAccountName(tx, userId)
  if (name === undefined) {
    throw new Refusal('wrong_state', 'Only the local account has a second factor')
  }
  return name
}

/**
 * Switches the second factor on, for somebody whose app shows the right code, and answers the
 * recovery codes. Every other session of the account ends: it was opened without a code.
 * @throws Refusal wrong_state, second_factor_invalid, rate_limited; Unavailable when the secret
 * cannot be opened
 */
export async function confirmSecondFactor(
  world: World,
  keeper: Keeper,
  code: string,
): Promise<readonly string[]> {
  const { userId, sessionHash: kept } = keeper
  const now = world.clock.now()
  const { recoveryCodes, ended } = await counted(keeper, () =>
    world.db.transaction(async (tx) => {
      await requireLocalAccount(tx, userId)
      const row = await readSecondFactor(tx, userId)
      if (row === undefined || row.confirmedAt !== null) {
        throw new Refusal('wrong_state', 'Set up an authenticator app first')
      }
      const secret = openSecret(world, userId, row.secret)
      if (secret === undefined) throw secretUnreadable()
      const typed = keeper.codes.readTypedCode(secret, code, now)
      if (typed?.kind !== 'step') throw isWrong()
      if (!(await confirmSecret(tx, userId, typed.step, now))) {
        throw new Refusal('wrong_state', 'The second factor is switched on already')
      }
      const codes = await makeRecoveryCodes(world, tx, keeper)
      await record(tx, keeper, 'second_factor.enable', now)
      return { recoveryCodes: codes, ended: await deleteOtherSessions(tx, userId, kept) }
    }),
  )
  for (const sessionHash of ended) {
    world.events.publish({ type: 'sessions_ended', userId, sessionHash })
  }
  return recoveryCodes
}

/**
 * Notes that whoever uses this session has the second factor now, and answers until when that
 * counts.
 * @throws Refusal wrong_state, second_factor_invalid, rate_limited, unauthorized when the session
 * has ended meanwhile
 */
export async function confirmSession(world: World, keeper: Keeper, code: string): Promise<Date> {
  return withCode(world, keeper, code, async (tx, now) => {
    const isMarked = await markSessionConfirmed(tx, keeper.sessionHash, now)
    if (!isMarked) throw new Refusal('unauthorized', 'Unauthorized')
    return confirmedUntil(now)
  })
}

/**
 * Answers new recovery codes; the old ones are worth nothing from then on.
 * @throws Refusal wrong_state, second_factor_invalid, rate_limited; Unavailable when the secret
 * cannot be opened
 */
export async function renewRecoveryCodes(
  world: World,
  keeper: Keeper,
  code: string,
): Promise<readonly string[]> {
  return withCode(world, keeper, code, async (tx, now) => {
    const codes = await makeRecoveryCodes(world, tx, keeper)
    await record(tx, keeper, 'second_factor.renew_codes', now)
    return codes
  })
}

/**
 * Switches the second factor off.
 * @throws Refusal wrong_state, second_factor_invalid, rate_limited; Unavailable when the secret
 * cannot be opened
 */
export async function turnOffSecondFactor(
  world: World,
  keeper: Keeper,
  code: string,
): Promise<void> {
  await withCode(world, keeper, code, async (tx, now) => {
    await removeSecondFactor(tx, keeper.userId)
    await record(tx, keeper, 'second_factor.disable', now)
  })
}

/** Does `work` for somebody who has a code, and uses the code up with it. */
async function withCode<Result>(
  world: World,
  keeper: Keeper,
  code: string,
  work: (tx: Queryable, now: Date) => Promise<Result>,
): Promise<Result> {
  const { userId } = keeper
  const now = world.clock.now()
  return counted(keeper, () =>
    world.db.transaction(async (tx) => {
      await requireLocalAccount(tx, userId)
      const row = await readSecondFactor(tx, userId)
      if (row === undefined || row.confirmedAt === null) throw isOff()
      const secret = openSecret(world, userId, row.secret)
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
    throw new Refusal('rate_limited', 'Too many wrong codes, try again later', {
      retryAfterSeconds: waitSeconds,
    })
  }
  try {
    const result = await work()
    await keeper.wrongCodes.giveBack(key)
    return result
  } catch (error) {
    const isGuess = error instanceof Refusal && error.code === 'second_factor_invalid'
    if (!isGuess) await keeper.wrongCodes.giveBack(key)
    throw error
  }
}

function openSecret(
  { encryption }: World,
  userId: number,
  secret: Parameters<World['encryption']['open']>[0],
): string | undefined {
  return encryption.open(secret, secretPlace(userId))
}

async function makeRecoveryCodes(
  world: World,
  tx: Queryable,
  { userId, codes }: Keeper,
): Promise<readonly string[]> {
  const made = codes.newRecoveryCodes(world.random)
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
