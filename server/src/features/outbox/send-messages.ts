// Sends what is due, one after the other: each at least once, and twice only where the far side had
// taken it and its answer never came.

import type { Queryable } from '../../adapters/db/database.ts'
import type { Deps } from '../../adapters/deps.ts'
import { nextTryAt, paceOf, quietUntil } from '../../rules/outbox-pace.ts'
import { MailFault } from '../../shared/mail-fault.ts'
import { refuseAddress } from './address-tables.ts'
import { isUrgent, mailOf } from './mail-texts.ts'
import { type News, readNews } from './news-tables.ts'
import {
  beginTry,
  bundle,
  type DueMessage,
  dropMessage,
  eventsOf,
  findDueMessage,
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

/** With a run every five seconds at most ten mails a second. */
const messagesPerRun = 50
/** Longer than any try: see `tryMillisMax` of the mailer. */
const leaseMillis = 120_000
const hourMillis = 3_600_000
const keptMillis = 90 * 24 * hourMillis

type Decided = { readonly message: DueMessage; readonly to: Recipient; readonly news: News[] }

/** @throws MailFault when the far side cannot be reached; what is left is tried again */
export async function sendMessages(deps: Deps, stopping?: AbortSignal): Promise<void> {
  if (!deps.mailer.isSetUp) return
  for (let count = 0; count < messagesPerRun && stopping?.aborted !== true; count += 1) {
    const due = await findDueMessage(deps.db, deps.clock.now())
    if (due === undefined) return
    const begun = await deps.db.transaction((tx) => decide(tx, due, deps.clock.now()))
    if (begun !== undefined) await send(deps, begun)
  }
}

/** Forgets what went out three months ago. */
export async function tidyOutbox({ db, clock }: Deps): Promise<void> {
  await forgetSent(db, new Date(clock.now().getTime() - keptMillis))
}

/** What becomes of a message that is due; the begun try when it is to go out now. */
async function decide(
  tx: Queryable,
  due: { readonly id: number; readonly user_id: number },
  now: Date,
): Promise<(Decided & { readonly begun: Try }) | undefined> {
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

async function send(deps: Deps, decided: Decided & { readonly begun: Try }): Promise<void> {
  const { message, begun } = decided
  try {
    await deps.mailer.send(mailOf(deps, decided))
  } catch (error) {
    if (!(error instanceof MailFault)) throw error
    await endFailedTry(deps, message, begun, error)
    if (error.kind === 'unreachable') throw error
    return
  }
  const now = deps.clock.now()
  await finishTry(deps.db, begun, { state: 'sent', problem: null, nextTryAt: now, now })
}

async function endFailedTry(
  deps: Deps,
  { user_id: userId, kind }: DueMessage,
  begun: Try,
  fault: MailFault,
): Promise<void> {
  const now = deps.clock.now()
  const isOver = fault.kind === 'mailbox' || fault.kind === 'refused'
  const again = isOver ? undefined : nextTryAt(now, begun.attempts, begun.firstTriedAt)
  const state = again === undefined ? 'failed' : 'waiting'
  const problem = fault.message
  await deps.db.transaction(async (tx) => {
    await finishTry(tx, begun, { state, problem, nextTryAt: again ?? now, now })
    if (fault.kind === 'mailbox') await refuseAddress(tx, userId, kind, now)
  })
  deps.log.warn({ err: fault, ref: begun.id }, 'a message was not sent')
  if (fault.kind === 'mailbox') deps.events.publish({ type: 'user_changed', userId })
}
