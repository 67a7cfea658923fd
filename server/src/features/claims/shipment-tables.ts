// The SQL of what is sent for claims. Whoever moves a shipment locks its claim first.

import type { Courier } from '@redpack/contract'
import type { ShipmentState } from '@redpack/contract/shipment-states'
import type { Queryable } from '../../adapters/db/database.ts'
import {
  rowQuery,
  rowsQuery,
  valueQuery,
  valuesQuery,
  writeQuery,
} from '../../adapters/db/queries.ts'
import type { ClaimState } from '../../rules/claim-steps.ts'

const named = `c.deleted_at IS NULL
  AND (c.claim_id = ANY($1::text[]) OR (c.claim_id IS NULL AND c.id = ANY($2::int[])))`
type Named = [claimIds: readonly string[], numbers: readonly number[]]
// In the order of the ids, so that two who change the same claims never wait for each other.
const lockNamed = valuesQuery<{ id: number }, Named>(
  'lock_claims_to_ship',
  `SELECT c.id FROM prize_claims c WHERE ${named} ORDER BY c.id FOR NO KEY UPDATE`,
)
const findNamed = valuesQuery<{ id: number }, Named>(
  'find_claims_to_ship',
  `SELECT c.id FROM prize_claims c WHERE ${named} ORDER BY c.id`,
)

export interface StoredShipment {
  /** Row number of the claim. */
  readonly id: number
  readonly claimId: string
  readonly userId: number
  readonly prizeId: number
  readonly hasAddress: boolean
  readonly state: ShipmentState
  readonly deadline: Date | null
  /** As it was on the win. */
  readonly wonDeadline: Date | null
  readonly courier: string | null
  readonly trackingNumber: string | null
}

// A statement of its own after the locks, so that it sees what those before have committed.
export const readShipments = rowsQuery<StoredShipment, [ids: readonly number[]]>(
  'read_shipments_by_id',
  `SELECT s.id, coalesce(c.claim_id, 'PR-' || c.id) AS "claimId", c.user_id AS "userId",
     c.prize_id AS "prizeId", c.contact_info IS NOT NULL AS "hasAddress", s.state, s.deadline,
     s.won_deadline AS "wonDeadline", s.courier, s.tracking_number AS "trackingNumber"
   FROM shipments s JOIN prize_claims c ON c.id = s.id WHERE s.id = ANY($1::int[]) ORDER BY s.id`,
)

/** The number of a row without a Claim ID. */
const numbered = /^PR-([1-9][0-9]{0,8})$/

/**
 * The shipments of claims that are not deleted, by their Claim IDs; what is locked stays as it is
 * until the transaction ends.
 */
export async function shipmentsNamed(
  db: Queryable,
  claimIds: readonly string[],
  { isLocked }: { readonly isLocked: boolean },
): Promise<ReadonlyMap<string, StoredShipment>> {
  const numbers = claimIds.flatMap((name) => numbered.exec(name)?.slice(1).map(Number) ?? [])
  const ids = await (isLocked ? lockNamed : findNamed)(db, claimIds, numbers)
  const found = await readShipments(db, ids)
  return new Map(found.map((shipment) => [shipment.claimId, shipment]))
}

// The claim first, as by whoever moves a shipment: what is skipped there leaves no lock here.
const lockDue = (name: string, isDue: string, since: string) =>
  valuesQuery<{ id: number }, [moment: Date, limit: number]>(
    name,
    `SELECT s.id FROM prize_claims c JOIN shipments s ON s.id = c.id
     WHERE c.deleted_at IS NULL AND ${isDue} AND ${since} <= $1 ORDER BY ${since} LIMIT $2
     FOR NO KEY UPDATE SKIP LOCKED`,
  )

/** Locks those whose deadline has passed by a moment, but for those that somebody works on now. */
export const lockLapsing = lockDue(
  'lock_lapsing_shipments',
  `s.state = 'address_wanted'`,
  's.deadline',
)

/** The same of those sent by a moment. */
export const lockArrived = lockDue('lock_arrived_shipments', `s.state = 'sent'`, 's.sent_at')

/** Notes in the timelines that a deadline is 7 days or 1 day away, once for each. Answers whose. */
export const noteDeadlinesNear = valuesQuery<{ userId: number }, [now: Date, limit: number]>(
  'note_deadlines_near',
  `INSERT INTO prize_claim_events (prize_claim_id, kind, created_at)
   SELECT s.id, 'deadline_near', $1 FROM shipments s
   JOIN prize_claims c ON c.id = s.id AND c.deleted_at IS NULL
   WHERE s.state = 'address_wanted' AND s.deadline > $1 AND s.deadline <= $1 + interval '7 days'
     AND EXISTS (
       SELECT FROM (VALUES (s.deadline - interval '7 days'), (s.deadline - interval '1 day')) AS d (due)
       WHERE d.due <= $1 AND d.due > c.created_at AND NOT EXISTS (
         SELECT FROM prize_claim_events e WHERE e.prize_claim_id = s.id
           AND e.kind = 'deadline_near' AND e.created_at >= d.due))
   ORDER BY s.deadline LIMIT $2
   RETURNING (SELECT user_id FROM prize_claims WHERE id = prize_claim_id) AS "userId"`,
)

/** What a winner has at least, in days, when an address is asked for again. */
export const renewedDaysMin = 7

/** True of a deadline that goes on where an address is asked for again; `now` is a placeholder. */
export const leavesTime = (now: string) => `deadline - interval '${renewedDaysMin} days' > ${now}`

interface Moved {
  readonly ids: readonly number[]
  readonly state: ShipmentState
  readonly status: ClaimState
  readonly now: Date
  readonly actorId: number | null
}

/** What was said of a parcel that did not go out after all is as if it had not been said. */
const unsaid = ['courier', 'tracking_number', 'tracking_url'].map(
  (column) => `${column} = CASE WHEN :state <> 'ready' OR state <> 'sent' THEN ${column} END`,
)

/**
 * Moves shipments of locked claims, and the status of those claims with them. The timeline also
 * tells of an address that is asked for where the status stays.
 */
export const moveShipments = writeQuery<[moved: Moved]>(
  'move_shipments',
  `WITH moved AS (
     UPDATE shipments SET state = :state, updated_at = :now, ${unsaid.join()},
       deadline = CASE WHEN :state <> 'address_wanted' OR ${leavesTime(':now')} THEN deadline END,
       handler_id = CASE WHEN :state = 'packed' THEN :actorId::int ELSE handler_id END,
       sent_at = CASE WHEN :state = 'sent' THEN :now ELSE sent_at END
     WHERE id = ANY(:ids::int[]) RETURNING id
   ), changed AS (
     UPDATE prize_claims SET status = :status, updated_at = :now FROM moved
     WHERE prize_claims.id = moved.id
       AND (prize_claims.status <> :status OR :state = 'address_wanted') RETURNING prize_claims.id
   )
   INSERT INTO prize_claim_events (prize_claim_id, kind, status, created_at)
   SELECT id, 'status', :status, :now FROM changed ORDER BY id`,
)

export interface Carriage extends Pick<StoredShipment, 'id' | 'courier' | 'trackingNumber'> {
  readonly trackingUrl: string | null
}

const carry = writeQuery<
  [ids: number[], couriers: unknown[], numbers: unknown[], urls: unknown[], now: Date]
>(
  'write_carriage',
  `UPDATE shipments SET courier = n.courier, tracking_number = n.number, tracking_url = n.url,
     updated_at = $5
   FROM unnest($1::int[], $2::text[], $3::text[], $4::text[]) AS n (id, courier, number, url)
   WHERE shipments.id = n.id`,
)

/** Writes who carries what was sent, and under which number. */
export const writeCarriage = (tx: Queryable, carried: readonly Carriage[], now: Date) =>
  carry(
    tx,
    carried.map(({ id }) => id),
    carried.map(({ courier }) => courier),
    carried.map(({ trackingNumber }) => trackingNumber),
    carried.map(({ trackingUrl }) => trackingUrl),
    now,
  )

/** The shipments that go by one of the numbers, and those with the ids, with their names. */
export const findNumbered = rowsQuery<
  Pick<StoredShipment, 'id' | 'userId' | 'trackingNumber'> & { readonly name: string },
  [numbers: readonly string[], ids: readonly number[]]
>(
  'find_shipments_by_number',
  `SELECT s.id, c.user_id AS "userId", s.tracking_number AS "trackingNumber",
     c.prize_name || ' for ' || u.display_name AS name
   FROM shipments s JOIN prize_claims c ON c.id = s.id AND c.deleted_at IS NULL
   JOIN users u ON u.id = c.user_id
   WHERE s.tracking_number = ANY($1::text[]) OR s.id = ANY($2::int[]) ORDER BY s.id`,
)

export const writeDeadlines = writeQuery<
  [ids: readonly number[], deadline: Date | null, now: Date]
>(
  'write_shipment_deadlines',
  'UPDATE shipments SET deadline = $2, updated_at = $3 WHERE id = ANY($1::int[])',
)

/** Every courier by name; an operator has a handful of them. */
export const readCouriers = rowsQuery<Courier>(
  'read_couriers',
  `SELECT id, name, tracking_url_template AS "trackingUrlTemplate" FROM couriers
   ORDER BY lower(name)`,
)

/** Undefined when there is one of the name, in whatever case. */
export const insertCourier = rowQuery<
  Courier,
  [courier: Omit<Courier, 'id'> & { readonly now: Date }]
>(
  'add_courier',
  `INSERT INTO couriers (name, tracking_url_template, created_at)
   VALUES (:name, :trackingUrlTemplate, :now)
   ON CONFLICT DO NOTHING
   RETURNING id, name, tracking_url_template AS "trackingUrlTemplate"`,
)

/** The name of the one that was removed. */
export const deleteCourier = valueQuery<{ name: string }, [id: number]>(
  'remove_courier',
  'DELETE FROM couriers WHERE id = $1 RETURNING name',
)
