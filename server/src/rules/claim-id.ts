// The form of a Claim ID.

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
