// What staff are answered after packs or RedCoin were given or taken.

import { invariant } from '../../shared/domain-error.ts'

export interface Granted {
  readonly message: string
  /** How many users were reached. */
  readonly processedCount: number
  /** The user when it was only one, and what they hold since then. */
  readonly username: string | null
  readonly after: number | null
  /** How much was really taken; 0 for a grant. */
  readonly removed: number
  readonly errors: { readonly username: string; readonly reason: string }[]
}

export function packsAnswer({ message, processedCount, username, ...granted }: Granted) {
  return {
    success: true as const,
    message,
    processedCount,
    username,
    newQuantity: granted.after,
    removedQuantity: granted.removed,
    errors: granted.errors,
  }
}

export function redCoinAnswer({ message, processedCount, username, ...granted }: Granted) {
  return {
    success: true as const,
    message,
    processedCount,
    username,
    newBalance: granted.after,
    removedAmount: granted.removed,
    errors: granted.errors,
  }
}

/** The same for a call that names one user. */
export function packsOfOneAnswer(granted: Granted) {
  const { username, after } = onlyUser(granted)
  return { ...packsAnswer(granted), username, newQuantity: after }
}

export function redCoinOfOneAnswer(granted: Granted) {
  const { username, after } = onlyUser(granted)
  return { ...redCoinAnswer(granted), username, newBalance: after }
}

function onlyUser({ username, after }: Granted) {
  invariant(username !== null && after !== null, 'one user was named and found')
  return { username, after }
}
