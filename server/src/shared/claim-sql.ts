// Words of SQL about claims that several rooms say.

/**
 * True of the claim `c` that a text names: by its Claim ID, by its row number, or by the PR-number
 * of a row without a Claim ID. `text` is a parameter.
 */
export const namedClaim = (text: string): string => `(c.claim_id = ${text}
   OR c.id = CASE WHEN ${text} ~ '^[1-9][0-9]{0,9}$' THEN ${text}::bigint END
   OR (c.claim_id IS NULL
     AND c.id = CASE WHEN ${text} ~ '^PR-[1-9][0-9]{0,9}$' THEN substr(${text}, 4)::bigint END))`

/**
 * True of the shipment `s` that is packed for another address than the one saved since. What came
 * back and was packed again has no step of that in the timeline, and counts from its last change.
 */
export const hasNewerAddress = `(s.state = 'packed' AND EXISTS (
   SELECT FROM prize_claim_events e WHERE e.prize_claim_id = s.id AND e.kind = 'delivery_saved'
     AND e.created_at > coalesce((SELECT max(p.created_at) FROM prize_claim_events p
       WHERE p.prize_claim_id = s.id AND p.status = 'processing'
         AND p.created_at > coalesce(s.sent_at, '-infinity')), s.updated_at)))`

/**
 * Erases the contact details of the claims that a query finds, at the time of a placeholder, and
 * the numbers under which couriers know where their prizes went. Answers the claims; timelines say
 * it of those that had details.
 */
export const erasingContacts = (claims: string, now: string) => `WITH found AS (
     SELECT id, contact_info IS NOT NULL AS had_details FROM prize_claims WHERE id IN (${claims})
   ), changed AS (
     UPDATE prize_claims c SET contact_info = NULL, updated_at = ${now}
     FROM found WHERE c.id = found.id RETURNING c.id, had_details
   ), shipped AS (
     UPDATE shipments SET tracking_number = NULL, tracking_url = NULL, updated_at = ${now},
       state = CASE WHEN state = 'ready' THEN 'address_wanted' ELSE state END
     FROM changed WHERE shipments.id = changed.id
   ), told AS (
     INSERT INTO prize_claim_events (prize_claim_id, kind, created_at)
     SELECT id, 'delivery_erased', ${now}::timestamptz FROM changed WHERE had_details
   )
   SELECT id FROM changed`
