// Whom a grant reaches, and which names it could not reach.

import type { Queryable } from '../../adapters/db/database.ts'
import { DomainError } from '../../shared/domain-error.ts'
import { allRecipients, type Recipient, recipientById, recipientsByName } from './tables.ts'

export type GrantTarget =
  | { readonly kind: 'user'; readonly userId: number }
  | { readonly kind: 'usernames'; readonly usernames: readonly string[] }
  | { readonly kind: 'all' }

export interface Distribution {
  /** Packs of this type; RedCoin when undefined. */
  readonly packTypeId: number | undefined
  readonly target: GrantTarget
  /** Signed, not 0. A negative amount takes at most what is there. */
  readonly amount: number
  readonly description: string
}

export interface UnreachedName {
  readonly username: string
  readonly verdict: 'unknown' | 'ambiguous'
  readonly reason: string
}

export interface Reached {
  readonly recipients: readonly Recipient[]
  readonly errors: readonly UnreachedName[]
}

/**
 * Finds the users a grant is for. Known names are reached even when others are not.
 * @throws DomainError not_found for an unknown id; invalid_input when no name is known
 */
export async function findRecipients(tx: Queryable, target: GrantTarget): Promise<Reached> {
  if (target.kind === 'all') return { recipients: await allRecipients(tx), errors: [] }
  if (target.kind === 'user') {
    const recipient = await recipientById(tx, target.userId)
    if (recipient === undefined) throw new DomainError('not_found', 'User not found')
    return { recipients: [recipient], errors: [] }
  }
  return reachNames(target.usernames, await recipientsByName(tx, target.usernames))
}

function reachNames(usernames: readonly string[], found: readonly Recipient[]): Reached {
  const byName = groupByName(found)
  const recipients: Recipient[] = []
  const errors: UnreachedName[] = []
  for (const username of usernames) {
    const carriers = byName.get(username) ?? []
    const [only] = carriers
    if (only !== undefined && carriers.length === 1) recipients.push(only)
    else if (only === undefined) {
      errors.push({ username, verdict: 'unknown', reason: 'Unknown user' })
    } else errors.push({ username, verdict: 'ambiguous', reason: 'Several users' })
  }
  if (recipients.length === 0) {
    throw new DomainError('invalid_input', 'None of the usernames is known', {
      errors: errors.map(({ username, reason }) => ({
        path: 'usernames',
        message: `${username}: ${reason}`,
      })),
    })
  }
  return { recipients, errors }
}

function groupByName(found: readonly Recipient[]): Map<string, Recipient[]> {
  const byName = new Map<string, Recipient[]>()
  for (const recipient of found) {
    byName.set(recipient.username, [...(byName.get(recipient.username) ?? []), recipient])
  }
  return byName
}
