// Prizes that are sent: winners say where to, have them or do not want them; staff pack and send
// them, many at once and by a courier's file; and the clock ends what waits for too long.

import { createHash } from 'node:crypto'
import type { ShipmentState } from '@redpack/contract/shipment-states'
import type { Database } from '../server/src/adapters/db/database.ts'
import { csvForm } from '../server/test/csv-form.ts'
import type { Claim, Model } from './model.ts'
import { type Change, habit, type Scene, to } from './scene.ts'
import { type Body, rowsOf } from './world.ts'

const dayMillis = 86_400_000
const [arrivesDays, unsent] = [30, ['address_wanted', 'ready', 'packed']]

/** The claim's status in each state, and where staff may move it to from there. */
const states: Readonly<Record<ShipmentState, readonly [Claim['status'], staffMoves: string]>> = {
  address_wanted: ['pending', 'ready packed delivered'],
  ready: ['pending', 'address_wanted packed sent delivered'],
  packed: ['processing', 'address_wanted ready sent delivered'],
  sent: ['processing', 'address_wanted ready delivered returned'],
  returned: ['processing', 'address_wanted ready packed delivered'],
  delivered: ['completed', ''],
  declined: ['completed', ''],
  lapsed: ['completed', ''],
}

/** One that has passed, or leaves less than is asked for, does not begin again by itself. */
export const keptDeadline = ({ deadline = 0 }: Claim, now: number, least = 0) =>
  deadline > now + least ? deadline : 0

/** Who could not see their claim for more than a day has the time of somebody asked anew. */
export const shownDeadline = (claim: Claim, now: number) =>
  keptDeadline(claim, now, (claim.deletedAt ?? now) + dayMillis < now ? 7 * dayMillis : 0)

function moved({ model, now }: Pick<Scene, 'model' | 'now'>, id: string, state: ShipmentState) {
  const claim = model.claims.get(id) as Claim
  if (claim.state === state) return
  const isWanted = state === 'address_wanted'
  const deadline = isWanted ? keptDeadline(claim, now, 7 * dayMillis) : claim.deadline
  const sentAt = state === 'sent' ? now : claim.sentAt
  const number = claim.state === 'sent' && state === 'ready' ? undefined : claim.number
  model.claims.change(id, { state, status: states[state][0], deadline, sentAt, number })
  const isGivenUp = state === 'declined' || state === 'lapsed'
  if (isGivenUp && claim.isLimited && model.prizes.get(claim.prizeId)?.isLimited) {
    model.prizeStock.add(claim.prizeId, 1)
  }
}

/** What a status that staff set makes of a claim and its shipment. */
export function withStatus(claim: Claim, status: Claim['status'], now: number): Partial<Claim> {
  if (claim.state === undefined) return { status }
  const open = claim.hasAddress ? 'ready' : 'address_wanted'
  const state = status === 'completed' ? 'delivered' : status === 'processing' ? 'packed' : open
  const least = claim.hasAddress ? 0 : 7 * dayMillis
  const deadline = status === 'pending' ? keptDeadline(claim, now, least) : claim.deadline
  return { status, state, deadline }
}

/** Whoever leaves takes their addresses along. */
export function forgetAddresses({ claims }: Model, accountId: number): void {
  for (const { id, state, ...claim } of claims.all()) {
    const isBare = !claim.hasAddress && claim.number === undefined
    if (claim.accountId !== accountId || isBare) continue
    const left = state === 'ready' ? 'address_wanted' : state
    claims.change(id, { hasAddress: false, number: undefined, state: left })
  }
}

/** Books what the clock has ended; what it may not have ended stays for the comparison to find. */
export async function bookEnded(db: Database, model: Model, now: number): Promise<void> {
  const text = `SELECT c.claim_id AS id, s.state FROM shipments s JOIN prize_claims c ON c.id = s.id
    WHERE s.state IN ('lapsed', 'delivered')`
  for (const { id, state } of await rowsOf({ db }, text)) {
    const claim = model.claims.get(id)
    const { deadline = 0, sentAt = now } = claim ?? {}
    const hasLapsed = claim?.state === 'address_wanted' && deadline > 0 && deadline <= now
    const hasArrived = claim?.state === 'sent' && sentAt + arrivesDays * dayMillis <= now
    if (state === 'lapsed' ? hasLapsed : hasArrived) moved({ model, now }, id, state)
  }
}

function canMove(claim: Claim, to: ShipmentState, number: string | undefined): boolean {
  const { state, isDeleted, hasAddress } = claim
  if (state === undefined || isDeleted) return false
  if (to === 'sent' && state === 'sent') return claim.number === undefined && number !== undefined
  const isAsked = to === 'ready' || to === 'packed' || (to === 'sent' && state === 'address_wanted')
  const isBlind = isAsked && !hasAddress
  return !isBlind && states[state][1].split(' ').includes(to)
}

/** Claims with something to send, most of them open; up to so many. */
function someShipments({ model, chance }: Scene, max: number): Claim[] {
  const all = model.claims.all().filter(({ state }) => state !== undefined)
  const open = all.filter(({ status, isDeleted }) => status !== 'completed' && !isDeleted)
  const recent = (open.length > 0 && chance.isLikely(0.85) ? open : all).slice(-40)
  if (recent.length === 0) return []
  const chosen = Array.from({ length: chance.between(1, max) }, () => chance.pick(recent))
  return [...new Set(chosen)]
}

/** Judges each of the claims as the product's verdicts do, and books those that are changed. */
function changing(
  scene: Scene,
  chosen: readonly Claim[],
  [words, body]: readonly [words: string, body: Body],
  isRight: (claim: Claim) => boolean,
  book: (id: string) => void,
): Change | undefined {
  if (chosen.length === 0) return undefined
  const claimIds = chosen.map(({ id }) => id)
  const call = to('PATCH admin/shipments', words, { claimIds, ...body }, scene.ownKey)
  return {
    ...call,
    apply({ verdicts }) {
      for (const [at, id] of claimIds.entries()) {
        const can = isRight(scene.model.claims.get(id) as Claim)
        scene.same(verdicts?.[at].changed, can, `whether ${words} can be for ${id}`)
        if (can) book(id)
      }
    },
  }
}

function ownShipment({ model, accountId, chance }: Scene): Claim | undefined {
  const own = model.claims
    .all()
    .filter((one) => one.accountId === accountId && one.state !== undefined)
  // What has a stock is rare, and more can go wrong with it.
  const scarce = own.filter(({ prizeId }) => model.prizes.get(prizeId)?.isLimited)
  const some = scarce.length > 0 && chance.isLikely(0.5) ? scarce : own
  return some.length > 0 ? chance.pick(some.slice(-6)) : undefined
}

export const winnerHabits = [
  habit('say-where-to', 5, ({ scene, model, chance, row }) => {
    const { id } = ownShipment(scene) ?? {}
    if (id === undefined) return undefined
    const where = { name: 'Ana', addressLines: [`Street ${chance.between(1, 99)}`], city: 'Porto' }
    const words = `says where prize ${id} goes`
    const text = `SELECT 1 FROM prize_claims WHERE claim_id = $1 AND contact_info IS NOT NULL`
    return {
      ...to(`PUT user/prize-claims/${id}/delivery`, words, { ...where, country: 'Portugal' }),
      refusals() {
        const { isDeleted, status } = model.claims.get(id) as Claim
        return { not_found: isDeleted, already_completed: !isDeleted && status === 'completed' }
      },
      apply() {
        model.claims.change(id, { hasAddress: true })
        if (model.claims.get(id)?.state === 'address_wanted') moved(scene, id, 'ready')
      },
      find: async () => (await row(text, id)) && {},
    }
  }),
  habit('have-or-decline', 4, ({ scene, model, chance }) => {
    const claim = ownShipment(scene)
    if (claim === undefined) return undefined
    const { id, state } = claim
    const isHere = state === 'sent' ? chance.isLikely(0.9) : chance.isLikely(0.3)
    const [path, words] = isHere ? ['received', 'has'] : ['decline', 'does not want']
    return {
      ...to(`POST user/prize-claims/${id}/${path}`, `${words} prize ${id}`, {}, scene.ownKey),
      refusals() {
        const { isDeleted, state: now } = model.claims.get(id) as Claim
        const isGone = isDeleted || now === undefined
        const isRight = isHere ? now === 'sent' : now === 'address_wanted' || now === 'ready'
        return { not_found: isGone, shipment_state: !isGone && !isRight }
      },
      apply: () => moved(scene, id, isHere ? 'delivered' : 'declined'),
    }
  }),
]

export const shippingHabits = [
  habit('ship', 8, (scene) => {
    const chosen = someShipments(scene, 5)
    const state = scene.chance.pick<ShipmentState>([
      ...(['packed', 'packed', 'sent', 'sent', 'sent', 'returned', 'delivered'] as const),
      ...(['address_wanted', 'ready'] as const),
    ])
    const number = chosen.length === 1 && state === 'sent' ? `T${scene.turn}` : undefined
    const body = { state, ...(number !== undefined && { trackingNumber: number }) }
    const isRight = (claim: Claim) => canMove(claim, state, number)
    return changing(scene, chosen, [`${state} of ${chosen.length}`, body], isRight, (id) => {
      moved(scene, id, state)
      if (state === 'sent') scene.model.claims.change(id, { number })
    })
  }),
  habit('extend-deadlines', 2, ({ scene, chance, now, model }) => {
    const moment = now + chance.between(1, 9) * dayMillis
    const body = { deadline: new Date(moment).toISOString() }
    const isRight = ({ state, isDeleted, deadline = 0, wonDeadline = 0 }: Claim) =>
      unsent.includes(state ?? '') &&
      !isDeleted &&
      wonDeadline > 0 &&
      moment >= (deadline === 0 ? Math.max(wonDeadline, now + 7 * dayMillis) : deadline)
    return changing(scene, someShipments(scene, 4), ['a deadline', body], isRight, (id) =>
      model.claims.change(id, { deadline: moment }),
    )
  }),
  habit('courier-file', 2, ({ scene, model, turn, ownKey, same }) => {
    const chosen = someShipments(scene, 6).map(({ id }) => id)
    const number = `F${turn}`
    const text = ['claimId,courier,trackingNumber', ...chosen.map((id) => `${id},,${number}`)]
    const token = createHash('sha256').update(text.join('\n')).digest('hex')
    const options = { fields: { token }, fileName: `sent-${turn}.csv` }
    const { payload, headers } = csvForm(text.join('\n'), options)
    const words = `has ${chosen.length} sent by a file`
    if (chosen.length === 0) return undefined
    return {
      ...to('POST admin/shipments/courier-file', words, payload, ownKey),
      headers,
      apply({ sent }) {
        const right = chosen.filter((id) => canMove(model.claims.get(id) as Claim, 'sent', number))
        same(sent, right.length, 'how many were sent')
        for (const id of right) {
          moved(scene, id, 'sent')
          model.claims.change(id, { number })
        }
      },
    }
  }),
]
