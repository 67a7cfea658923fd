// Signs in the protected local account with the name and password of the settings.

import { createHash, timingSafeEqual } from 'node:crypto'
import type { Deps } from '../../adapters/deps.ts'
import type { Counter } from '../../adapters/http/limiter.ts'
import type { OneTimeCodes } from '../../adapters/one-time-codes/one-time-codes.ts'
import type { Passwords } from '../../adapters/passwords/passwords.ts'
import { DomainError, invariant } from '../../shared/domain-error.ts'
import { addNews } from '../outbox/tables.ts'
import { announceSession, type OpenedSession, openSession } from './open-session.ts'
import { requireSecondFactor } from './require-second-factor.ts'
import { ensureLocalAdmin } from './tables.ts'
import { newToken } from './tokens.ts'

/** Failures that are waited out in windows of 15 minutes; nobody is ever locked out for good. */
export const failureWindowSeconds = 900
export const failuresPerAddressMax = 10
export const failuresPerNameMax = 5
/** Wrong codes after a right password, from wherever they come. */
export const wrongCodesMax = 30

export interface SignInFailures {
  readonly byName: Counter
  readonly byAddress: Counter
  readonly byCode: Counter
}

export interface LocalAccount {
  readonly codes: OneTimeCodes
  readonly username: string | undefined
  /** Costs the same for a wrong name as for a wrong password. */
  isRight(username: string, password: string): Promise<boolean>
}

export interface LocalSignIn {
  readonly username: string
  readonly password: string
  /** Of the authenticator app, or a recovery code. */
  readonly code?: string | undefined
  /** The caller's address as limits count it. */
  readonly address: string
  readonly sessionToken: string | undefined
}

/**
 * The account of the settings, its password hashed now. Without settings there is a password that
 * nobody knows, so that every guess costs the same and is wrong.
 */
export function localAccount(deps: Deps, passwords: Passwords, codes: OneTimeCodes): LocalAccount {
  const pair = deps.config.localAdmin
  const hashed = passwords.hash(pair?.password ?? newToken(deps.random))
  // A failure is met again by whoever waits for the hash; it must not end the process before.
  hashed.catch(() => undefined)
  return {
    codes,
    username: pair?.username,
    async isRight(username, password) {
      const isPasswordRight = await passwords.isRight(await hashed, password)
      return isSameText(username, pair?.username ?? '') && isPasswordRight && pair !== undefined
    },
  }
}

function isSameText(left: string, right: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(left), digest(right))
}

/**
 * @throws DomainError invalid_credentials, the same for an unknown name and a wrong password
 * @throws DomainError second_factor_required, second_factor_invalid, once the password is right
 * @throws DomainError rate_limited after too many failures; no password is looked at then
 */
export async function signInLocally(
  deps: Deps,
  account: LocalAccount,
  failures: SignInFailures,
  attempt: LocalSignIn,
): Promise<OpenedSession> {
  const { username, password, address } = attempt
  const nameKey = createHash('sha256').update(`${address} ${username}`).digest('hex')
  // Counted before the hash is computed: many guesses at once must not all get theirs.
  refuseAfterFailures(await failures.byName.take(nameKey))
  refuseAfterFailures(await failures.byAddress.take(address))
  if (!(await account.isRight(username, password))) {
    deps.log.warn({ event: 'local_sign_in_failed', address }, 'local sign-in failed')
    throw new DomainError('invalid_credentials', 'Invalid credentials')
  }
  if (attempt.code !== undefined) refuseAfterFailures(await failures.byCode.take(codeKey))
  const session = await openLocalSession(deps, account, attempt).catch(async (error: unknown) => {
    const isGuess = error instanceof DomainError && error.code === 'second_factor_invalid'
    if (isGuess) deps.log.warn({ event: 'second_factor_failed', address }, 'wrong code')
    else await giveBack(failures, attempt, nameKey)
    throw error
  })
  await giveBack(failures, attempt, nameKey)
  announceSession(deps, session)
  return session
}

/** Wrong codes are counted for the one account there is. */
const codeKey = 'local'

/** What turned out to be no failure does not count. */
async function giveBack(
  failures: SignInFailures,
  { address, code }: LocalSignIn,
  nameKey: string,
): Promise<void> {
  await Promise.all([
    failures.byName.giveBack(nameKey),
    failures.byAddress.giveBack(address),
    code === undefined ? undefined : failures.byCode.giveBack(codeKey),
  ])
}

function openLocalSession(
  deps: Deps,
  { codes }: LocalAccount,
  attempt: LocalSignIn,
): Promise<OpenedSession> {
  return deps.db.transaction(async (tx) => {
    const userId = await ensureLocalAdmin(tx, attempt.username, deps.clock.now())
    invariant(userId !== undefined, 'the local account has a row')
    await requireSecondFactor(deps, tx, userId, { code: attempt.code, codes })
    await addNews(tx, 'signed_in', [userId], deps.clock.now())
    return openSession(deps, tx, { userId, kind: 'local' }, attempt.sessionToken)
  })
}

function refuseAfterFailures(waitSeconds: number): void {
  if (waitSeconds === 0) return
  const minutes = Math.ceil(waitSeconds / 60)
  throw new DomainError(
    'rate_limited',
    `Too many failed sign-ins, try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`,
    { retryAfterSeconds: waitSeconds },
  )
}
