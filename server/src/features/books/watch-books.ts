// Tells the operator once when the books were not checked for a day: an alarm that cannot ring is
// one by itself.

import type { Deps } from '../../adapters/deps.ts'
import { booksState } from './books-state.ts'
import { endBooksAlarm, takeBooksAlarm } from './books-tables.ts'

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
