// Keeps people counted, so that a place in the ranking and totals are read without counting
// anybody.

import type { Queryable } from '../../adapters/db/database.ts'
import { writersOf } from '../../adapters/db/settled-history.ts'
import type { Deps } from '../../adapters/deps.ts'
import {
  countPeopleChanges,
  lastRecount,
  lockPeopleCounts,
  newestPeopleChange,
  type PeopleCounts,
  peopleChangesUpTo,
  recountPeople,
  settlePeopleChanges,
} from './people-counts-tables.ts'

/** Fewer changes are read as they are. */
const changesMin = 500
/** From so many on, counting everybody is quicker than counting the changes. */
const changesMax = 50_000
const peoplePerMark = 512
/** People between two marks, from which on new marks are set. */
const gapMax = 4 * peoplePerMark
/** Everybody is counted anew after this time, to see that the counts were right. */
const recountMillis = 86_400_000
const statementMillisMax = 60_000

export interface CountingLimits {
  readonly changesMin: number
  readonly changesMax: number
  readonly peoplePerMark: number
}

const usual: CountingLimits = { changesMin, changesMax, peoplePerMark }

/**
 * Counts what has changed among people since the last time. May be run at any time and by any
 * number of processes: readings before, meanwhile and after it are the same.
 */
export async function countPeople(
  { db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>,
  limits: CountingLimits = usual,
): Promise<void> {
  const now = clock.now()
  const waiting = await peopleChangesUpTo(db, limits.changesMax)
  const recountedAt = await lastRecount(db)
  const isOld = recountedAt === undefined || now.getTime() - recountedAt.getTime() > recountMillis
  // Looked at first: a lock would be a commit, after which every polled answer is looked at anew.
  if (waiting < limits.changesMin && !isOld) return
  await db.transaction(async (tx) => {
    await tx.allow(statementMillisMax)
    const counts = await lockPeopleCounts(tx)
    const settling = await nextSettled(tx, counts)
    const isRecount = isOld || waiting >= limits.changesMax
    if (isRecount) {
      const wasRight = await recountPeople(tx, limits.peoplePerMark, now)
      if (!wasRight) log.error('people were counted wrongly, and were counted anew')
    } else {
      const widestGap = await countPeopleChanges(tx)
      if (widestGap > gapMax) await recountPeople(tx, limits.peoplePerMark, now)
    }
    await settlePeopleChanges(tx, settling.settledId, settling.waiting)
  })
}

/**
 * Which changes will be settled once those that are visible now are counted. The newest of them is
 * when nobody writes; else it is later, when those who write now have ended.
 */
async function nextSettled(tx: Queryable, { settledId, waitingId, waitingFor }: PeopleCounts) {
  const newest = Math.max(settledId, await newestPeopleChange(tx))
  const writers = await writersOf(tx, 'people_changes')
  if (writers.length === 0) return { settledId: newest, waiting: null }
  const isFree = waitingId !== null && !waitingFor?.some((mark) => writers.includes(mark))
  const waiting = { id: newest, writers }
  if (waitingId === null || isFree) return { settledId: waitingId ?? settledId, waiting }
  return { settledId, waiting: { id: waitingId, writers: waitingFor ?? [] } }
}
