// The protected local account: its sign-in with the name and password of the settings, and its
// second factor.

import { createHash, timingSafeEqual } from 'node:crypto'
import {
  authContract,
  secondFactorContract as contract,
  type LocalSignInRequest,
} from '@redpack/contract'
import type { Queryable } from '../../adapters/db/database.ts'
import type { Deps } from '../../adapters/deps.ts'
import { addressKey } from '../../adapters/http/caller-address.ts'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import type { Counter, Limiters } from '../../adapters/http/limiter.ts'
import { productCookies } from '../../adapters/http/sessions-cookie.ts'
import { confirmedUntil, secretContext, secretUnreadable } from '../../rules/second-factor.ts'
import { DomainError, invariant, signedOut } from '../../shared/domain-error.ts'
import { targetOf } from '../../shared/staff-call.ts'
import { recordStaffAction } from '../audit/tables.ts'
import { addNews } from '../outbox/tables.ts'
import { readSessionUser, secondFactorStatus } from './session-tables.ts'
import { announceSession, type OpenedSession, openSession } from './sessions.ts'
import {
  confirmSecret,
  deleteOtherSessions,
  endSessionsOfOtherPairs,
  enrolSecret,
  ensureLocalAdmin,
  lockLocalAccount,
  markSessionConfirmed,
  readSecondFactor,
  removeSecondFactor,
  replaceRecoveryCodes,
  type SecondFactorRow,
  spendCode,
} from './tables.ts'
import { newToken } from './tokens.ts'

/** Failures that are waited out in windows of 15 minutes; nobody is ever locked out for good. */
const failureWindowSeconds = 900
const failuresPerAddressMax = 10
const failuresPerNameMax = 5
/** Wrong codes after a right password, from wherever they come. */
const signInCodesMax = 30
/** Wrong codes of somebody who is signed in. */
const wrongCodesMax = 10

export function registerLocalSignIn({ app, deps, guards }: FeatureContext, limiters: Limiters) {
  const { session } = productCookies(deps.config)
  const account = localAccount(deps)
  // Who knew an earlier password is not let in by it any more.
  app.addHook('onReady', () =>
    deps.db.transaction((tx) => endSessionsOfOtherPairs(tx, account.pairMarks)),
  )
  const counter = (name: string, max: number) => limiters.counter(name, max, failureWindowSeconds)
  const failures = {
    byName: counter('local-name', failuresPerNameMax),
    byAddress: counter('local-address', failuresPerAddressMax),
    byCode: counter('local-code', signInCodesMax),
  }
  serve(app, guards, authContract.local, async ({ body, request, reply }) => {
    const opened = await signInLocally(deps, account, failures, {
      ...body,
      address: addressKey(request.ip),
      sessionToken: session.read(request),
    })
    const user = await readSessionUser(deps.db, opened.userId)
    invariant(user !== undefined, 'the user who signed in exists')
    session.set(reply, opened.token, opened.maxAgeSeconds)
    return { ...succeeded('Local admin login successful'), user }
  })
}

export function registerSecondFactor({ app, deps, guards }: FeatureContext, limiters: Limiters) {
  const wrongCodes = limiters.counter('wrong-code', wrongCodesMax, failureWindowSeconds)
  serve(app, guards, contract.status, ({ actor }) => secondFactorStatus(deps.db, actor.userId))
  serve(app, guards, contract.enrol, ({ actor }) => enrolSecondFactor(deps, actor.userId))
  serve(app, guards, contract.confirm, async ({ actor, body, request }) => {
    const keeper = { ...actor, ...body, requestId: request.id, wrongCodes }
    const recoveryCodes = await confirmSecondFactor(deps, keeper)
    return { ...succeeded('The second factor is switched on'), recoveryCodes }
  })
  serve(app, guards, contract.confirmSession, async ({ actor, body, request }) => {
    const keeper = { ...actor, ...body, requestId: request.id, wrongCodes }
    const until = await withCode(deps, keeper, async (tx, now) => {
      if (!(await markSessionConfirmed(tx, actor.sessionHash, now))) throw signedOut()
      return confirmedUntil(now)
    })
    return { ...succeeded('Confirmed for 5 minutes'), confirmedUntil: until.toISOString() }
  })
  serve(app, guards, contract.renewCodes, async ({ actor, body, request }) => {
    const keeper = { ...actor, ...body, requestId: request.id, wrongCodes }
    const recoveryCodes = await withCode(deps, keeper, async (tx, now) => {
      await record(tx, keeper, 'second_factor.renew_codes', now)
      return makeRecoveryCodes(deps, tx, actor.userId)
    })
    return { ...succeeded('These recovery codes replace the old ones'), recoveryCodes }
  })
  serve(app, guards, contract.turnOff, async ({ actor, body, request }) => {
    const keeper = { ...actor, ...body, requestId: request.id, wrongCodes }
    await withCode(deps, keeper, async (tx, now) => {
      await removeSecondFactor(tx, actor.userId)
      await record(tx, keeper, 'second_factor.disable', now)
    })
    return succeeded('The second factor is switched off')
  })
}

const succeeded = (message: string) => ({ success: true, message }) as const

interface SignInFailures {
  readonly byName: Counter
  readonly byAddress: Counter
  readonly byCode: Counter
}

type LocalAccount = ReturnType<typeof localAccount>

interface LocalSignIn extends LocalSignInRequest {
  /** The caller's address as limits count it. */
  readonly address: string
  readonly sessionToken: string | undefined
}

/**
 * The account of the settings, its password hashed now. Without settings there is a password that
 * nobody knows, so that every guess costs the same and is wrong.
 */
export function localAccount(deps: Deps) {
  const { passwords } = deps
  const pair = deps.config.localAdmin
  const hashed = passwords.hash(pair?.password ?? newToken(deps.random))
  // A failure is met again by whoever waits for the hash; it must not end the process before.
  hashed.catch(() => undefined)
  return {
    /** Marks of the pair by each key, that of today first; none without a pair. */
    pairMarks: pair ? deps.encryption.fingerprints('local_pair', JSON.stringify(pair)) : [],
    /** Costs the same for a wrong name as for a wrong password. */
    async isRight(username: string, password: string): Promise<boolean> {
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
async function signInLocally(
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
async function giveBack(failures: SignInFailures, { address, code }: LocalSignIn, nameKey: string) {
  await Promise.all([
    failures.byName.giveBack(nameKey),
    failures.byAddress.giveBack(address),
    code === undefined ? undefined : failures.byCode.giveBack(codeKey),
  ])
}

function openLocalSession(
  deps: Deps,
  { pairMarks: [pairMark] }: LocalAccount,
  attempt: LocalSignIn,
): Promise<OpenedSession> {
  return deps.db.transaction(async (tx) => {
    const userId = await ensureLocalAdmin(tx, attempt.username, deps.clock.now())
    invariant(userId !== undefined, 'the local account has a row')
    await requireSecondFactor(deps, tx, userId, attempt.code)
    await addNews(tx, 'signed_in', [userId], deps.clock.now())
    const who = { userId, kind: 'local', ...(pairMark && { pairMark }) } as const
    return openSession(deps, tx, who, attempt.sessionToken)
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

interface Keeper {
  readonly userId: number
  /** Names the session that the call came with. */
  readonly sessionHash: string
  readonly requestId: string
  readonly code: string
  /** Counts the codes that this account gets wrong. */
  readonly wrongCodes: Counter
}

const isWrong = () => new DomainError('second_factor_invalid', 'This code is not valid')

/**
 * Makes a secret and answers it, once. It counts only after `confirmSecondFactor`; until then
 * another call replaces it.
 * @throws DomainError wrong_state for everybody but the local account, and when one counts already
 */
async function enrolSecondFactor(deps: Deps, userId: number) {
  const codes = deps.oneTimeCodes
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
  const name = await lockLocalAccount(tx, userId)
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
async function confirmSecondFactor(deps: Deps, keeper: Keeper): Promise<string[]> {
  const { userId, sessionHash: kept } = keeper
  const recoveryCodes = await counted(deps, keeper, async (tx, row, now) => {
    if (row === undefined || row.confirmedAt !== null) {
      throw new DomainError('wrong_state', 'Set up an authenticator app first')
    }
    const secret = deps.encryption.open(row.secret, secretContext(userId))
    if (secret === undefined) throw secretUnreadable()
    const typed = deps.oneTimeCodes.readTypedCode(secret, keeper.code, now)
    if (typed?.kind !== 'step') throw isWrong()
    if (!(await confirmSecret(tx, userId, typed.step, now))) {
      throw new DomainError('wrong_state', 'The second factor is switched on already')
    }
    const codes = await makeRecoveryCodes(deps, tx, userId)
    await record(tx, keeper, 'second_factor.enable', now)
    await deleteOtherSessions(tx, userId, kept)
    return codes
  })
  deps.events.publish({ type: 'sessions_ended', userId })
  return recoveryCodes
}

/**
 * Does `work` for somebody who has a code, and uses the code up with it.
 * @throws DomainError wrong_state, second_factor_invalid, rate_limited; Unavailable when the secret
 * cannot be opened
 */
function withCode<Result>(
  deps: Deps,
  keeper: Keeper,
  work: (tx: Queryable, now: Date) => Promise<Result>,
): Promise<Result> {
  return counted(deps, keeper, async (tx, row, now) => {
    if (row === undefined || row.confirmedAt === null) {
      throw new DomainError('wrong_state', 'The second factor is not switched on')
    }
    await useUp(deps, tx, keeper.userId, row, keeper.code)
    return work(tx, now)
  })
}

/**
 * Works on the second factor of the local account, whose row is locked. Counts first, so that many
 * guesses at once do not all get their answer.
 */
async function counted<Result>(
  deps: Deps,
  { userId, wrongCodes }: Keeper,
  work: (tx: Queryable, row: SecondFactorRow | undefined, now: Date) => Promise<Result>,
): Promise<Result> {
  const now = deps.clock.now()
  const key = String(userId)
  const waitSeconds = await wrongCodes.take(key)
  if (waitSeconds > 0) {
    throw new DomainError('rate_limited', 'Too many wrong codes, try again later', {
      retryAfterSeconds: waitSeconds,
    })
  }
  try {
    const result = await deps.db.transaction(async (tx) => {
      await requireLocalAccount(tx, userId)
      return work(tx, await readSecondFactor(tx, userId), now)
    })
    await wrongCodes.giveBack(key)
    return result
  } catch (error) {
    const isGuess = error instanceof DomainError && error.code === 'second_factor_invalid'
    if (!isGuess) await wrongCodes.giveBack(key)
    throw error
  }
}

/** Makes new recovery codes; the old ones are worth nothing from then on. */
async function makeRecoveryCodes(deps: Deps, tx: Queryable, userId: number): Promise<string[]> {
  const { newRecoveryCodes, recoveryCodeHash } = deps.oneTimeCodes
  const made = newRecoveryCodes(deps.random)
  await replaceRecoveryCodes(tx, userId, made.map(recoveryCodeHash))
  return [...made]
}

function record(tx: Queryable, { userId, requestId }: Keeper, action: string, now: Date) {
  const by = { actorId: userId, requestId, now }
  return recordStaffAction(tx, { action, ...targetOf('user', userId), ...by })
}

/**
 * Lets pass who has no second factor, or whose code is good; the code is used up with the
 * transaction.
 * @throws DomainError second_factor_required without a code, second_factor_invalid with a wrong
 * one; Unavailable for a code of the app when its secret cannot be opened. Recovery codes need no
 * secret
 */
export async function requireSecondFactor(
  deps: Deps,
  tx: Queryable,
  userId: number,
  code: string | undefined,
): Promise<void> {
  const row = await readSecondFactor(tx, userId)
  if (row === undefined || row.confirmedAt === null) return
  if (code === undefined) {
    const message = 'Enter the code from your authenticator app'
    throw new DomainError('second_factor_required', message)
  }
  await useUp(deps, tx, userId, row, code)
}

/** Uses up a code of the app or a recovery code. @throws as `requireSecondFactor` */
async function useUp(
  { clock, encryption, oneTimeCodes }: Deps,
  tx: Queryable,
  userId: number,
  row: SecondFactorRow,
  code: string,
): Promise<void> {
  const now = clock.now()
  const secret = encryption.open(row.secret, secretContext(userId))
  const typed = oneTimeCodes.readTypedCode(secret, code, now)
  if (secret === undefined && typed === undefined) throw secretUnreadable()
  if (typed === undefined || !(await spendCode(tx, userId, typed, now))) throw isWrong()
}
