// Keeps people counted, so that a place in the ranking and totals are read without counting
// anybody: how many there are, what they have, and marks along the ranking. What is read is always
// counted plus changes, so counting moves from one to the other and alters nothing.

import { type Queryable, statement } from '../../adapters/db/database.ts'
import { writersOf } from '../../adapters/db/settled-history.ts'
import type { Deps } from '../../adapters/deps.ts'

const lockCounts = statement(
  'lock_people_counts',
  `SELECT settled_id AS "settledId", waiting_id AS "waitingId",
     waiting_for AS "waitingFor"
   FROM people_counts FOR UPDATE`,
)
const readRecount = statement('read_last_recount', 'SELECT recounted_at AS at FROM people_counts')
const newestChange = statement(
  'read_newest_people_change',
  'SELECT coalesce(max(id), 0)::bigint AS id FROM people_changes',
)
const countChanges = statement(
  'count_people_changes',
  `SELECT count(*)::int AS count FROM (SELECT FROM people_changes
     WHERE id > (SELECT settled_id FROM people_counts) LIMIT $1) changes`,
)
const settle = statement(
  'settle_people_changes',
  `UPDATE people_counts SET settled_id = $1, waiting_id = $2, waiting_for = $3::text[]`,
)

// A change and a mark at the same place are peers of the window, so the mark counts it.
const addChanges = statement(
  'add_people_changes',
  `WITH taken AS (
     DELETE FROM people_changes WHERE id > (SELECT settled_id FROM people_counts)
     RETURNING user_id, ranked_before, ranked_after, people, red_coin
   ), line AS (
     SELECT balance, last_id, ranked, 0 AS change FROM ranking_marks
     WHERE edition = (SELECT edition FROM people_counts)
     UNION ALL
     SELECT ranked_before, user_id, NULL, -1 FROM taken
     WHERE ranked_before > 0 AND ranked_before <> ranked_after
     UNION ALL
     SELECT ranked_after, user_id, NULL, 1 FROM taken
     WHERE ranked_after > 0 AND ranked_before <> ranked_after
   ), summed AS MATERIALIZED (
     SELECT balance, last_id, ranked + sum(change) OVER (ORDER BY balance DESC, last_id) AS ranked
     FROM line
   ), written AS (
     INSERT INTO ranking_marks (edition, balance, last_id, ranked)
     SELECT edition + 1, balance, last_id, summed.ranked FROM summed, people_counts
     WHERE summed.ranked IS NOT NULL
   ), gone AS (
     DELETE FROM ranking_marks WHERE edition <= (SELECT edition FROM people_counts)
   ), total AS (
     SELECT coalesce(sum(people), 0) AS people, coalesce(sum(red_coin), 0) AS red_coin,
       coalesce(sum((ranked_after > 0)::int - (ranked_before > 0)::int), 0) AS ranked
     FROM taken
   ), now_counted AS (
     UPDATE people_counts c SET people = c.people + total.people,
       red_coin = c.red_coin + total.red_coin, ranked = c.ranked + total.ranked,
       edition = c.edition + 1
     FROM total RETURNING c.ranked
   )
   SELECT coalesce(max(gap), 0)::int AS "widestGap" FROM (
     SELECT ranked - lag(ranked, 1, 0) OVER (ORDER BY ranked) AS gap FROM (
       SELECT ranked FROM summed WHERE ranked IS NOT NULL
       UNION ALL SELECT ranked FROM now_counted) marks) gaps`,
)

// What the counts said and what is there, of one moment.
const recount = statement(
  'recount_people',
  `WITH taken AS (
     DELETE FROM people_changes WHERE id > (SELECT settled_id FROM people_counts)
     RETURNING people, red_coin, (ranked_after > 0)::int - (ranked_before > 0)::int AS ranked
   ), said AS MATERIALIZED (
     SELECT c.people + coalesce(sum(t.people), 0) AS people,
       c.red_coin + coalesce(sum(t.red_coin), 0) AS red_coin,
       c.ranked + coalesce(sum(t.ranked), 0) AS ranked
     FROM people_counts c LEFT JOIN taken t ON true GROUP BY c.people, c.red_coin, c.ranked
   ), ranking AS MATERIALIZED (
     SELECT red_coin_balance, id, row_number() OVER (ORDER BY red_coin_balance DESC, id) AS place
     FROM users
     WHERE red_coin_balance > 0 AND NOT is_protected AND NOT is_hidden_from_leaderboard
       AND deleted_at IS NULL
   ), written AS (
     INSERT INTO ranking_marks (edition, balance, last_id, ranked)
     SELECT c.edition + 1, r.red_coin_balance, r.id, r.place FROM ranking r, people_counts c
     WHERE r.place % $1 = 0
   ), gone AS (
     DELETE FROM ranking_marks WHERE edition <= (SELECT edition FROM people_counts)
   ), there AS MATERIALIZED (
     SELECT count(*) FILTER (WHERE deleted_at IS NULL) AS people,
       coalesce(sum(red_coin_balance), 0) AS red_coin, (SELECT count(*) FROM ranking) AS ranked
     FROM users
   ), now_counted AS (
     UPDATE people_counts c SET people = there.people, red_coin = there.red_coin,
       ranked = there.ranked, edition = c.edition + 1, recounted_at = $2
     FROM there
   )
   SELECT said.people = there.people AND said.red_coin = there.red_coin
     AND said.ranked = there.ranked AS "wasRight" FROM said, there`,
)
const begin = statement(
  'begin_people_counts',
  `INSERT INTO people_counts (people, red_coin, ranked, edition, settled_id) VALUES (0, 0, 0, 0, 0)
   ON CONFLICT DO NOTHING`,
)

export interface PeopleCounts {
  /** Changes up to this id are counted, and no other can come. */
  readonly settledId: number
  readonly waitingId: number | null
  /** Transactions that were writing when `waitingId` was the newest id. */
  readonly waitingFor: readonly string[] | null
}

/** Locks the counts against other counters; who changes people does not wait for it. */
export async function lockPeopleCounts(tx: Queryable): Promise<PeopleCounts> {
  await tx.run(begin, [])
  const [row] = await tx.run<PeopleCounts>(lockCounts, [])
  if (row === undefined) throw new Error('The counts of people have no row')
  return row
}

/** When everybody was last counted; undefined before the first time. */
export async function lastRecount(db: Queryable): Promise<Date | undefined> {
  return (await db.run<{ at: Date | null }>(readRecount, []))[0]?.at ?? undefined
}

export async function newestPeopleChange(tx: Queryable): Promise<number> {
  return (await tx.run<{ id: number }>(newestChange, []))[0]?.id ?? 0
}

/** Changes that are not counted yet; counts to `most` and no further. */
export async function peopleChangesUpTo(db: Queryable, most: number): Promise<number> {
  return (await db.run<{ count: number }>(countChanges, [most]))[0]?.count ?? 0
}

/**
 * Says that changes up to `settledId` are counted for good, and what is waited for. True of the
 * transaction in which they were counted only.
 */
export async function settlePeopleChanges(
  tx: Queryable,
  settledId: number,
  waiting: { readonly id: number; readonly writers: readonly string[] } | null,
): Promise<void> {
  await tx.run(settle, [settledId, waiting?.id ?? null, waiting?.writers ?? null])
}

/** Counts the changes; answers how many people stand between two marks at most. */
export async function countPeopleChanges(tx: Queryable): Promise<number> {
  return (await tx.run<{ widestGap: number }>(addChanges, []))[0]?.widestGap ?? 0
}

/**
 * Counts everybody and sets a mark after every `people` of the ranking. Answers whether the counts
 * were right.
 */
export async function recountPeople(tx: Queryable, people: number, now: Date): Promise<boolean> {
  return (await tx.run<{ wasRight: boolean }>(recount, [people, now]))[0]?.wasRight ?? false
}

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
