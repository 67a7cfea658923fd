// A winner's delivery details: saved while the prize is not delivered, and shown to the winner.

import type { Deps } from '../../adapters/deps.ts'
import { formatClaimId } from '../../rules/claim-steps.ts'
import { contactInfoContext, isSealedText } from '../../rules/contact-info.ts'
import { DomainError } from '../../shared/domain-error.ts'
import { type ClaimForDelivery, claimForDelivery, writeContactInfo } from './delivery-tables.ts'

export interface DeliveryForWinner {
  readonly claimId: string
  /** What was saved, in whatever form; undefined when nothing is there that can be read. */
  readonly saved: unknown
  readonly canChange: boolean
}

const notFound = () => new DomainError('not_found', 'Prize claim not found')

function isPhysical({ red_coin_amount }: ClaimForDelivery): boolean {
  return red_coin_amount === 0
}

/**
 * The delivery details of one of the user's claims.
 * @throws DomainError not_found, the same for another user's claim as for none
 */
export async function readDelivery(
  deps: Deps,
  userId: number,
  claimId: string,
): Promise<DeliveryForWinner> {
  const claim = await claimForDelivery(deps.db, userId, claimId, { isLocked: false })
  if (claim === undefined) throw notFound()
  return {
    claimId: formatClaimId(claim.claim_id, claim.id),
    saved: openContact(deps, claim),
    canChange: isPhysical(claim) && claim.status !== 'completed',
  }
}

function openContact(
  { encryption }: Pick<Deps, 'encryption'>,
  { id, contact_info }: ClaimForDelivery,
): unknown {
  if (!isSealedText(contact_info)) return undefined
  const text = encryption.open(contact_info, contactInfoContext(id))
  return text === undefined ? undefined : JSON.parse(text)
}

/**
 * Seals and stores the details, in place of earlier ones.
 * @throws DomainError not_found, already_completed, or wrong_state for a prize that was paid in
 * RedCoin
 */
export async function saveDelivery(
  deps: Deps,
  userId: number,
  claimId: string,
  delivery: object,
): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const claim = await claimForDelivery(tx, userId, claimId, { isLocked: true })
    if (claim === undefined) throw notFound()
    if (!isPhysical(claim))
      throw new DomainError('wrong_state', 'This prize is not delivered by post')
    if (claim.status === 'completed') {
      throw new DomainError('already_completed', 'This prize has been delivered already')
    }
    const sealed = deps.encryption.seal(JSON.stringify(delivery), contactInfoContext(claim.id))
    await writeContactInfo(tx, claim.id, sealed, deps.clock.now())
  })
}
