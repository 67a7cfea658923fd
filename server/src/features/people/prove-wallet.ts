// Proof that a wallet is somebody's own: a text of ours, signed with the wallet's key.

import { createPublicKey, verify } from 'node:crypto'
import { sqlState } from '../../adapters/db/retry.ts'
import type { Deps } from '../../adapters/deps.ts'
import { sha256Hex } from '../../adapters/random/hashing.ts'
import {
  decodeBase58,
  isSmallOrderKey,
  requireWalletAddress,
  walletMessage,
} from '../../rules/wallet.ts'
import { DomainError } from '../../shared/domain-error.ts'
import { putWalletChallenge, takeWalletChallenge, writeProvenWallet } from './wallet-tables.ts'

const lifeMillis = 5 * 60_000
const nonceBytes = 16

/** Who asks: the challenge is good for this session alone. */
export interface WalletOwner {
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
    const sentence = 'This address cannot be proven.'
    const errors = [{ path: 'walletAddress', message: sentence }]
    throw new DomainError('invalid_input', sentence, { errors })
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
  const { userId } = owner
  await putWalletChallenge(deps.db, { userId, sessionHash, address, message, expiresAt })
  return { message, expiresAt }
}

/**
 * Connects the wallet of the challenge when its key has signed the text. The challenge is used up
 * by the attempt, whatever comes of it.
 * @throws DomainError wrong_state without a fitting challenge, invalid_input for a signature that
 * is
 * not the wallet's, duplicate when another user has proven the wallet, unauthorized when the
 * account is gone
 */
export async function proveWallet(
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
    const sentence = 'The signature is not one of this wallet.'
    const errors = [{ path: 'signature', message: sentence }]
    throw new DomainError('invalid_input', sentence, { errors })
  }
  const changed = await deps.db
    .transaction((tx) => writeProvenWallet(tx, owner.userId, challenge.address, now))
    .catch((error: unknown) => {
      if (sqlState(error) !== '23505') throw error
      throw new DomainError('duplicate', 'Another account has proven this wallet already.')
    })
  if (changed.length === 0) throw new DomainError('unauthorized', 'Unauthorized')
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
