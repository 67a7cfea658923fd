// Marks how far the books go, so that the next look at new rows begins there.

import type { Queryable } from '../../adapters/db/database.ts'
import { untilWritersEnd } from '../../adapters/db/settled-history.ts'
import type { Deps } from '../../adapters/deps.ts'
import type { Walk } from './broken-log.ts'
import {
  beginMarks,
  currentHorizon,
  type Marks,
  type Reach,
  readMarks,
  readReaches,
} from './new-marks.ts'
import { histories, isHistory } from './new-sources.ts'

/** Who writes for longer is waited for the next time; those rows are looked at twice. */
const patienceMillis = 500

/**
 * Marks how far the books go when that was never done. To be called before a check of all books:
 * the first marks end every check that began before them.
 */
export async function initCheckpoints(deps: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  if ((await readMarks(deps.db)) === undefined) await beginAnew(deps, undefined, null)
}

/** Begins anew from here; does nothing while somebody writes for long: the next run tries again. */
export async function beginAnew(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  before: Marks | undefined,
  walk: Walk | null,
): Promise<void> {
  const lookedAt = clock.now()
  const horizon = await currentHorizon(db)
  const reaches = await readReaches(db)
  const settled = await fullyCommitted(db, reaches)
  const ids: Record<string, number> = {}
  for (const { feed, mark } of reaches) if (settled.has(feed)) ids[feed] = mark
  if (Object.keys(ids).length < Object.keys(histories).length) return
  await db.transaction((tx) => beginMarks(tx, before, { ids, horizon, walk, lookedAt }))
}

/** Histories in which no transaction can bring a row any more with an id up to what was reached. */
export async function fullyCommitted(
  db: Queryable,
  reaches: readonly Reach[],
): Promise<Set<string>> {
  const until = performance.now() + patienceMillis
  const settled = new Set<string>()
  for (const { feed } of reaches) {
    if (!isHistory(feed)) continue
    const of = histories[feed]
    const table = 'writtenTo' in of ? of.writtenTo : of.table
    const left = Math.max(0, until - performance.now())
    if (await untilWritersEnd(db, table, left)) settled.add(feed)
  }
  return settled
}
