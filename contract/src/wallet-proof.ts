// Proving that a wallet is the caller's own, by signing a text from the server.

import * as z from 'zod/mini'
import { Timestamp } from './answers.ts'
import { endpoint } from './endpoint.ts'
import { walletAddressPattern } from './limits.ts'
import { requestObject } from './values.ts'

const addressSentence = 'Please enter a valid Solana wallet address format.'

export const WalletStatus = z.object({
  walletAddress: z.nullable(z.string()),
  /** When the caller proved that the wallet is theirs; null for an address only typed. */
  verifiedAt: z.nullable(Timestamp),
})
export type WalletStatus = z.infer<typeof WalletStatus>

export const WalletChallengeRequest = requestObject({
  walletAddress: z
    .string({ error: addressSentence })
    .check(z.trim(), z.regex(walletAddressPattern, { error: addressSentence })),
})

export const WalletChallenge = z.object({
  /** The text to sign, byte for byte. */
  message: z.string(),
  expiresAt: Timestamp,
})

const messageMax = 2_000

export const WalletProofRequest = requestObject({
  message: z
    .string({ error: 'The signed message is missing' })
    .check(z.minLength(1, { error: 'The signed message is missing' }))
    .check(z.maxLength(messageMax, { error: 'The signed message is too long' })),
  /** The 64 bytes of the Ed25519 signature in base64. */
  signature: z
    .string({ error: 'The signature is missing' })
    .check(z.regex(/^[A-Za-z0-9+/]{86}==$/, { error: 'The signature must be 64 bytes in base64' })),
})

export const walletProofContract = {
  status: endpoint('viewer', 'GET', '/api/user/wallet', {
    summary: "Returns the caller's wallet, and whether it is proven to be theirs.",
    response: WalletStatus,
  }),
  challenge: endpoint('viewer', 'POST', '/api/user/wallet/challenge', {
    changes: [],
    summary: 'Makes the text that the caller signs within five minutes to prove a wallet.',
    body: WalletChallengeRequest,
    response: WalletChallenge,
  }),
  prove: endpoint('viewer', 'POST', '/api/user/wallet/proof', {
    changes: [],
    summary: "Checks the signed text and connects the wallet as proven to be the caller's.",
    body: WalletProofRequest,
    response: WalletStatus,
    domainErrors: ['wrong_state', 'duplicate'],
  }),
}
