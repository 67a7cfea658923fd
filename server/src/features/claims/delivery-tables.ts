// The SQL of contact details: they stand in the claim, sealed, and go some time after its end.

import { type Queryable, statement } from '../../adapters/db/database.ts'
import type { SealedText } from '../../rules/contact-info.ts'
import { erasingContacts, namedClaim } from './claim-sql.ts'

const ownClaim = `c.user_id = $1 AND c.deleted_at IS NULL AND ${namedClaim('$2')}`
const columns = `c.id, c.claim_id, c.status, c.contact_info, c.red_coin_amount`

const readClaim = statement(
  'read_claim_delivery',
  `SELECT ${columns} FROM prize_claims c WHERE ${ownClaim}`,
)
const lockClaim = statement(
  'lock_claim_for_delivery',
  `SELECT ${columns} FROM prize_claims c WHERE ${ownClaim} FOR NO KEY UPDATE`,
)
const writeContact = statement(
  'write_claim_contact',
  `WITH before AS (
     SELECT contact_info IS NULL AS was_empty FROM prize_claims WHERE id = $1
   ), changed AS (
     UPDATE prize_claims SET contact_info = $2::jsonb, updated_at = $3 WHERE id = $1 RETURNING id
   )
   INSERT INTO prize_claim_events (prize_claim_id, kind, created_at)
   SELECT id, CASE WHEN $2::jsonb IS NULL THEN 'delivery_erased' ELSE 'delivery_saved' END, $3
   FROM changed, before WHERE NOT (was_empty AND $2::jsonb IS NULL)`,
)

// Claims from before the timeline have no row in it, and count from their last change.
const eraseBatch = statement(
  'erase_old_contacts',
  erasingContacts(
    `SELECT c.id FROM prize_claims c
     WHERE c.contact_info IS NOT NULL
       AND (c.deleted_at <= $1 OR (c.status = 'completed' AND coalesce(
         (SELECT max(e.created_at) FROM prize_claim_events e
          WHERE e.prize_claim_id = c.id AND e.status = 'completed'), c.updated_at) <= $1))
     ORDER BY c.id LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED`,
    '$2',
  ),
)

export interface ClaimForDelivery {
  readonly id: number
  readonly claim_id: string | null
  readonly status: 'pending' | 'processing' | 'completed'
  readonly contact_info: unknown
  readonly red_coin_amount: number
}

/** One of the user's claims; undefined when there is none, or when it is somebody else's. */
export async function claimForDelivery(
  db: Queryable,
  userId: number,
  claimId: string,
  options: { readonly isLocked: boolean },
): Promise<ClaimForDelivery | undefined> {
  const query = options.isLocked ? lockClaim : readClaim
  return (await db.run<ClaimForDelivery>(query, [userId, claimId]))[0]
}

/** Writes details, or removes them with null, and notes it in the claim's timeline. */
export async function writeContactInfo(
  tx: Queryable,
  id: number,
  contact: SealedText | null,
  now: Date,
): Promise<void> {
  await tx.run(writeContact, [id, contact === null ? null : JSON.stringify(contact), now])
}

/** Erases contact details of claims completed or removed by `before`; answers how many. */
export async function eraseContacts(
  db: Queryable,
  before: Date,
  now: Date,
  limit: number,
): Promise<number> {
  return (await db.run(eraseBatch, [before, now, limit])).length
}
