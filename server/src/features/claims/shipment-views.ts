// Shipments as their winner sees them, and as those who send them do: a page, and a file.

import type {
  AdminShipment,
  CourierColumn,
  Delivery,
  DeliveryAnswer,
  Shipment,
  ShipmentCounts,
  ShipmentState,
  ShipmentsPage,
  ShipmentsQuery,
} from '@redpack/contract'
import {
  addressLinesMax,
  adminFileRowsMax,
  claimHitsMax,
  shipmentsCountedMax,
} from '@redpack/contract/limits'
import { shipmentStates, unsentStates } from '@redpack/contract/shipment-states'
import { type Database, type Queryable, statement } from '../../adapters/db/database.ts'
import { oneQuery, oneValueQuery, rowsQuery } from '../../adapters/db/queries.ts'
import { atOneMoment } from '../../adapters/db/retry.ts'
import { type IdRow, idsOf } from '../../adapters/db/word-search.ts'
import { moveRefusal, statusOfShipment } from '../../rules/shipment-moves.ts'
import { hasNewerAddress } from '../../shared/claim-sql.ts'
import { csvPieces } from '../../shared/csv-file.ts'
import { type Dated, isoTimes } from '../../shared/iso-times.ts'
import { placeOf } from '../../shared/pagination.ts'
import { claimMatches, claimsByIndex, lookedFor } from './admin-order-views.ts'
import { contactFrom, type OpenText } from './admin-views.ts'

/** How far a shipment has come, as columns of `s` under the names of the answers. */
export const courseColumns = `s.state, s.deadline, s.courier,
  s.tracking_number AS "trackingNumber", s.tracking_url AS "trackingUrl", s.sent_at AS "sentAt",
  s.countries, s.estimated_value AS "estimatedValue"`

export type CourseRow = Dated<Omit<Shipment, 'canDecline' | 'hasCode'>, 'deadline' | 'sentAt'>

/** As the winner sees it. */
export function shipmentFrom(row: CourseRow): Shipment {
  const canDecline = moveRefusal(row.state, 'declined', 'winner') === undefined
  return { ...isoTimes(row), canDecline, hasCode: false }
}

/** Of a win that was given a code: nothing is sent, and it is there at once. */
export const codeShipment: Shipment = {
  state: 'delivered',
  deadline: null,
  courier: null,
  trackingNumber: null,
  trackingUrl: null,
  sentAt: null,
  countries: [],
  estimatedValue: null,
  canDecline: false,
  hasCode: true,
}

const readOne = oneQuery<CourseRow, [id: number]>(
  'read_own_shipment',
  `SELECT ${courseColumns} FROM shipments s WHERE s.id = $1`,
)

/** One that was just changed, by the row number of its claim. */
export async function ownShipment(db: Queryable, id: number): Promise<Shipment> {
  return shipmentFrom(await readOne(db, id))
}

const unsent = `s.state IN ('${unsentStates.join("', '")}')`
const isOverdue = (now: string) => `(${unsent} AND s.deadline < ${now})`

/** True where somebody packed it, or ships its prize while nobody has. */
const isHandledBy = (person: string) => `(s.handler_id = ${person} OR (s.handler_id IS NULL
  AND c.prize_id IN (SELECT p.id FROM prizes p WHERE p.handler_id = ${person})))`
// Planned for the values that are given: what is not asked for falls away.
const matching = `FROM shipments s JOIN prize_claims c ON c.id = s.id
  WHERE c.deleted_at IS NULL AND (:state::text IS NULL OR s.state = :state)
    AND (:overdueAt::timestamptz IS NULL OR ${isOverdue(':overdueAt')})
    AND (:handlerId::int IS NULL OR ${isHandledBy(':handlerId')})
    AND (NOT :unsentAlone::bool OR ${unsent})
    AND (:prizeId::int IS NULL OR c.prize_id = :prizeId)`
const byAge = (name: string, order: string) => {
  const part = `ORDER BY s.id${order} LIMIT :limit`
  return {
    page: statement(`read_shipments_${name}`, `SELECT s.id ${matching} ${part} OFFSET :offset`),
    byIndex: statement(
      `find_shipments_${name}`,
      `SELECT s.id ${matching}
         AND s.id IN (${claimsByIndex('all', ':pattern', ':people')}) ${part}`,
    ),
    sequentialScan: statement(
      `find_shipments_in_passing_${name}`,
      `SELECT s.id ${matching} AND EXISTS (SELECT FROM users u
         WHERE u.id = c.user_id AND ${claimMatches(':pattern')}) ${part}`,
    ),
  }
}
const oldest = byAge('oldest', '')
const newest = byAge('newest', ' DESC')
const countMatching = oneValueQuery<{ total: number }, [wanted: Readonly<Record<string, unknown>>]>(
  'read_shipments_total',
  `SELECT count(*)::int AS total ${matching}`,
)
// Deleted claims are few: their ids are read once. Of what has come to its end there may be a
// million, which nobody has to count to see what is left to do.
const countStates = rowsQuery<
  { state: ShipmentState; count: number },
  [states: readonly ShipmentState[], countedMax: number]
>(
  'count_shipments',
  `WITH gone AS MATERIALIZED (SELECT id FROM prize_claims WHERE deleted_at IS NOT NULL)
   SELECT state, (SELECT count(*) FROM (SELECT FROM shipments s WHERE s.state = wanted.state
       AND s.id NOT IN (SELECT id FROM gone) LIMIT $2) AS few)::int AS count
   FROM unnest($1::text[]) AS wanted (state)`,
)
const countPlain = oneValueQuery<{ total: number }, [state: ShipmentState | null]>(
  'count_all_shipments',
  `SELECT ((SELECT count(*) FROM shipments s WHERE $1::text IS NULL OR s.state = $1)
     - (SELECT count(*) FROM prize_claims c JOIN shipments s ON s.id = c.id
        WHERE c.deleted_at IS NOT NULL AND ($1::text IS NULL OR s.state = $1)))::int AS total`,
)
/** Looked up for each of the few that are counted. */
const isThere = '(SELECT c.deleted_at FROM prize_claims c WHERE c.id = s.id) IS NULL'
// What nobody has packed is somebody's by its prize: most prizes are nobody's.
const countOthers = oneQuery<
  Pick<ShipmentCounts, 'overdue' | 'mine'>,
  [now: Date, actorId: number]
>(
  'count_urgent_shipments',
  `SELECT (SELECT count(*) FROM shipments s WHERE ${isOverdue('$1')} AND ${isThere})::int AS overdue,
     ((SELECT count(*) FROM shipments s WHERE ${unsent} AND s.handler_id = $2 AND ${isThere})
      + CASE WHEN EXISTS (SELECT FROM prizes WHERE handler_id = $2) THEN
        (SELECT count(*) FROM shipments s CROSS JOIN LATERAL (SELECT prize_id, deleted_at
           FROM prize_claims WHERE id = s.id LIMIT 1) c
         WHERE ${unsent} AND s.handler_id IS NULL AND c.deleted_at IS NULL
           AND c.prize_id IN (SELECT id FROM prizes WHERE handler_id = $2)) ELSE 0 END
     )::int AS mine`,
)
const readPicked = rowsQuery<PickedRow, [ids: readonly number[], now: Date]>(
  'read_picked_shipments',
  `SELECT coalesce(c.claim_id, 'PR-' || c.id) AS "claimId", json_build_object('id', u.id,
       'username', u.username, 'displayName', u.display_name) AS "user",
     json_build_object('id', c.prize_id, 'name', c.prize_name) AS prize, ${courseColumns},
     coalesce(${isOverdue('$2::timestamptz')}, false) AS "isOverdue",
     ${hasNewerAddress} AS "hasNewerAddress", CASE WHEN h.id IS NOT NULL
       THEN json_build_object('id', h.id, 'displayName', h.display_name) END AS handler,
     c.created_at AS "wonAt", s.updated_at AS "updatedAt"
   FROM shipments s
   JOIN prize_claims c ON c.id = s.id
   JOIN users u ON u.id = c.user_id
   JOIN prizes p ON p.id = c.prize_id
   LEFT JOIN users h ON h.id = coalesce(s.handler_id, p.handler_id) AND h.deleted_at IS NULL
   WHERE s.id = ANY($1::int[]) ORDER BY array_position($1::int[], s.id)`,
)

type PickedRow = Dated<AdminShipment, 'deadline' | 'sentAt' | 'wonAt' | 'updatedAt'>

/** The page of shipments that is asked for, by the caller's own where they ask for that. */
export function shipmentsPage(
  db: Database,
  query: ShipmentsQuery,
  { actorId, now }: { readonly actorId: number; readonly now: Date },
): Promise<ShipmentsPage> {
  const { state, handler, overdue, prizeId, search, page, limit } = query
  return atOneMoment(db, async (tx) => {
    const counts = await countsOf(tx, actorId, now)
    const mine = handler === 'me' ? actorId : null
    const values = {
      state: state === 'all' ? null : state,
      overdueAt: overdue ? now : null,
      handlerId: mine,
      unsentAlone: mine !== null && state === 'all',
      prizeId: prizeId ?? null,
    }
    const isWork =
      overdue || values.unsentAlone || (state !== 'all' && statusOfShipment(state) !== 'completed')
    const reads = isWork ? oldest : newest
    const offset = (page - 1) * limit
    const find = async () => {
      const { pattern, people } = await lookedFor(tx, search)
      const wanted = { ...values, pattern, limit: claimHitsMax }
      const found =
        people === null
          ? await tx.run<IdRow>(reads.sequentialScan, wanted)
          : await tx.run<IdRow>(reads.byIndex, { ...wanted, people })
      return idsOf(found)
    }
    const hits = search === '' ? undefined : await find()
    const isPlain = !overdue && mine === null && prizeId === undefined
    const counted = hits?.length ?? (isPlain ? countIn(counts, state) : undefined)
    const count = () => (isPlain ? countPlain(tx, values.state) : countMatching(tx, values))
    const total = counted ?? (await count())
    const ids =
      hits?.slice(offset, offset + limit) ??
      idsOf(await tx.run<IdRow>(reads.page, { ...values, limit, offset }))
    const rows = await readPicked(tx, ids, now)
    return {
      shipments: rows.map(isoTimes),
      counts,
      ...placeOf(total, { page, limit }),
    }
  })
}

async function countsOf(tx: Queryable, actorId: number, now: Date): Promise<ShipmentCounts> {
  const rows = await countStates(tx, shipmentStates, shipmentsCountedMax)
  const counts = rows.map(({ state, count }) => [state, count])
  const others = await countOthers(tx, now, actorId)
  return { ...(Object.fromEntries(counts) as Record<ShipmentState, number>), ...others }
}

/** Undefined where more are in a state than are counted. */
function countIn({ overdue, mine, ...states }: ShipmentCounts, state: ShipmentsQuery['state']) {
  const counts = state === 'all' ? Object.values(states) : [states[state]]
  if (counts.some((count) => count >= shipmentsCountedMax)) return undefined
  return counts.reduce((sum, count) => sum + count, 0)
}

const readForFile = rowsQuery<FileRow, [state: ShipmentState, afterId: number, limit: number]>(
  'read_shipments_for_file',
  `SELECT c.id, coalesce(c.claim_id, 'PR-' || c.id) AS "claimId", c.prize_name AS "prizeName",
     c.contact_info AS "contactInfo", s.courier, s.tracking_number AS "trackingNumber"
   FROM shipments s
   CROSS JOIN LATERAL (SELECT * FROM prize_claims WHERE id = s.id LIMIT 1) c
   WHERE s.state = $1 AND s.id > $2 AND c.deleted_at IS NULL ORDER BY s.id LIMIT $3`,
)

interface FileRow {
  readonly id: number
  readonly claimId: string
  readonly prizeName: string
  readonly contactInfo: unknown
  readonly courier: string | null
  readonly trackingNumber: string | null
}

const lines = Array.from({ length: addressLinesMax }, (_, index) => `address${index + 1}`)
function answersCell(value: unknown): string | null {
  if (!Array.isArray(value) || value.length === 0) return null
  return (value as DeliveryAnswer[]).map((each) => `${each.question}: ${each.answer}`).join('; ')
}

const cellOf = (value: unknown) => (typeof value === 'string' ? value : null)

interface ShipmentsFile {
  readonly state: ShipmentState
  readonly columns: readonly CourierColumn[]
  /** Notes whose addresses the next lines hold, before anybody has them. */
  readonly note: (claimIds: readonly string[]) => Promise<void>
}

/**
 * Addresses for a courier's tool, the longest waiting first. `courier` and `trackingNumber` are the
 * columns that come back. What staff have noted as a plain text stands in the note.
 */
export function shipmentsFile(
  db: Queryable,
  { state, columns, note }: ShipmentsFile,
  open: OpenText,
): AsyncIterable<string> {
  type Column = [name: string, cell: (row: CourierRow) => string | null | undefined]
  const columnsOf = (column: CourierColumn): Column[] =>
    column === 'address'
      ? lines.map((line, at) => [line, (row) => row.address[at]])
      : [[column, (row) => row[column]]]
  return csvPieces<CourierRow>({
    columns: Object.fromEntries(columns.flatMap(columnsOf)),
    rowsMax: adminFileRowsMax,
    read: async (last, limit) => {
      const rows = await readForFile(db, state, last?.id ?? 0, limit)
      if (rows.length > 0 || last === undefined) await note(rows.map(({ claimId }) => claimId))
      return rows.map((row) => courierRow(row, contactFrom(row, open)))
    },
  })
}

type CourierRow = ReturnType<typeof courierRow>

function courierRow(row: FileRow, contact: ReturnType<typeof contactFrom>) {
  const isText = typeof contact === 'string'
  const to: Partial<Record<keyof Delivery, unknown>> = isText ? {} : (contact ?? {})
  const address = Array.isArray(to.addressLines) ? to.addressLines : []
  return {
    ...{ id: row.id, claimId: row.claimId, prize: row.prizeName, name: cellOf(to.name) },
    address: address.map(cellOf),
    ...{ city: cellOf(to.city), postalCode: cellOf(to.postalCode) },
    ...{ country: cellOf(to.country), phone: cellOf(to.phone) },
    note: isText ? contact : cellOf(to.note),
    answers: answersCell(to.answers),
    ...{ courier: row.courier, trackingNumber: row.trackingNumber },
  }
}
