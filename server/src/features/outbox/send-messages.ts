// Sends what is due, over every channel in the same way: each at least once, and twice only where
// the far side had taken it and its answer never came.

import type { OutboxChannel } from '@redpack/contract/notification-kinds'
import type { Deps } from '../../adapters/deps.ts'
import type { Job } from '../../adapters/jobs/scheduler.ts'
import { DeliveryFault } from '../../shared/far-side-faults.ts'
import {
  type Backoff,
  beginTry,
  type Carrier,
  dropMessage,
  endExpired,
  findDueLanes,
  finishTry,
  forgetEnded,
  lockNextOfLane,
  putOffMessage,
  type Try,
} from './sending-tables.ts'

/** People or places of one run; with a run every five seconds, sixty messages a second at least. */
const lanesPerRun = 300
/** Messages of one run for the same person or place, so that the others have their turn. */
const messagesPerLane = 5
/** How many people or places are written to at the same time over one channel; none twice. */
const atOnceMax = 8
/** What one run learns about a far side that is away. */
const failuresMax = 3
/** Longer than any try: see `tryMillisMax` of each adapter. */
const usualLeaseMillis = 120_000
/** A rest between two messages that is kept at once; a longer one is kept by a later run. */
const restMillisMax = 2_000
const dayMillis = 24 * 3_600_000
const keptMillis = 90 * dayMillis
/** How long a far side that fails is asked again. */
const triedForMillis = dayMillis
const usualBackoff: Backoff = { firstMillis: 30_000, mostMillis: 3_600_000 }

/**
 * Has what waits for a channel sent: a job each, so that a far side that fails holds up no other.
 * It fails with a DeliveryFault when the far side cannot be reached; what is left is tried again.
 */
export function sendingJob<Channel extends OutboxChannel>(
  channel: Channel,
  carrierOf: (deps: Deps, channel: Channel) => Carrier,
): Job {
  return {
    name: `outbox-send-${channel}`,
    everySeconds: 5,
    run: (deps, stopping) => sendOver(deps, channel, carrierOf(deps, channel), stopping),
  }
}

async function sendOver(
  deps: Deps,
  channel: OutboxChannel,
  carrier: Carrier,
  stopping?: AbortSignal,
): Promise<void> {
  const { db, clock } = deps
  await endExpired(db, channel, clock.now())
  if (!(await carrier.isOpen())) return
  const lanes = await findDueLanes(db, clock.now(), channel, lanesPerRun)
  const failures: unknown[] = []
  const isOver = () =>
    failures.length >= failuresMax || failures.some(isBug) || stopping?.aborted === true
  const workOff = async () => {
    for (let next = lanes.shift(); next !== undefined; next = lanes.shift()) {
      const { lane } = next
      try {
        let tried: number | undefined = 0
        for (let count = 0; count < messagesPerLane && !isOver(); count += tried) {
          tried = await sendNext(deps, { channel, lane, carrier })
          if (tried === undefined) break
        }
      } catch (error) {
        failures.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnceMax, lanes.length) }, workOff))
  if (failures.length > 0) throw failures.find(isBug) ?? failures[0]
}

const isBug = (error: unknown) => !(error instanceof DeliveryFault)

/** Forgets what went out three months ago, and of chats all that is over after a day. */
export async function tidyOutbox({ db, clock }: Deps): Promise<void> {
  const now = clock.now().getTime()
  while ((await forgetEnded(db, new Date(now - keptMillis), new Date(now - dayMillis))) > 0);
}

interface Lane {
  readonly channel: OutboxChannel
  readonly lane: string
  readonly carrier: Carrier
}

/** Does what is to be done now with the next message of a lane; answers how many were tried. */
async function sendNext(deps: Deps, { channel, lane, carrier }: Lane) {
  const now = deps.clock.now()
  const turn = await deps.db.transaction(async (tx) => {
    const { isInOrder = false, leaseMillis = usualLeaseMillis } = carrier
    const message = await lockNextOfLane(tx, channel, lane, isInOrder, now)
    if (message === undefined) return undefined
    const decision = await carrier.decide(tx, message, now)
    if (typeof decision === 'function') {
      const begun = await beginTry(tx, message.id, now, new Date(now.getTime() + leaseMillis))
      return begun && { begun, send: decision }
    }
    if (decision === 'drop') await dropMessage(tx, message.id)
    else await putOffMessage(tx, message.id, decision)
    return decision
  })
  if (turn === undefined) return undefined
  if (typeof turn === 'object' && 'send' in turn) {
    await tryOnce(deps, carrier, turn.begun, turn.send)
    return 1
  }
  const restMillis = turn instanceof Date ? turn.getTime() - now.getTime() : 0
  if (restMillis <= restMillisMax) await deps.clock.pause(restMillis)
  return 0
}

async function tryOnce(
  deps: Deps,
  { backoff = usualBackoff }: Carrier,
  begun: Try,
  send: () => Promise<void>,
): Promise<void> {
  const fault = await send().catch((error: unknown) => {
    if (error instanceof DeliveryFault) return error
    throw error
  })
  const now = deps.clock.now()
  const isFinal = fault?.kind === 'recipient' || fault?.kind === 'refused'
  const again = fault && !isFinal ? nextTryAt(now, begun, backoff, fault.waitSeconds) : undefined
  const state = fault === undefined ? 'sent' : again === undefined ? 'failed' : 'waiting'
  const problem = fault?.message ?? null
  await finishTry(deps.db, { ...begun, state, problem, nextTryAt: again ?? now, now })
  if (fault === undefined) return
  deps.log.warn({ err: fault, ref: begun.id }, 'a message was not sent')
  if (fault.kind === 'unreachable') throw fault
}

/**
 * When to try again after a try: waits are doubled each time, unless the far side has named one;
 * undefined when it was tried for a day.
 */
export function nextTryAt(
  now: Date,
  begun: { readonly attempts: number; readonly firstTriedAt: Date },
  { firstMillis, mostMillis }: Backoff,
  waitSeconds?: number,
): Date | undefined {
  if (now.getTime() - begun.firstTriedAt.getTime() >= triedForMillis) return undefined
  const doubled = Math.min(firstMillis * 2 ** (begun.attempts - 1), mostMillis)
  return new Date(now.getTime() + (waitSeconds === undefined ? doubled : waitSeconds * 1000))
}
