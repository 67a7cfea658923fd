// How watching a stream becomes seconds, and why it sometimes does not.

import { heartbeatCreditSecondsMax } from '@redpack/contract/limits'
import { DomainError } from '../shared/domain-error.ts'
import { isLiveStale, type LiveState } from './live-state.ts'

/** Sessions or completions of one viewer in one answer, the newest ones. */
export const watchListMax = 200

/** What a stream looks like to somebody who wants to watch it. */
export interface WatchedStream {
  readonly isActive: boolean
  readonly isLive: boolean
  /** Our id of the broadcast that is live, null while none is. */
  readonly currentStreamId: string | null
}

/** The marks of a viewer, whatever the stream. */
export interface WatchMarks {
  /** Up to when the viewer was credited, null before the first credit. */
  readonly creditedAt: Date | null
  /** Where that stood when the clock was found set back, until it has come past it; else null. */
  readonly setBackFrom: Date | null
}

/** What one heartbeat adds. */
export interface WatchCredit extends Pick<WatchMarks, 'setBackFrom'> {
  /** Whole seconds, 0 to `heartbeatCreditSecondsMax`. */
  readonly seconds: number
  /** Up to here time has been counted; the next credit starts from it. */
  readonly countedUntil: Date
}

/** Clocks of several machines differ by less. */
const setBackMillisMin = 600_000

/**
 * Credit for a heartbeat at `now`: the time since the session was last counted or the viewer was
 * last credited for any stream, whichever is later, at most 90 s however long the gap.
 * Counting from the later of the two is what makes many tabs and streams share one clock.
 *
 * A broken second is left for the next beat, so that fast beats lose nothing.
 *
 * A mark that lies ahead by up to 10 minutes is another machine's: the beat waits for it. One that
 * lies further ahead was made by a clock that has been set back: a new stretch starts at the
 * present, and this beat adds nothing. But that clock may still be another machine's, and beats may
 * go to both in turn. So until the clock has passed the old mark, a gap of more than 90 s adds
 * nothing, or each step from one clock to the other would add 90 s; and the old mark moves on with
 * what is credited, or it would be passed by time that was paid already. With two clocks, however
 * far apart, that is at most the time that really passed, and once 90 s.
 */
export function creditWatchTime(
  now: Date,
  sessionCountedAt: Date,
  { creditedAt, setBackFrom }: WatchMarks,
): WatchCredit {
  const at = now.getTime()
  const last = creditedAt?.getTime() ?? 0
  const from = Math.max(sessionCountedAt.getTime(), last)
  const old = setBackFrom?.getTime() ?? 0
  if (from - at > setBackMillisMin) {
    return { seconds: 0, countedUntil: now, setBackFrom: new Date(Math.max(from, old)) }
  }
  const whole = Math.max(0, Math.floor((at - from) / 1000))
  const isGap = whole >= heartbeatCreditSecondsMax
  const isStep = setBackFrom !== null && at - last > heartbeatCreditSecondsMax * 1000
  const seconds = isStep ? 0 : Math.min(whole, heartbeatCreditSecondsMax)
  const countedUntil = isGap || isStep ? Math.max(at, from) : from + seconds * 1000
  const moved = old + seconds * 1000
  return {
    seconds,
    countedUntil: new Date(countedUntil),
    setBackFrom: moved > countedUntil ? new Date(moved) : null,
  }
}

/** @throws DomainError wrong_state for an account that staff have shut out from earning */
export function requireEarning(isEarningBlocked: boolean): void {
  if (isEarningBlocked) {
    throw new DomainError(
      'wrong_state',
      'Your account cannot earn rewards, so watch time does not count',
    )
  }
}

/** True while a session that is not completed counts time. */
export function isWatchable(stream: WatchedStream, streamSessionId: string): boolean {
  return stream.isActive && stream.isLive && stream.currentStreamId === streamSessionId
}

/**
 * Lets a session of this broadcast begin or go on counting.
 * @throws DomainError wrong_state with the reason for which time does not count
 */
export function requireWatchable(stream: WatchedStream, streamSessionId: string): void {
  if (!stream.isActive) {
    throw new DomainError('wrong_state', 'This stream is not active, so watch time does not count')
  }
  if (!stream.isLive) {
    throw new DomainError('wrong_state', 'This stream is offline, so watch time does not count')
  }
  if (stream.currentStreamId !== streamSessionId) {
    throw new DomainError('wrong_state', 'This broadcast is over, so watch time does not count')
  }
}

/** Why a session does not count though it is not completed. */
export type NotCounting = 'other_stream' | 'offline' | 'not_in_chat' | 'late_beat'

/** A session that is not completed, of a broadcast that is live. */
export interface OpenSession extends Presence, Pick<LiveState, 'checkedAt' | 'isByHand'> {
  readonly id: number
  /** Up to here its time was counted. */
  readonly countedAt: Date
  /** When the viewer last chose it, null for never. */
  readonly chosenAt: Date | null
}

/** An open session with what is said of its viewer. */
export interface OpenSessionOfViewer extends OpenSession, Pick<WatchMarks, 'creditedAt'> {
  readonly userId: number
  readonly isEarningBlocked: boolean
}

/**
 * The session that the clock is for: of those that could count now the one chosen last, and while
 * none was chosen the one that was first. Undefined when none could count.
 */
export function clockHolder(open: readonly OpenSession[], now: Date): number | undefined {
  return open
    .filter((session) => obstacle(session, now) === undefined)
    .reduce<OpenSession | undefined>(
      (best, session) => (best === undefined || isBefore(session, best) ? session : best),
      undefined,
    )?.id
}

function isBefore(a: OpenSession, b: OpenSession): boolean {
  const [chosenA, chosenB] = [a.chosenAt?.getTime() ?? 0, b.chosenAt?.getTime() ?? 0]
  return chosenA === chosenB ? a.id < b.id : chosenA > chosenB
}

function obstacle(session: OpenSession, now: Date): NotCounting | undefined {
  if (isLiveStale(session, now)) return 'offline'
  return isPresent(session, now) ? undefined : 'not_in_chat'
}

/**
 * By session id why it does not count, null for the one that counts. `creditedAt` is up to when the
 * viewer was credited for any stream. A session whose beats have stopped keeps the clock, which
 * stands still until the next one.
 */
export function standings(
  open: readonly OpenSession[],
  creditedAt: Date | null,
  now: Date,
): ReadonlyMap<number, NotCounting | null> {
  const holder = clockHolder(open, now)
  return new Map(
    open.map((session) => {
      const because = obstacle(session, now)
      if (because !== undefined) return [session.id, because]
      if (session.id !== holder) return [session.id, 'other_stream']
      const countedMillis = Math.max(session.countedAt.getTime(), creditedAt?.getTime() ?? 0)
      const isLate = now.getTime() - countedMillis > heartbeatCreditSecondsMax * 1000
      return [session.id, isLate ? 'late_beat' : null]
    }),
  )
}

/** One reward of a stream as staff entered it. */
export interface RewardRow {
  readonly packTypeId: number | null
  readonly packTypeName: string | null
  readonly packQuantity: number
  readonly redCoinAmount: number
}

/** The two places in which a stream keeps its rewards. */
export interface StreamRewards {
  /** RedCoin of the stream itself. */
  readonly redCoinAmount: number
  /** Packs of the stream itself; they count only while there are no rows. */
  readonly packs: Omit<RewardRow, 'redCoinAmount'>
  readonly rows: readonly RewardRow[]
}

/** What one completion pays, added up. */
export interface WatchPayment {
  /** Everything that is paid, thing by thing. */
  readonly given: readonly RewardRow[]
  readonly redCoinTotal: number
  /** Packs by pack type id, ascending: the order in which holdings are locked. */
  readonly packs: ReadonlyMap<number, number>
}

/**
 * The rewards that a stream shows and pays besides its own RedCoin: its rows, or its own packs as
 * one reward when it has none. A row without a pack type holds no packs, whatever its quantity
 * says.
 */
export function effectiveRewards<Row extends RewardRow>(
  rewards: StreamRewards & { readonly rows: readonly Row[] },
): (Row | RewardRow)[] {
  if (rewards.rows.length > 0) {
    return rewards.rows.map((row) => (row.packTypeId === null ? { ...row, packQuantity: 0 } : row))
  }
  const own = { ...rewards.packs, redCoinAmount: 0 }
  return own.packTypeId === null || own.packQuantity < 1 ? [] : [own]
}

/** Adds up what a completion pays: the stream's RedCoin once, and every effective reward once. */
export function paymentFor(rewards: StreamRewards): WatchPayment {
  const { redCoinAmount } = rewards
  const ownCoins = { packTypeId: null, packTypeName: null, packQuantity: 0, redCoinAmount }
  const given: RewardRow[] = [ownCoins, ...effectiveRewards(rewards)].filter(
    ({ packQuantity, redCoinAmount }) => packQuantity > 0 || redCoinAmount > 0,
  )
  const packs = new Map<number, number>()
  for (const { packTypeId, packQuantity } of given) {
    if (packTypeId === null || packQuantity < 1) continue
    packs.set(packTypeId, (packs.get(packTypeId) ?? 0) + packQuantity)
  }
  return {
    given,
    redCoinTotal: given.reduce((total, { redCoinAmount }) => total + redCoinAmount, 0),
    packs: new Map([...packs].sort(([a], [b]) => a - b)),
  }
}

/** The list lags behind those who come and go, so nobody is judged by it at once. */
const graceMillis = 300_000
const seenMillis = 600_000
/** A list that was not read for so long says nothing about anybody. */
const listMillis = 300_000

export interface Presence {
  readonly mode: 'off' | 'observe' | 'require'
  /** When the list was last read to its end. */
  readonly listReadAt: Date | null
  readonly sessionStartedAt: Date
  readonly seenAt: Date | null
}

/** True unless staff require presence, the list is fresh, and it lacks the viewer for long. */
export function isPresent(presence: Presence, now: Date): boolean {
  const { mode, listReadAt, sessionStartedAt, seenAt } = presence
  const isWithin = (time: Date | null, millis: number) =>
    time !== null && now.getTime() - time.getTime() <= millis
  return (
    mode !== 'require' ||
    !isWithin(listReadAt, listMillis) ||
    isWithin(sessionStartedAt, graceMillis) ||
    isWithin(seenAt, seenMillis)
  )
}

/** @throws DomainError wrong_state for a viewer who is not in the chat where that is required */
export function requirePresence(presence: Presence, now: Date): void {
  if (isPresent(presence, now)) return
  throw new DomainError(
    'wrong_state',
    'You are not in the chat of this stream, so watch time does not count',
  )
}
