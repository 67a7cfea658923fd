// Turns what has happened into messages for those who want them: the one place that does.

import { untilWritersEnd } from '../../adapters/db/settled-history.ts'
import type { Deps } from '../../adapters/deps.ts'
import { channelsOf } from './deliver.ts'
import { type Collecting, collectDue, collectRows, type History, histories } from './news-tables.ts'

/** What is older is no news: the product was switched off, or a channel was set up only now. */
const newsMillis = 24 * 3_600_000
const rowsAtOnce = 10_000
/** Who writes for longer is waited for the next time. */
const patienceMillis = 500

function collecting(deps: Deps): Collecting | undefined {
  const channels = channelsOf(deps)
  const now = deps.clock.now()
  const since = new Date(now.getTime() - newsMillis)
  return channels.length === 0 ? undefined : { channels, now, since }
}

/**
 * Reads on in every history from where it ended the last time. The row of an event is written in
 * the transaction of what it tells of, so what was cut off here is found again the next time.
 */
export async function collectNews(deps: Deps): Promise<void> {
  const how = collecting(deps)
  if (how === undefined) return
  for (const history of histories) await collectFrom(deps, history, how)
}

/** Looks for what the clock has made news, and for what a table holds as it is now. */
export async function collectDueNews(deps: Deps): Promise<void> {
  const how = collecting(deps)
  if (how !== undefined) await collectDue(deps.db, how)
}

async function collectFrom({ db }: Deps, history: History, how: Collecting): Promise<void> {
  const { seen, last } = await history.reach(db)
  if (seen >= last || !(await untilWritersEnd(db, history.table, patienceMillis))) return
  for (let from = seen; from < last; from += rowsAtOnce) {
    const to = Math.min(from + rowsAtOnce, last)
    await db.transaction((tx) => collectRows(tx, history, [from, to], how))
  }
}
