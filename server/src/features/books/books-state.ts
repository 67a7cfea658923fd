// What is known of the books, for staff, metrics and the alarm: always from the database, so that
// every process and a fresh start say the same.

import type { Deps } from '../../adapters/deps.ts'
import type { BooksFigures } from '../../rules/server-figures.ts'
import {
  type BooksRow,
  booksKnownSince,
  endBooksAlarm,
  readBooksRows,
  takeBooksAlarm,
} from './books-tables.ts'
import { allInvariants } from './invariants.ts'

/** Books that were not checked for so long are an alarm by themselves. */
export const booksAgeMillisMax = 86_400_000

type BooksState = ReturnType<typeof stateOf>

// Their seeds are not asked for a title.
const known = allInvariants({ keyIds: [], open: () => undefined }).map(({ id, title }) => ({
  id,
  title,
}))

/** The books as the last checks left them. */
export async function booksState({ db, clock }: Pick<Deps, 'db' | 'clock'>) {
  const [rows, since] = [await readBooksRows(db), await booksKnownSince(db)]
  return stateOf(rows, since, clock.now())
}

function stateOf(rows: readonly BooksRow[], since: Date, now: Date) {
  const byId = new Map(rows.map((row) => [row.invariant, row]))
  const mine = known.flatMap(({ id }) => byId.get(id) ?? [])
  const invariants = known.map(({ id, title }) => invariantState(id, title, byId.get(id)))
  const broken = invariants.filter(({ brokenRows }) => brokenRows > 0).length
  const isWhole = invariants.every(({ checkedAt }) => checkedAt !== null)
  const checkedAt = isWhole ? earliest(invariants.map((one) => one.checkedAt)) : null
  const age = now.getTime() - (checkedAt ?? since).getTime()
  return {
    /** Invariants that do not hold; null while none is known to be wrong and not all are known. */
    drift: isWhole || broken > 0 ? broken : null,
    /** When the whole was last known: the oldest of the last checks. Null before the first. */
    checkedAt,
    /** Seconds since then; null before. */
    ageSeconds: checkedAt === null ? null : Math.max(0, Math.round(age / 1000)),
    /** When the check under way began; null between two. */
    runningSince: earliest(mine.map(({ startedAt }) => startedAt)),
    /** Not checked for longer than a day, or never within the first day. */
    overdue: age > booksAgeMillisMax,
    /** Since when an invariant cannot be checked at all. */
    failingSince: earliest(mine.map(({ failingSince }) => failingSince)),
    invariants,
  }
}

function invariantState(id: string, title: string, row: BooksRow | undefined) {
  return {
    id,
    title,
    /** Rows that broke it when last checked, already in the check under way, or among new. */
    brokenRows: Math.max(row?.brokenRows ?? 0, row?.brokenSoFar ?? 0, row?.newBrokenRows ?? 0),
    checkedAt: row?.checkedAt ?? null,
    /** Why it cannot be checked. */
    failure: row?.failure ?? null,
  }
}

function earliest(times: readonly (Date | null)[]): Date | null {
  const known = times.filter((time) => time !== null).map((time) => time.getTime())
  return known.length === 0 ? null : new Date(Math.min(...known))
}

const text = (time: Date | null) => time?.toISOString() ?? null

const summary = (state: BooksState) => ({
  drift: state.drift,
  checkedAt: text(state.checkedAt),
  runningSince: text(state.runningSince),
  failingSince: text(state.failingSince),
  isOverdue: state.overdue,
})

/** In short, for the overview. */
export async function booksAnswer(deps: Pick<Deps, 'db' | 'clock'>) {
  return summary(await booksState(deps))
}

/** Invariant by invariant. */
export async function booksDetails(deps: Pick<Deps, 'db' | 'clock'>) {
  const state = await booksState(deps)
  const invariants = state.invariants.map((one) => ({ ...one, checkedAt: text(one.checkedAt) }))
  return { ...summary(state), invariants }
}

/** As metrics and the page Server show them. */
export async function booksFigures(deps: Pick<Deps, 'db' | 'clock'>): Promise<BooksFigures> {
  const { drift, checkedAt, overdue } = await booksState(deps)
  return { broken: drift ?? undefined, checkedAt: checkedAt ?? undefined, isOverdue: overdue }
}

/** May run at any time; of all processes on one database one tells. */
export async function watchBooks({
  db,
  clock,
  log,
}: Pick<Deps, 'db' | 'clock' | 'log'>): Promise<void> {
  const { overdue, checkedAt, failingSince } = await booksState({ db, clock })
  if (overdue && (await takeBooksAlarm(db, clock.now()))) {
    log.error(
      { checkedAt, failingSince },
      'the books were not checked for a day; see docs/operating.md',
    )
  }
  if (!overdue && (await endBooksAlarm(db))) log.info('the books are checked again')
}
