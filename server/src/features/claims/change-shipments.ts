// Moves shipments on: staff with a verdict for each, a courier's file, winners, and the clock.

import {
  type ChangeShipmentsRequest,
  type Courier,
  type CourierFilePreview,
  type ShipmentVerdict,
  adminShipmentsContract as staff,
} from '@redpack/contract'
import { type ShipmentState, unsentStates } from '@redpack/contract/shipment-states'
import type { AuditEntry, Author, Outcome } from '../../adapters/commands/run-command.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import type { Deps } from '../../adapters/deps.ts'
import type { ProductEvent } from '../../adapters/events/events.ts'
import { command } from '../../adapters/http/command.ts'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import type { UploadedFile } from '../../adapters/http/multipart.ts'
import { sha256Hex } from '../../adapters/random/hashing.ts'
import { isCsvFile, readTable } from '../../rules/bulk-file.ts'
import {
  moveRefusal,
  statusOfShipment,
  trackingNumberFrom,
  trackingUrlFrom,
} from '../../rules/shipment-moves.ts'
import { DomainError, existing, wrongField } from '../../shared/domain-error.ts'
import { grouped } from '../../shared/grouped.ts'
import { targetOf } from '../../shared/staff-call.ts'
import { giveBackPrizeStock } from '../ledger/ledger-tables.ts'
import { noClaim } from './change-claims.ts'
import {
  type Carriage,
  deleteCourier,
  findNumbered,
  insertCourier,
  lockArrived,
  lockLapsing,
  moveShipments,
  noteDeadlinesNear,
  readCouriers,
  readShipments,
  renewedDaysMin,
  type StoredShipment,
  shipmentsNamed,
  writeCarriage,
  writeDeadlines,
} from './shipment-tables.ts'
import { findReaddressed, lockClaimForDelivery } from './tables.ts'

export function registerShipmentChanges(context: FeatureContext): void {
  const { app, deps, guards } = context
  const { db, random } = deps
  command(context, staff.change, {
    order: ({ body }) => body,
    run: (tx, by, change) => changeShipments(tx, by, change, random.uuidInOrder()),
  })
  serve(app, guards, staff.previewFile, ({ file }) => previewCourierFile(db, file))
  command(context, staff.applyFile, {
    order: ({ body, file }) => ({ file, token: body.token }),
    input: ({ file, token }) => [tokenOf(file), token],
    prepare: async ({ file, token }) => {
      if (token !== tokenOf(file)) {
        throw new DomainError('changed_meanwhile', 'This is another file than the one looked at')
      }
      return readCourierFile(file)
    },
    run: (tx, by, _order, rows) => applyCourierFile(tx, by, rows, random.uuidInOrder()),
  })
  serve(app, guards, staff.couriers, () => readCouriers(db))
  command(context, staff.addCourier, { order: ({ body }) => body, run: addCourier })
  command(context, staff.removeCourier, { order: ({ params }) => params.id, run: removeCourier })
}

const needsAddress = 'Nobody has said where to send this prize yet'
const badNumber = 'This is not a tracking number'
/** As in the file that goes out: to import that one by mistake must send nothing. */
const unfilled = 'This row has neither a courier nor a tracking number'
const dayMillis = 86_400_000

/**
 * Moves shipments to a state, or changes their deadline. All of them are locked before the first is
 * judged, so a verdict says what happens whoever works on the same claims.
 * @throws DomainError invalid_input for a number or a deadline that cannot be one
 */
export async function changeShipments(
  tx: Queryable,
  by: Author,
  change: ChangeShipmentsRequest,
  batchId: string,
): Promise<Outcome<{ verdicts: ShipmentVerdict[] }>> {
  const names = [...new Set(change.claimIds)]
  const { state } = change
  const deadline = deadlineOf(change, by.now)
  const number = numberOf(change.trackingNumber)
  const carriage = { courier: change.courier ?? null, number }
  const seen = names.length === 1 ? { ...carriage, replaces: change.replacesNumber } : undefined
  const found = await shipmentsNamed(tx, names, { isLocked: true })
  const judged = names.map((claimId) => {
    const shipment = found.get(claimId)
    if (shipment === undefined) return { claimId, reason: noClaim }
    const reason =
      state === undefined
        ? deadlineRefusal(shipment, deadline, by.now)
        : stateRefusal(shipment, state, seen)
    return reason === undefined ? { claimId, shipment } : { claimId, reason }
  })
  const changed = judged.flatMap(({ shipment }) => shipment ?? [])
  const ids = changed.map(({ id }) => id)
  const marked = state === 'packed' || state === 'sent' ? changed : []
  const remarks = await remarksOn(
    tx,
    marked.map((shipment) => ({ shipment, number })),
  )
  if (state === undefined) await writeDeadlines(tx, ids, deadline, by.now)
  else {
    // A number that is put right moves nothing.
    const { now, actorId } = by
    await moveShipments(tx, { ids: idsToMove(changed, state), ...goalOf(state), now, actorId })
    if (state === 'sent') {
      const carriedBy = carriageFrom(await readCouriers(tx))
      const sent = changed.map(({ id }) => carriedBy(id, carriage.courier, number))
      await writeCarriage(tx, sent, by.now)
    }
  }
  // A number leads to an address, and is erased with it: the log only says that there is one.
  const carried = (courier: string | null, number: string | null) =>
    state === 'sent' && { courier, hasNumber: number !== null }
  const after = state === undefined ? { deadline: deadline?.toISOString() ?? null } : { state }
  const before = ({ courier, trackingNumber, ...shipment }: StoredShipment) =>
    state === undefined
      ? { deadline: shipment.deadline }
      : { state: shipment.state, ...carried(courier, trackingNumber) }
  return {
    answer: { verdicts: verdictsOf(judged, remarks) },
    audit: changed.map((shipment) => ({
      action: 'shipment.update',
      ...targetOf('claim', shipment.id),
      before: before(shipment),
      after: { ...after, ...carried(carriage.courier, number) },
      ...(names.length > 1 && { batchId }),
    })),
    events: usersOf(changed),
  }
}

interface Judged {
  readonly claimId: string
  readonly reason?: string
  readonly shipment?: StoredShipment
}

function verdictsOf(judged: readonly Judged[], remarks: Remarks): ShipmentVerdict[] {
  return judged.map(({ claimId, reason, shipment }) => {
    if (reason !== undefined) return { claimId, changed: false, reason }
    const remark = shipment && remarks.get(shipment.id)
    return { claimId, changed: true, ...(remark && { remark }) }
  })
}

interface Marked {
  readonly shipment: StoredShipment
  readonly number: string | null
}

/** By row number of the claim. */
type Remarks = ReadonlyMap<number, string>

/**
 * What staff should check of shipments that are packed or sent, before it is written: an address
 * that has changed, and a number that somebody else's shipment has as well. Several prizes of one
 * person may be in one parcel, so that is no refusal.
 */
async function remarksOn(db: Queryable, marked: readonly Marked[]): Promise<Remarks> {
  if (marked.length === 0) return new Map()
  const ids = marked.map(({ shipment }) => shipment.id)
  const given = new Map(marked.map(({ shipment, number }) => [shipment.id, number]))
  const numbers = [...new Set(given.values())].filter((number) => number !== null)
  const readdressed = new Set(await findReaddressed(db, ids))
  const found = numbers.length === 0 ? [] : await findNumbered(db, numbers, ids)
  const carriers = grouped(found, ({ id, trackingNumber }) => given.get(id) ?? trackingNumber)
  const remarks = marked.map(({ shipment: { id, userId, state }, number }) => {
    const same = number === null ? [] : (carriers.get(number) ?? [])
    const other = same.find((each) => each.userId !== userId)
    const moment = state === 'packed' ? 'this was packed' : 'it was printed or exported'
    const all = [
      readdressed.has(id) && `The address was changed after ${moment}`,
      other && `The same tracking number is on ${other.name}`,
    ]
    return [id, all.filter(Boolean).join('. ')] as const
  })
  return new Map(remarks)
}

const goalOf = (state: ShipmentState) => ({ state, status: statusOfShipment(state) })

function idsToMove(shipments: readonly StoredShipment[], to: ShipmentState): number[] {
  return shipments.flatMap(({ id, state }) => (state === to ? [] : [id]))
}

function usersOf(shipments: readonly StoredShipment[]): ProductEvent[] {
  const userIds = new Set(shipments.map(({ userId }) => userId))
  return [...userIds].map((userId) => ({ type: 'user_changed', userId }))
}

function numberOf(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null
  const number = trackingNumberFrom(text)
  if (number === undefined) throw new DomainError('invalid_input', badNumber)
  return number
}

function deadlineOf({ deadline }: ChangeShipmentsRequest, now: Date): Date | null {
  if (deadline === null || deadline === undefined) return null
  const moment = new Date(deadline)
  if (moment <= now) throw new DomainError('invalid_input', 'The deadline must be in the future')
  // Days of the public log have years of four digits.
  if (moment.getUTCFullYear() < 10_000) return moment
  throw new DomainError('invalid_input', 'The deadline is too far away')
}

function deadlineRefusal(
  { state, deadline: stored, wonDeadline }: StoredShipment,
  deadline: Date | null,
  now: Date,
): string | undefined {
  if (!unsentStates.includes(state)) return 'This prize has no deadline any more'
  if (deadline === null) return undefined
  if (wonDeadline === null) return 'This prize was won without a deadline'
  if (deadline < (stored ?? wonDeadline)) return 'A deadline can be extended, not shortened'
  const least = now.getTime() + renewedDaysMin * dayMillis
  const isTooSoon = stored === null && deadline.getTime() < least
  return isTooSoon ? `A new deadline leaves at least ${renewedDaysMin} days` : undefined
}

/** Who carries one prize, and the number in place of which staff say so. */
interface Seen {
  readonly courier: string | null
  readonly number: string | null
  readonly replaces: string | undefined
}

/** A number goes only where there was none, or by whoever has seen it: two may have sent it. */
function isPutRight({ courier, trackingNumber }: StoredShipment, seen: Seen | undefined): boolean {
  if (seen === undefined || (seen.courier === null && seen.number === null)) return false
  const isOther = seen.courier !== courier || seen.number !== trackingNumber
  return isOther && (trackingNumber === null || trackingNumber === seen.replaces)
}

const labelled: readonly ShipmentState[] = ['ready', 'packed', 'sent']

function stateRefusal(shipment: StoredShipment, to: ShipmentState, seen: Seen | undefined) {
  if (to === 'sent' && shipment.state === 'sent' && isPutRight(shipment, seen)) return undefined
  const refusal = moveRefusal(shipment.state, to, 'staff')?.message
  if (shipment.hasAddress) return refusal
  // What was packed before its address was erased may still be sent.
  const wantsAddress = to === 'sent' ? shipment.state === 'address_wanted' : refusal === undefined
  return wantsAddress && labelled.includes(to) ? needsAddress : refusal
}

/** Who carries a prize, spelled as in the list, with the link where the courier has one. */
function carriageFrom(couriers: readonly Courier[]) {
  const known = new Map(couriers.map((courier) => [courier.name.toLowerCase(), courier]))
  return (id: number, courier: string | null, trackingNumber: string | null): Carriage => {
    const listed = known.get(courier?.toLowerCase() ?? '')
    const trackingUrl =
      listed === undefined || trackingNumber === null
        ? null
        : trackingUrlFrom(listed.trackingUrlTemplate, trackingNumber)
    return { id, courier: listed?.name ?? courier, trackingNumber, trackingUrl }
  }
}

type CourierRow = CourierFilePreview['rows'][number]
type LeftOut = Pick<CourierRow, 'row' | 'claimId'> & { readonly reason: string }

/** Names a file by what is in it. */
const tokenOf = ({ bytes }: UploadedFile): string => sha256Hex(bytes)

/** @throws DomainError invalid_input for what is no such CSV file */
export function readCourierFile(file: UploadedFile): CourierRow[] {
  if (!isCsvFile(file.name, file.type)) {
    throw new DomainError('invalid_input', 'Only CSV files are allowed')
  }
  const read = readTable(file.bytes, ['claimId', 'courier', 'trackingNumber'])
  return read.map(({ row, cells: [claimId = '', courier = '', trackingNumber = ''] }) => {
    return { row, claimId, courier: [...courier].slice(0, 200).join(''), trackingNumber }
  })
}

/** What applying the file now would do; writes nothing. */
export async function previewCourierFile(db: Queryable, file: UploadedFile) {
  const rows = readCourierFile(file)
  const judged = await judgeFile(db, rows, false)
  const marked = judged.flatMap(({ shipment, number }) => (shipment ? { shipment, number } : []))
  const verdicts = verdictsOf(judged, await remarksOn(db, marked))
  return { token: tokenOf(file), rows, verdicts }
}

/**
 * Marks as sent what the file names. One that was sent with the same number already stays as it is,
 * so that the same file twice changes nothing.
 */
export async function applyCourierFile(
  tx: Queryable,
  by: Author,
  rows: readonly CourierRow[],
  batchId: string,
): Promise<Outcome<{ batchId: string; sent: number; skipped: number; leftOut: LeftOut[] }>> {
  const judged = await judgeFile(tx, rows, true)
  const changed = judged.flatMap(({ shipment }) => shipment ?? [])
  const carriedBy = carriageFrom(await readCouriers(tx))
  const carried = judged.flatMap(({ shipment, row, number }) =>
    shipment === undefined ? [] : [carriedBy(shipment.id, row.courier || null, number)],
  )
  const { now, actorId } = by
  await moveShipments(tx, { ids: idsToMove(changed, 'sent'), ...goalOf('sent'), now, actorId })
  await writeCarriage(tx, carried, by.now)
  const leftOut = judged.flatMap(({ row: { row }, claimId, reason }) =>
    reason === undefined ? [] : [{ row, claimId, reason }],
  )
  const [sent, skipped] = [changed.length, leftOut.length]
  const audit: AuditEntry = {
    action: 'shipment.courier_file',
    targetType: 'claims',
    targetId: null,
    after: { sent, skipped, claimIds: changed.map(({ claimId }) => claimId) },
    batchId,
  }
  return {
    answer: { batchId, sent, skipped, leftOut },
    audit: sent === 0 ? undefined : audit,
    events: usersOf(changed),
  }
}

async function judgeFile(db: Queryable, rows: readonly CourierRow[], isLocked: boolean) {
  const found = await shipmentsNamed(
    db,
    rows.map(({ claimId }) => claimId),
    { isLocked },
  )
  const seen = new Set<string>()
  return rows.map((row) => {
    const { claimId, courier, trackingNumber } = row
    const number = trackingNumber === '' ? null : trackingNumberFrom(trackingNumber)
    const shipment = found.get(claimId)
    const reason = seen.has(claimId)
      ? 'This claim is in the file twice'
      : shipment === undefined
        ? noClaim
        : number === undefined
          ? badNumber
          : courier === '' && number === null
            ? unfilled
            : fileRefusal(shipment, number)
    seen.add(claimId)
    return reason === undefined
      ? { row, claimId, number: number ?? null, shipment }
      : { row, claimId, number: null, reason }
  })
}

function fileRefusal(shipment: StoredShipment, number: string | null): string | undefined {
  const { state, trackingNumber } = shipment
  // It may have come back since, and the file be read once more.
  if (trackingNumber === number && (state === 'sent' || number !== null)) {
    return 'Already sent with this number'
  }
  if (state !== 'sent') return moveRefusal(state, 'sent', 'file')?.message
  return trackingNumber === null ? undefined : 'Already sent with another number'
}

/**
 * What a winner says of one of their prizes: that it came, or that they do not want it, which gives
 * a unit of a limited prize back. Answers the row number of the claim.
 * @throws DomainError not_found, the same for another user's claim as for none, shipment_state
 */
export async function moveOwnShipment(
  tx: Queryable,
  { now, actorId }: Author,
  claimId: string,
  to: 'delivered' | 'declined',
): Promise<Outcome<number>> {
  const claim = await lockClaimForDelivery(tx, actorId, claimId)
  const [shipment] = claim === undefined ? [] : await readShipments(tx, [claim.id])
  if (shipment === undefined) throw new DomainError('not_found', noClaim)
  const refusal = moveRefusal(shipment.state, to, 'winner')
  if (refusal !== undefined) throw refusal
  const stock = to === 'declined' ? await giveBack(tx, shipment, now) : []
  await moveShipments(tx, { ids: [shipment.id], ...goalOf(to), now, actorId: null })
  return { answer: shipment.id, events: [...usersOf([shipment]), ...stock] }
}

/**
 * A unit of a limited prize goes back before its shipment moves, and before the next one goes: the
 * public log tells each step with its unit, in the order of the steps. Answers what is to be told.
 */
async function giveBack(tx: Queryable, { prizeId, id }: StoredShipment, now: Date) {
  return (await giveBackPrizeStock(tx, { prizeId, claimRow: id, now })) ? stockChanged : []
}

const stockChanged: readonly ProductEvent[] = [
  { type: 'catalogue_changed', what: 'prizes' },
  { type: 'catalogue_changed', what: 'pack_types' },
]

const arrivesDays = 30
const dueMax = 100

/**
 * Says when a deadline is near, and ends what has waited too long: without an address at the
 * deadline a prize lapses, and 30 days after it was sent it counts as delivered. May run at any
 * time and as often as one likes.
 */
export async function moveDueShipments(deps: Pick<Deps, 'db' | 'clock' | 'events'>): Promise<void> {
  const now = deps.clock.now()
  const sentBy = new Date(now.getTime() - arrivesDays * dayMillis)
  for (let count = dueMax; count === dueMax; ) {
    const reminded = await noteDeadlinesNear(deps.db, now, dueMax)
    count = reminded.length
    for (const userId of new Set(reminded)) deps.events.publish({ type: 'user_changed', userId })
  }
  await moveAllDue(deps, 'lapsed', (tx) => lockLapsing(tx, now, dueMax))
  await moveAllDue(deps, 'delivered', (tx) => lockArrived(tx, sentBy, dueMax))
}

async function moveAllDue(
  { db, clock, events }: Pick<Deps, 'db' | 'clock' | 'events'>,
  to: 'lapsed' | 'delivered',
  lock: (tx: Queryable) => Promise<number[]>,
): Promise<void> {
  for (let count = dueMax; count === dueMax; ) {
    const told = await db.transaction(async (tx) => {
      const due = await readShipments(tx, await lock(tx))
      count = due.length
      let stock: readonly ProductEvent[] = []
      // In the order of the prizes, whose rows are locked.
      for (const shipment of due.toSorted((a, b) => a.prizeId - b.prizeId)) {
        const now = clock.now()
        const given = to === 'lapsed' ? await giveBack(tx, shipment, now) : []
        if (given.length > 0) stock = given
        await moveShipments(tx, { ids: [shipment.id], ...goalOf(to), now, actorId: null })
      }
      return [...usersOf(due), ...stock]
    })
    for (const event of told) events.publish(event)
  }
}

/** @throws DomainError duplicate */
export async function addCourier(tx: Queryable, { now }: Author, courier: Omit<Courier, 'id'>) {
  const added = await insertCourier(tx, { ...courier, now })
  if (added === undefined) {
    throw wrongField('name', `There is a courier named ${courier.name} already`, 'duplicate')
  }
  const audit = { action: 'courier.create', ...targetOf('courier', added.id), after: courier }
  return { answer: added, audit }
}

/** Answers those that are left. @throws DomainError not_found */
async function removeCourier(tx: Queryable, _by: Author, id: number) {
  const name = existing(await deleteCourier(tx, id), 'Courier not found')
  const audit = { action: 'courier.delete', ...targetOf('courier', id), before: { name } }
  return { answer: await readCouriers(tx), audit }
}
