// Which way a claim may go.

import { DomainError } from '../shared/domain-error.ts'

export type ClaimState = 'pending' | 'processing' | 'completed'

/** What of a prize decides whether its claim waits for staff. */
export interface WonPrize {
  readonly redCoinAmount: number
  /** 0 when no packs come with it. */
  readonly rewardPackQuantity: number
  /** Besides the packs, something is sent. */
  readonly isAlsoSent: boolean
  readonly deliversCodes: boolean
}

/** RedCoin and packs are delivered when they are won; everything else waits for staff. */
export function claimStateWhenWon(prize: WonPrize): 'pending' | 'completed' {
  if (prize.redCoinAmount > 0 || prize.deliversCodes) return 'completed'
  return prize.rewardPackQuantity > 0 && !prize.isAlsoSent ? 'completed' : 'pending'
}

/**
 * Why a claim may not take a step, or undefined. It may move between waiting and being worked on,
 * and from either to its end, which is final: already_completed, or wrong_state when nothing would
 * change.
 */
export function claimStepRefusal(from: ClaimState, to: ClaimState): DomainError | undefined {
  if (from === 'completed') {
    return new DomainError('already_completed', 'Claim is already completed')
  }
  return from === to ? new DomainError('wrong_state', `Claim is already ${to}`) : undefined
}

/**
 * 32 characters, five bits each without bias; 0, 1, I and O are left out because they look alike.
 */
const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

/**
 * Random bytes one Claim ID is made from. Eight characters are 40 bits: a name for a claim,
 * never a key to it, since every call checks whose claim it is.
 */
export const claimIdBytes = 8

/** `PR-` and 8 characters. `bytes` must hold `claimIdBytes` random bytes; each gives five bits. */
export function claimIdFrom(bytes: Uint8Array): string {
  return `PR-${Array.from(bytes, (byte) => alphabet[byte & 31]).join('')}`
}

/** The Claim ID as it is shown: rows without one show their number. */
export function formatClaimId(claimId: string | null, id: number): string {
  return claimId ?? `PR-${id}`
}
