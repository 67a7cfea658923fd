// Sends what is due: each at least once, and twice only where the far side had
// taken it and its answer never came.

import type { Queryable } from '../../adapters/db/database.ts'
import type { Deps } from '../../adapters/deps.ts'
import { nextTryAt, paceOf, quietUntil } from '../../rules/outbox-pace.ts'
import { DeliveryFault } from '../../shared/delivery-fault.ts'
import { refuseRecipient } from './address-tables.ts'
import { channelsOf, type Delivery, deliver } from './deliver.ts'
import { isUrgent } from './letters.ts'
import { type News, readNews } from './news-tables.ts'
import type { Channel } from './recipient-sql.ts'
import {
  beginTry,
  bundle,
  type DueMessage,
  dropMessage,
  eventsOf,
  findDueMessages,
  finishTry,
  forgetSent,
  lockDueMessage,
  putOffMessage,
  type Recipient,
  recentTries,
  recipientOf,
  type Try,
  waitingOfKind,
} from './sending-tables.ts'

/** With a run every five to six seconds, fifty to sixty a second over each channel. */
const messagesPerRun = 300
/** How many people are written to at the same time over one channel; nobody twice. */
const lanesMax = 8
/** Longer than any try: see `tryMillisMax` of each adapter. */
const leaseMillis = 120_000
const hourMillis = 3_600_000
const keptMillis = 90 * 24 * hourMillis

type Decided = Delivery & { readonly begun: Try }
type Due = { readonly id: number; readonly user_id: number }

/**
 * Sends over all channels at once, so that one whose far side fails holds up no other.
 * @throws DeliveryFault when a far side cannot be reached; what is left is tried again
 */
export async function sendMessages(deps: Deps, stopping?: AbortSignal): Promise<void> {
  const runs = channelsOf(deps).map((channel) => sendOver(deps, channel, stopping))
  for (const run of await Promise.allSettled(runs)) {
    if (run.status === 'rejected') throw run.reason
  }
}

async function sendOver(deps: Deps, channel: Channel, stopping?: AbortSignal): Promise<void> {
  const waiting = byPerson(
    await findDueMessages(deps.db, deps.clock.now(), channel, messagesPerRun),
  )
  const failures: unknown[] = []
  const isOver = () => failures.length > 0 || stopping?.aborted === true
  const lane = async () => {
    for (let own = waiting.shift(); own !== undefined; own = waiting.shift()) {
      for (const due of own) {
        if (isOver()) return
        const begun = await deps.db.transaction((tx) => decide(tx, due, deps.clock.now()))
        if (begun !== undefined) await send(deps, begun)
      }
    }
  }
  const lanes = Array.from({ length: Math.min(lanesMax, waiting.length) }, lane)
  await Promise.all(lanes.map((one) => one.catch((error: unknown) => failures.push(error))))
  if (failures.length > 0) throw failures[0]
}

/** The messages of each person in a list of their own. */
function byPerson(due: readonly Due[]): Due[][] {
  const lists = new Map<number, Due[]>()
  for (const one of due) lists.set(one.user_id, [...(lists.get(one.user_id) ?? []), one])
  return [...lists.values()]
}

/** Forgets what went out three months ago. */
export async function tidyOutbox({ db, clock }: Deps): Promise<void> {
  await forgetSent(db, new Date(clock.now().getTime() - keptMillis))
}

/** What becomes of a message that is due; the begun try when it is to go out now. */
async function decide(tx: Queryable, due: Due, now: Date): Promise<Decided | undefined> {
  const message = await lockDueMessage(tx, due, now)
  if (message === undefined) return undefined
  const to = await recipientOf(tx, message)
  if (to === undefined || !isExpected(message, to)) {
    await dropMessage(tx, message.id)
    return undefined
  }
  if (!isUrgent(message.kind)) {
    const until = quietUntil(now, quietHours(to), to.timezone) ?? (await paced(tx, message, now))
    if (until !== undefined) {
      await putOffMessage(tx, message.id, until)
      return undefined
    }
  }
  const news: News[] = []
  for (const event of await eventsOf(tx, message.id)) {
    const found = await readNews(tx, event)
    if (found !== undefined) news.push(found)
  }
  // What it tells of was taken back.
  if (news.length === 0) {
    await dropMessage(tx, message.id)
    return undefined
  }
  const begun = await beginTry(tx, message.id, now, new Date(now.getTime() + leaseMillis))
  return { message, to, news, begun }
}

function isExpected({ kind, event }: DueMessage, to: Recipient): boolean {
  return kind === 'verify_address' ? event === `verify-${to.pending_key}` : to.is_wanted
}

function quietHours({ quiet_from: from, quiet_until: until }: Recipient) {
  return from === null || until === null ? undefined : { from, until }
}

/** Until when it waits for the hour to pass; takes the others along where there are too many. */
async function paced(tx: Queryable, message: DueMessage, now: Date): Promise<Date | undefined> {
  // What goes out again was counted the first time.
  if (message.attempts > 0) return undefined
  const recent = await recentTries(tx, message, new Date(now.getTime() - hourMillis))
  const waiting = await waitingOfKind(tx, message)
  const pace = paceOf(recent, waiting.length)
  if (pace.do === 'bundle') await bundle(tx, message.id, waiting)
  return pace.do === 'wait' ? pace.until : undefined
}

async function send(deps: Deps, decided: Decided): Promise<void> {
  const { message, begun } = decided
  try {
    await deliver(deps, decided)
  } catch (error) {
    if (!(error instanceof DeliveryFault)) throw error
    await endFailedTry(deps, message, begun, error)
    if (error.kind === 'unreachable') throw error
    return
  }
  const now = deps.clock.now()
  await finishTry(deps.db, begun, { state: 'sent', problem: null, nextTryAt: now, now })
}

async function endFailedTry(
  deps: Deps,
  message: DueMessage,
  begun: Try,
  fault: DeliveryFault,
): Promise<void> {
  const now = deps.clock.now()
  const isOver = fault.kind === 'recipient' || fault.kind === 'refused'
  const again = isOver ? undefined : nextTryAt(now, begun.attempts, begun.firstTriedAt)
  const state = again === undefined ? 'failed' : 'waiting'
  const problem = fault.message
  await deps.db.transaction(async (tx) => {
    await finishTry(tx, begun, { state, problem, nextTryAt: again ?? now, now })
    if (fault.kind === 'recipient') await refuseRecipient(tx, message, now)
  })
  deps.log.warn({ err: fault, ref: begun.id }, 'a message was not sent')
  if (fault.kind !== 'recipient') return
  deps.events.publish({ type: 'user_changed', userId: message.user_id })
}
