// A winner's delivery details: saved while the prize is not delivered, and shown to the winner.

import type { World } from '../../adapters/world.ts'
import { shownClaimId } from '../../rules/claim-id.ts'
import { contactInfoPlace, isSealedText } from '../../rules/contact-info.ts'
import { Refusal } from '../../rules/refusal.ts'
import { type ClaimForDelivery, claimForDelivery, writeContactInfo } from './tables.ts'

export interface ShownDelivery {
  readonly claimId: string
  /** What was saved, in whatever form; undefined when nothing is there that can be read. */
  readonly saved: unknown
  readonly canChange: boolean
}

const notFound = () => new Refusal('not_found', 'Prize claim not found')

function isPhysical({ red_coin_amount }: ClaimForDelivery): boolean {
  return red_coin_amount === 0
}

/**
 * The delivery details of one of the user's claims.
 * @throws Refusal not_found, the same for another user's claim as for none
 */
export async function readDelivery(
  world: World,
  userId: number,
  claimId: string,
): Promise<ShownDelivery> {
  const claim = await claimForDelivery(world.db, userId, claimId, { isLocked: false })
  if (claim === undefined) throw notFound()
  return {
    claimId: shownClaimId(claim.claim_id, claim.id),
    saved: openContact(world, claim),
    canChange: isPhysical(claim) && claim.status !== 'completed',
  }
}

function openContact(
  { encryption }: Pick<World, 'encryption'>,
  { id, contact_info }: ClaimForDelivery,
): unknown {
  if (!isSealedText(contact_info)) return undefined
  const text = encryption.open(contact_info, contactInfoPlace(id))
  return text === undefined ? undefined : JSON.parse(text)
}

/**
 * Seals and stores the details, in place of earlier ones.
 * @throws Refusal not_found, already_completed, or wrong_state for a prize that was paid in RedCoin
 */
export async function saveDelivery(
  world: World,
  userId: number,
  claimId: string,
  delivery: object,
): Promise<void> {
  await world.db.transaction(async (tx) => {
    const claim = await claimForDelivery(tx, userId, claimId, { isLocked: true })
    if (claim === undefined) throw notFound()
    if (!isPhysical(claim)) throw new Refusal('wrong_state', 'This prize is not delivered by post')
    if (claim.status === 'completed') {
      throw new Refusal('already_completed', 'This prize has been delivered already')
    }
    const sealed = world.encryption.seal(JSON.stringify(delivery), contactInfoPlace(claim.id))
    await writeContactInfo(tx, claim.id, sealed, world.clock.now())
  })
}
