// What people do with their own account: profile, wallet and its proof, notices, and leaving.

import { createPublicKey, verify } from 'node:crypto'
import {
  coinsContract,
  noticesContract,
  privacyContract,
  type UpdateProfileRequest,
  usersContract,
  walletProofContract as wallet,
} from '@redpack/contract'
import type { Queryable } from '../../adapters/db/database.ts'
import { sqlState } from '../../adapters/db/retry.ts'
import type { Deps } from '../../adapters/deps.ts'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { originFor } from '../../adapters/http/security-headers.ts'
import { productCookies } from '../../adapters/http/sessions-cookie.ts'
import { drawSeeds } from '../../adapters/random/draw-seeds.ts'
import { sha256Hex } from '../../adapters/random/hashing.ts'
import {
  decodeBase58,
  isSmallOrderKey,
  requireWalletAddress,
  walletMessage,
} from '../../rules/wallet.ts'
import { DomainError, signedOut, Unavailable, wrongField } from '../../shared/domain-error.ts'
import { targetOf } from '../../shared/staff-call.ts'
import {
  clearPerson,
  type OutsideAccount,
  outsideAccounts,
  paidBroadcasts,
  paidBroadcastText,
  remember,
  rememberPaidBroadcasts,
  type Tombstone,
} from '../account/leaving-tables.ts'
import { judgeNewNames } from '../account/standing-tables.ts'
import { lockAccountRow } from '../account/tables.ts'
import { recordStaffAction } from '../audit/tables.ts'
import { endOpenChain } from '../fairness/chain-tables.ts'
import { lockWholeUser } from '../ledger/ledger-tables.ts'
import { tellingWalletChange } from '../outbox/tables.ts'
import {
  profileOf,
  putWalletChallenge,
  takeWalletChallenge,
  walletStatus,
  writeProfile,
  writeProvenWallet,
  writeReadUntil,
  writeVisibility,
} from './tables.ts'

export function registerOwnAccount({ app, deps, guards }: FeatureContext): void {
  const { db, clock, events } = deps
  const { session } = productCookies(deps.config)

  serve(app, guards, usersContract.profile, ({ actor }) => profileOf(db, actor.userId))
  serve(app, guards, usersContract.updateProfile, async ({ actor, body }) => {
    await updateProfile(deps, actor.userId, body)
    return profileOf(db, actor.userId)
  })
  serve(app, guards, usersContract.updateWallet, async ({ actor, body }) => {
    // An address carries no checksum, so any text of the right form is taken; a proof is apart.
    await updateProfile(deps, actor.userId, { solanaWallet: body.walletAddress })
    return profileOf(db, actor.userId)
  })
  serve(app, guards, coinsContract.changeVisibility, async ({ actor, body: { isHidden } }) => {
    if (!(await writeVisibility(db, actor.userId, isHidden, clock.now()))) throw signedOut()
    // Every copy of the ranking is built anew, so who hides is gone from it at once.
    events.publish({ type: 'leaderboard_changed' })
    return { isHidden }
  })

  serve(app, guards, wallet.status, ({ actor }) => walletStatus(db, actor.userId))
  serve(app, guards, wallet.challenge, async ({ actor, body, request }) => {
    const owner = { ...actor, sessionToken: session.read(request) ?? '' }
    const origin = originFor(request, deps.config)
    const made = await challengeWallet(deps, owner, body.walletAddress, origin)
    return { message: made.message, expiresAt: made.expiresAt.toISOString() }
  })
  serve(app, guards, wallet.prove, async ({ actor, body, request }) => {
    await proveWallet(deps, { ...actor, sessionToken: session.read(request) ?? '' }, body)
    return walletStatus(db, actor.userId)
  })

  serve(app, guards, noticesContract.read, async ({ actor, body }) => {
    // Later than now counts as now, so that nothing is read before it has happened.
    const millis = Math.min(Date.parse(body.readUntil), clock.now().getTime())
    const until = await writeReadUntil(db, actor.userId, new Date(millis))
    if (until === undefined) throw signedOut()
    return { readUntil: until.toISOString() }
  })

  serve(app, guards, privacyContract.deleteAccount, async ({ actor, body, request, reply }) => {
    await deleteAccount(deps, actor.userId, body.confirm, request.id)
    session.clear(reply)
    reply.header('clear-site-data', '"cache", "storage"')
    return { success: true, message: 'Your account was deleted' } as const
  })
}

/**
 * Changes the given fields of the profile; absent ones stay.
 * @throws DomainError unauthorized when the account is gone
 */
async function updateProfile(deps: Deps, userId: number, changes: UpdateProfileRequest) {
  const now = deps.clock.now()
  let isRenamed = false
  const isWritten = await deps.db.transaction(async (tx) => {
    const write = () => writeProfile(tx, userId, changes, now)
    if (changes.displayName === undefined) {
      return changes.solanaWallet === undefined
        ? write()
        : tellingWalletChange(tx, userId, now, write)
    }
    const before = await lockAccountRow(tx, userId)
    const isWritten = await tellingWalletChange(tx, userId, now, write)
    isRenamed = changes.displayName !== (before?.ownName ?? before?.displayName)
    if (isWritten && isRenamed) {
      const hiding = await judgeNewNames(tx, userId, now)
      if (hiding !== undefined) await recordStaffAction(tx, hiding)
    }
    return isWritten
  })
  if (!isWritten) throw signedOut()
  deps.events.publish({ type: 'user_changed', userId })
  if (isRenamed) deps.events.publish({ type: 'leaderboard_changed' })
}

const lifeMillis = 5 * 60_000
const nonceBytes = 16

/** Who asks: the challenge is good for this session alone. */
interface WalletOwner {
  readonly userId: number
  readonly sessionToken: string
}

/**
 * Makes the text to sign; an earlier one of the user is void.
 * @throws DomainError invalid_input for what is no address, or one whose signatures would prove
 * nothing
 */
export async function challengeWallet(
  deps: Deps,
  owner: WalletOwner,
  address: string,
  /** The product's origin as the browser knows it; wallets compare it with the page. */
  origin: string,
): Promise<{ message: string; expiresAt: Date }> {
  requireWalletAddress(address, 'walletAddress')
  if (isSmallOrderKey(keyBytes(address))) {
    throw wrongField('walletAddress', 'This address cannot be proven.')
  }
  const issuedAt = deps.clock.now()
  const expiresAt = new Date(issuedAt.getTime() + lifeMillis)
  const message = walletMessage({
    domain: new URL(origin).host,
    uri: origin,
    address,
    nonce: deps.random.bytes(nonceBytes).toString('hex'),
    issuedAt,
    expiresAt,
  })
  const sessionHash = sha256Hex(owner.sessionToken)
  const challenge = { userId: owner.userId, sessionHash, address, message, expiresAt }
  if (!(await putWalletChallenge(deps.db, challenge))) throw signedOut()
  return { message, expiresAt }
}

/**
 * Connects the wallet of the challenge when its key has signed the text. The challenge is used up
 * by the attempt, whatever comes of it.
 * @throws DomainError wrong_state without a fitting challenge, invalid_input for a signature that
 * is not the wallet's, duplicate when another user has proven the wallet, unauthorized when the
 * account is gone
 */
async function proveWallet(
  deps: Deps,
  owner: WalletOwner,
  proof: { readonly message: string; readonly signature: string },
): Promise<void> {
  const now = deps.clock.now()
  const challenge = await takeWalletChallenge(deps.db, owner.userId)
  const isFitting =
    challenge !== undefined &&
    challenge.sessionHash === sha256Hex(owner.sessionToken) &&
    challenge.expiresAt > now &&
    challenge.message === proof.message
  if (!isFitting) {
    throw new DomainError(
      'wrong_state',
      'This message cannot be used any more. Please sign a new one.',
    )
  }
  if (!isSignedBy(challenge.address, challenge.message, proof.signature)) {
    throw wrongField('signature', 'The signature is not one of this wallet.')
  }
  const changed = await deps.db
    .transaction((tx) =>
      tellingWalletChange(tx, owner.userId, now, () =>
        writeProvenWallet(tx, owner.userId, challenge.address, now),
      ),
    )
    .catch((error: unknown) => {
      if (sqlState(error) !== '23505') throw error
      throw new DomainError('duplicate', 'Another account has proven this wallet already.')
    })
  if (changed.length === 0) throw signedOut()
  for (const userId of changed) deps.events.publish({ type: 'user_changed', userId })
}

/** The key comes from the stored address, never from the sender: that is what makes it a proof. */
function isSignedBy(address: string, message: string, signature: string): boolean {
  const x = Buffer.from(keyBytes(address)).toString('base64url')
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    return verify(null, Buffer.from(message), key, Buffer.from(signature, 'base64'))
  } catch {
    // An address off the curve is nobody's key.
    return false
  }
}

function keyBytes(address: string): Uint8Array {
  return decodeBase58(address) ?? new Uint8Array(32)
}

/**
 * Removes name, contact details, linked accounts and sessions of the user. The rows of the books
 * stay under a name that says nothing, and the draw chain ends with its seed revealed, since nobody
 * could ask for it any more. Keyed marks stay of the outside accounts, with how the user stood
 * with staff, and of what they were paid for: who comes back starts anew, but gets nothing a
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
    const person = await lockWholeUser(tx, userId)
    if (person === undefined) throw signedOut()
    // After the lock: what was paid while it was waited for lies before the leaving.
    const now = deps.clock.now()
    if (person.is_protected) {
      throw new DomainError('protected_account', 'This account is protected and cannot be deleted')
    }
    if (confirm !== person.username) {
      throw wrongField('confirm', 'Type your username to delete your account')
    }
    await rememberPerson(deps, tx, userId, {
      leftAt: now,
      isEarningBlocked: person.is_earning_blocked,
      suspendedUntil: person.suspended_until,
      isNameHidden: person.own_name !== null,
    })
    await endChain(deps, tx, userId, now)
    await clearPerson(tx, userId, now)
    await recordStaffAction(tx, {
      actorId: userId,
      action: 'account.delete',
      ...targetOf('user', userId),
      requestId,
      now,
    })
  })
  deps.events.publish({ type: 'sessions_ended', userId })
  deps.events.publish({ type: 'user_changed', userId })
  deps.events.publish({ type: 'leaderboard_changed' })
}

async function rememberPerson(deps: Deps, tx: Queryable, userId: number, tombstone: Tombstone) {
  const accounts = await outsideAccounts(tx, userId)
  await remember(tx, deps.encryption, { accounts, left: accounts }, tombstone)
  const twitch = accounts.find(isTwitch)
  if (twitch === undefined) return
  const marks = (await paidBroadcasts(tx, userId)).map((broadcast) =>
    deps.encryption.fingerprint('watch', paidBroadcastText(twitch.id, broadcast)),
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
