// Turns what the histories say into messages for those who want them: the one place that does.

import { untilWritersEnd } from '../../adapters/db/settled-history.ts'
import type { Deps } from '../../adapters/deps.ts'
import { collectRows, reachOf, type SourceStatements, sources } from './news-tables.ts'

/** What is older is no news: the product was switched off, or mail was set up only now. */
const newsMillis = 24 * 3_600_000
const rowsAtOnce = 10_000
/** Who writes for longer is waited for the next time. */
const patienceMillis = 500

/**
 * Reads on in every history from where it ended the last time. The row of an event is written in
 * the transaction of what it tells of, so what was cut off here is found again the next time.
 */
export async function collectNews(deps: Deps): Promise<void> {
  if (!deps.mailer.isSetUp) return
  for (const source of sources) await collectFrom(deps, source)
}

async function collectFrom({ db, clock }: Deps, source: SourceStatements): Promise<void> {
  const { seen, last } = await reachOf(db, source)
  if (seen >= last || !(await untilWritersEnd(db, source.table, patienceMillis))) return
  const now = clock.now()
  const times = { now, since: new Date(now.getTime() - newsMillis) }
  for (let from = seen; from < last; from += rowsAtOnce) {
    const to = Math.min(from + rowsAtOnce, last)
    await db.transaction((tx) => collectRows(tx, source, [from, to], times))
  }
}
