// The state of the books as staff are answered.

import type { Deps } from '../../adapters/deps.ts'
import type { BooksFigures } from '../../rules/server-figures.ts'
import { type BooksState, booksState } from './books-state.ts'

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
  const invariants = state.invariants.map(({ id, title, brokenRows, checkedAt, failure }) => ({
    id,
    title,
    brokenRows,
    checkedAt: text(checkedAt),
    failure,
  }))
  return { ...summary(state), invariants }
}

/** As metrics and the page Server show them. */
export async function booksFigures(deps: Pick<Deps, 'db' | 'clock'>): Promise<BooksFigures> {
  const { drift, checkedAt, overdue } = await booksState(deps)
  return { broken: drift ?? undefined, checkedAt: checkedAt ?? undefined, isOverdue: overdue }
}
