// The second factor: the place to which its secret is bound, and how long a confirmation lasts.

import { Unavailable } from '../shared/domain-error.ts'

/** A sealed secret that was copied to another row cannot be opened there. */
export function secretContext(userId: number): string {
  return `second_factors|secret|${userId}`
}

/** The app's code may well be right; nobody can say. */
export function secretUnreadable(): Unavailable {
  return new Unavailable(
    'The second factor cannot be opened with this ENCRYPTION_KEY. Use a recovery code, or start ' +
      'the server with the key that sealed it.',
  )
}

/** How long a session may do what asks for a code again, after a code was given. */
const confirmedMillis = 5 * 60_000

/** When a confirmation given at `confirmedAt` ends. */
export function confirmedUntil(confirmedAt: Date): Date {
  return new Date(confirmedAt.getTime() + confirmedMillis)
}

/** True while a confirmation counts; one from the future, after a clock was set back, does not. */
export function isConfirmed(confirmedAt: Date | null, now: Date): boolean {
  return confirmedAt !== null && confirmedAt <= now && now < confirmedUntil(confirmedAt)
}
