// The SQL of what is sent for claims. Whoever moves a shipment locks its claim first.

import { type Queryable, statement } from '../../adapters/db/database.ts'
import type { ClaimState } from '../../rules/claim-steps.ts'
import type { ShipmentState } from '../../rules/shipment-moves.ts'

const named = `c.deleted_at IS NULL
  AND (c.claim_id = ANY($1::text[]) OR (c.claim_id IS NULL AND c.id = ANY($2::int[])))`
// In the order of the ids, so that two who change the same claims never wait for each other.
const lockNamed = statement(
  'lock_claims_to_ship',
  `SELECT c.id FROM prize_claims c WHERE ${named} ORDER BY c.id FOR NO KEY UPDATE`,
)
const findNamed = statement(
  'find_claims_to_ship',
  `SELECT c.id FROM prize_claims c WHERE ${named} ORDER BY c.id`,
)
const lockById = statement(
  'lock_claims_to_ship_by_id',
  `SELECT c.id FROM prize_claims c WHERE c.deleted_at IS NULL AND c.id = ANY($1::int[])
   ORDER BY c.id FOR NO KEY UPDATE SKIP LOCKED`,
)
// A statement of its own after the locks, so that it sees what those before have committed.
const read = statement(
  'read_shipments_by_id',
  `SELECT s.id, coalesce(c.claim_id, 'PR-' || c.id) AS "claimId", c.user_id AS "userId",
     c.prize_id AS "prizeId", c.contact_info IS NOT NULL AS "hasAddress", s.state, s.deadline,
     s.won_deadline AS "wonDeadline", s.courier, s.tracking_number AS "trackingNumber", s.sent_at AS "sentAt"
   FROM shipments s JOIN prize_claims c ON c.id = s.id WHERE s.id = ANY($1::int[]) ORDER BY s.id`,
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
  readonly sentAt: Date | null
}

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
  const rows = await db.run<{ id: number }>(isLocked ? lockNamed : findNamed, [claimIds, numbers])
  const found = await readShipments(
    db,
    rows.map(({ id }) => id),
  )
  return new Map(found.map((shipment) => [shipment.claimId, shipment]))
}

export function readShipments(db: Queryable, ids: readonly number[]): Promise<StoredShipment[]> {
  return db.run<StoredShipment>(read, [ids])
}

const findLapsing = statement(
  'find_lapsing_shipments',
  `SELECT s.id FROM shipments s JOIN prize_claims c ON c.id = s.id AND c.deleted_at IS NULL
   WHERE s.state = 'address_wanted' AND s.deadline <= $1 ORDER BY s.deadline LIMIT $2`,
)
const findArrived = statement(
  'find_shipments_under_way_for_long',
  `SELECT s.id FROM shipments s JOIN prize_claims c ON c.id = s.id AND c.deleted_at IS NULL
   WHERE s.state = 'sent' AND s.sent_at <= $1 ORDER BY s.sent_at LIMIT $2`,
)

/** Locks shipments whose time has come by `moment`, but for those that somebody works on now. */
export async function lockDue(
  tx: Queryable,
  what: 'lapsing' | 'arrived',
  moment: Date,
  limit: number,
): Promise<StoredShipment[]> {
  const due = await tx.run<{ id: number }>(what === 'lapsing' ? findLapsing : findArrived, [
    moment,
    limit,
  ])
  const locked = await tx.run<{ id: number }>(lockById, [due.map(({ id }) => id)])
  const shipments = await readShipments(
    tx,
    locked.map(({ id }) => id),
  )
  return shipments.filter(({ state, deadline, sentAt }) =>
    what === 'lapsing'
      ? state === 'address_wanted' && deadline !== null && deadline <= moment
      : state === 'sent' && sentAt !== null && sentAt <= moment,
  )
}

const remind = statement(
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

/**
 * Notes in the timelines that a deadline is 7 days or 1 day away, once for each. Answers whose.
 */
export async function noteDeadlinesNear(
  db: Queryable,
  now: Date,
  limit: number,
): Promise<number[]> {
  const noted = await db.run<{ userId: number }>(remind, [now, limit])
  return noted.map(({ userId }) => userId)
}

const move = statement(
  'move_shipments',
  `WITH moved AS (
     UPDATE shipments SET state = $2, updated_at = $4,
       deadline = CASE WHEN $2 <> 'address_wanted' OR deadline > $4 THEN deadline END,
       handler_id = CASE WHEN $2 = 'packed' THEN $5::int ELSE handler_id END,
       sent_at = CASE WHEN $2 = 'sent' THEN $4 ELSE sent_at END
     WHERE id = ANY($1::int[]) RETURNING id
   ), changed AS (
     UPDATE prize_claims SET status = $3, updated_at = $4 FROM moved
     WHERE prize_claims.id = moved.id AND prize_claims.status <> $3 RETURNING prize_claims.id
   )
   INSERT INTO prize_claim_events (prize_claim_id, kind, status, created_at)
   SELECT id, 'status', $3, $4 FROM changed ORDER BY id`,
)

/** Moves shipments of locked claims, and the status of those claims with them. */
export async function moveShipments(
  tx: Queryable,
  ids: readonly number[],
  { state, status }: { readonly state: ShipmentState; readonly status: ClaimState },
  { now, actorId }: { readonly now: Date; readonly actorId: number | null },
): Promise<void> {
  await tx.run(move, [ids, state, status, now, actorId])
}

export interface Carriage {
  readonly id: number
  readonly courier: string | null
  readonly trackingNumber: string | null
  readonly trackingUrl: string | null
}

const carry = statement(
  'write_carriage',
  `UPDATE shipments SET courier = n.courier, tracking_number = n.number, tracking_url = n.url,
     updated_at = $5
   FROM unnest($1::int[], $2::text[], $3::text[], $4::text[]) AS n (id, courier, number, url)
   WHERE shipments.id = n.id`,
)

/** Writes who carries what was sent, and under which number. */
export async function writeCarriage(
  tx: Queryable,
  carried: readonly Carriage[],
  now: Date,
): Promise<void> {
  await tx.run(carry, [
    carried.map(({ id }) => id),
    carried.map(({ courier }) => courier),
    carried.map(({ trackingNumber }) => trackingNumber),
    carried.map(({ trackingUrl }) => trackingUrl),
    now,
  ])
}

const extend = statement(
  'write_shipment_deadlines',
  'UPDATE shipments SET deadline = $2, updated_at = $3 WHERE id = ANY($1::int[])',
)

export async function writeDeadlines(
  tx: Queryable,
  ids: readonly number[],
  deadline: Date | null,
  now: Date,
): Promise<void> {
  await tx.run(extend, [ids, deadline, now])
}

const couriers = statement(
  'read_couriers',
  `SELECT id, name, tracking_url_template AS "trackingUrlTemplate" FROM couriers
   ORDER BY lower(name)`,
)
const addCourierRow = statement(
  'add_courier',
  `INSERT INTO couriers (name, tracking_url_template, created_at) VALUES ($1, $2, $3)
   ON CONFLICT DO NOTHING
   RETURNING id, name, tracking_url_template AS "trackingUrlTemplate"`,
)
const removeCourierRow = statement(
  'remove_courier',
  'DELETE FROM couriers WHERE id = $1 RETURNING name',
)

export interface StoredCourier {
  readonly id: number
  readonly name: string
  readonly trackingUrlTemplate: string
}

/** Every courier by name; an operator has a handful of them. */
export function readCouriers(db: Queryable): Promise<StoredCourier[]> {
  return db.run<StoredCourier>(couriers, [])
}

/** Undefined when there is one of the name, in whatever case. */
export async function insertCourier(
  tx: Queryable,
  { name, trackingUrlTemplate }: Omit<StoredCourier, 'id'>,
  now: Date,
): Promise<StoredCourier | undefined> {
  return (await tx.run<StoredCourier>(addCourierRow, [name, trackingUrlTemplate, now]))[0]
}

/** The name of the one that was removed. */
export async function deleteCourier(tx: Queryable, id: number): Promise<string | undefined> {
  return (await tx.run<{ name: string }>(removeCourierRow, [id]))[0]?.name
}
