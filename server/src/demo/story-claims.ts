// Claims in the story: winners say where their prizes go, and staff work on what waits.

import type { DeliveryQuestion } from '@redpack/contract/delivery-rules'
import type { ShipmentState } from '@redpack/contract/shipment-states'
import { statement } from '../adapters/db/database.ts'
import { rowsQuery } from '../adapters/db/queries.ts'
import { deleteClaim, updateClaim } from '../features/claims/change-claims.ts'
import {
  addCourier,
  changeShipments,
  moveDueShipments,
  moveOwnShipment,
} from '../features/claims/change-shipments.ts'
import { saveDelivery } from '../features/claims/deliveries.ts'
import type { ClaimState } from '../rules/claim-steps.ts'
import { proveAddresses } from './demo-tables.ts'
import { dayMillis, hourMillis, minuteMillis } from './story-calendar.ts'
import type { StoryScene } from './story-scene.ts'

/** Staff leave a claim alone for this long, and so do winners for a part of it. */
const staffWaitMillis = 20 * hourMillis
const winnerWaitMillis = 3 * hourMillis
const parcelMillis = 3 * dayMillis
/** Every so many claims, nobody says where the prize goes. */
const silentEvery = 6
/** The newest that wait go on waiting, so that there are always some. */
const staysMin = 3
const usualStepMillis = 47_000
const roundMillisMax = 8 * minuteMillis

/** What is done one after the other takes its time, and is done before the next event of staff. */
function momentOf(index: number, count: number): number {
  return Math.round(index * Math.min(usualStepMillis, roundMillisMax / count))
}

const claimKinds = statement(
  'demo_claim_kinds',
  `SELECT count(*) FILTER (WHERE deleted_at IS NOT NULL)::int AS deleted,
     count(*) FILTER (WHERE deleted_at IS NULL AND status = 'processing')::int AS processing,
     (SELECT count(*)::int FROM shipments WHERE state = 'delivered') AS delivered
   FROM prize_claims`,
)

interface OpenClaim {
  readonly id: number
  readonly userId: number
  readonly displayName: string
  readonly status: ClaimState
  readonly hasAddress: boolean
  readonly questions: readonly DeliveryQuestion[]
  readonly deadline: Date | null
  readonly wonAt: Date
  readonly changedAt: Date
}

const readOpen = rowsQuery<OpenClaim>(
  'demo_open_claims',
  `SELECT c.id, c.user_id AS "userId", u.display_name AS "displayName", c.status,
     coalesce(s.questions, '[]') AS questions, s.deadline,
     c.contact_info IS NOT NULL AS "hasAddress", c.created_at AS "wonAt",
     c.updated_at AS "changedAt"
   FROM prize_claims c JOIN users u ON u.id = c.user_id LEFT JOIN shipments s ON s.id = c.id
   WHERE c.status <> 'completed' AND c.deleted_at IS NULL ORDER BY c.id`,
)

type Town = readonly [city: string, postalCode: string, country: string]
const towns: readonly [Town, ...Town[]] = [
  ['Exampleton', 'EX1 2MP', 'United Kingdom'],
  ['Beispielstadt', '00001', 'Germany'],
  ['Sampleville', '00000', 'United States'],
  ['Ejemplo del Mar', '00002', 'Spain'],
]

function sooner(one: OpenClaim | undefined, other: OpenClaim): OpenClaim | undefined {
  if (other.deadline === null) return one
  return one?.deadline && one.deadline <= other.deadline ? one : other
}

/** Most winners of the last hours say where their prizes go; who has the least time never does. */
export async function sayAddresses(scene: StoryScene): Promise<void> {
  const { deps, at } = scene
  const silent = (await readOpen(deps.db)).filter(({ hasAddress }) => !hasAddress)
  const lapsing = silent.reduce<OpenClaim | undefined>(sooner, undefined)
  const waiting = silent.findLast(({ deadline }) => deadline === null)
  const missing = silent.filter((claim) => {
    const isEarly = at - claim.wonAt.getTime() < winnerWaitMillis
    return !isEarly && claim.id % silentEvery !== 0 && claim !== lapsing && claim !== waiting
  })
  for (const [index, claim] of missing.entries()) {
    scene.at = at + momentOf(index, missing.length)
    const [city, postalCode, country] = towns[claim.userId % towns.length] ?? towns[0]
    await saveDelivery(deps, claim.userId, String(claim.id), {
      name: claim.displayName,
      addressLines: [`${(claim.userId * 7) % 90} Example Street`],
      city,
      postalCode,
      country,
      phone: null,
      note: claim.id % 5 === 0 ? 'Please leave it with the neighbours' : null,
      answers: claim.questions.map(
        ({ choices = ['Red'] }) => choices[claim.id % choices.length] ?? '',
      ),
    })
  }
}

/** One round of staff over what waits, the oldest first. */
export async function workOnClaims(
  scene: StoryScene,
  { deletes, isLast }: { readonly deletes: boolean; readonly isLast: boolean },
): Promise<void> {
  await moveDueShipments(scene.deps)
  const open = await readOpen(scene.deps.db)
  const waiting = open.filter(({ status, hasAddress }) => status === 'pending' && hasAddress)
  const parcels = open.filter(({ status }) => status === 'processing')
  const untouched = new Set([...waiting.slice(-staysMin), ...parcels.slice(-parcelsMin)])
  const begin = scene.at
  const due = open.filter((claim) => {
    const wait = claim.status === 'pending' ? staffWaitMillis : parcelMillis
    const isDue = begin - claim.changedAt.getTime() >= wait
    return claim.hasAddress && isDue && !untouched.has(claim)
  })
  for (const [index, claim] of due.entries()) {
    scene.at = begin + momentOf(index, due.length)
    await moveOn(scene, claim, claim.status === 'pending' ? 'processing' : 'completed')
  }
  if (isLast) {
    await completeExamples(scene)
    await shipExamples(scene)
    if (scene.deps.config.mail?.url.startsWith('http')) await proveAddresses(scene.deps.db)
  } else if (deletes) await deleteOne(scene)
}

async function moveOn(scene: StoryScene, { id }: OpenClaim, status: ClaimState): Promise<void> {
  const { encryption } = scene.deps
  await scene.byStaff(id, (tx, by) => updateClaim(tx, by, encryption, String(id), { status }))
}

/** The newest that still waits; of several of which nobody has said where they go, one of those. */
async function deleteOne(scene: StoryScene): Promise<void> {
  const waiting = (await readOpen(scene.deps.db)).filter(({ status }) => status === 'pending')
  const silent = waiting.filter(({ hasAddress }) => !hasAddress)
  const claim = (silent.length > 1 ? silent : waiting).at(-1)
  if (claim === undefined || waiting.length <= staysMin) return
  const batchId = scene.deps.random.uuidInOrder()
  await scene.byStaff(0, (tx, by) => deleteClaim(tx, by, String(claim.id), batchId))
}

/** What a short story has had no time for, as far as there are claims enough. */
async function completeExamples(scene: StoryScene): Promise<void> {
  const [kinds] = await scene.deps.db.run<{
    deleted: number
    processing: number
    delivered: number
  }>(claimKinds, [])
  if (kinds === undefined) return
  if (kinds.deleted === 0) await deleteOne(scene)
  const isNoneDelivered = kinds.delivered === 0
  for (let count = kinds.processing; count < parcelsMin + Number(isNoneDelivered); count += 1) {
    await moveOneOn(scene, 'pending', 'processing')
  }
  if (isNoneDelivered) await moveOneOn(scene, 'processing', 'completed')
}

/** Leaves some behind in the state where the oldest comes from. */
async function moveOneOn(scene: StoryScene, from: ClaimState, to: ClaimState): Promise<void> {
  const open = await readOpen(scene.deps.db)
  const found = open.filter(({ status, hasAddress }) => status === from && hasAddress)
  const [oldest] = found
  const staysCount = from === 'pending' ? staysMin : 0
  if (oldest !== undefined && found.length > staysCount) await moveOn(scene, oldest, to)
}

const inState = rowsQuery<
  { readonly claimId: string; readonly userId: number },
  [state: ShipmentState]
>(
  'demo_shipments_in_state',
  `SELECT coalesce(c.claim_id, 'PR-' || c.id) AS "claimId", c.user_id AS "userId"
   FROM shipments s JOIN prize_claims c ON c.id = s.id AND c.deleted_at IS NULL
   WHERE s.state = $1 ORDER BY s.id`,
)
const courier = { name: 'Example Post', trackingUrlTemplate: 'https://post.example/track/{number}' }
/** Every so many of what is packed waits for the post; and so many there are, to see each state. */
const unsentEvery = 3
const parcelsMin = 3

/** Most of what is packed is on its way; one parcel came back, and one prize is not wanted. */
async function shipExamples(scene: StoryScene): Promise<void> {
  const { deps } = scene
  const move = (claimId: string, state: ShipmentState, carriage = {}) =>
    scene.byStaff(0, (tx, by) =>
      changeShipments(
        tx,
        by,
        { claimIds: [claimId], state, ...carriage },
        deps.random.uuidInOrder(),
      ),
    )
  await scene.byStaff(0, (tx, by) => addCourier(tx, by, courier))
  const packed = await inState(deps.db, 'packed')
  const leaving = packed.filter((_, index) => index % unsentEvery !== 1)
  for (const [index, { claimId }] of leaving.entries()) {
    const trackingNumber = `EX${4_071_300 + index * 37}`
    await move(claimId, 'sent', { courier: courier.name, trackingNumber })
  }
  const [first] = leaving.length > 1 ? leaving : []
  if (first !== undefined) await move(first.claimId, 'returned')
  const [unwanted, ...others] = await inState(deps.db, 'ready')
  if (unwanted === undefined || others.length === 0) return
  const { claimId, userId } = unwanted
  await scene.command(userId, (tx, by) => moveOwnShipment(tx, by, claimId, 'declined'))
}
