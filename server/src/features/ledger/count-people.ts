// Keeps people counted, so that a place in the ranking and totals are read without counting
// anybody: how many there are, what they have, and marks along the ranking. What is read is always
// counted plus changes, so counting moves from one to the other and alters nothing.

import type { Queryable } from '../../adapters/db/database.ts'
import { oneQuery, oneValueQuery, valueQuery, writeQuery } from '../../adapters/db/queries.ts'
import { writersOf } from '../../adapters/db/settled-history.ts'
import type { Deps } from '../../adapters/deps.ts'

interface PeopleCounts {
  /** Changes up to this id are counted, and no other can come. */
  readonly settledId: number
  readonly waitingId: number | null
  /** Transactions that were writing when `waitingId` was the newest id. */
  readonly waitingFor: readonly string[] | null
}

const begin = writeQuery(
  'begin_people_counts',
  `INSERT INTO people_counts (people, red_coin, ranked, edition, settled_id) VALUES (0, 0, 0, 0, 0)
   ON CONFLICT DO NOTHING`,
)
/** Locks the counts against other counters; who changes people does not wait for it. */
const lockCounts = oneQuery<PeopleCounts>(
  'lock_people_counts',
  `SELECT settled_id AS "settledId", waiting_id AS "waitingId",
     waiting_for AS "waitingFor"
   FROM people_counts FOR UPDATE`,
)
/** When everybody was last counted; undefined or null before the first time. */
const lastRecount = valueQuery<{ at: Date | null }>(
  'read_last_recount',
  'SELECT recounted_at AS at FROM people_counts',
)
const newestChange = oneValueQuery<{ id: number }>(
  'read_newest_people_change',
  'SELECT coalesce(max(id), 0)::bigint AS id FROM people_changes',
)
/** Changes that are not counted yet; counts to `most` and no further. */
const changesUpTo = oneValueQuery<{ count: number }, [most: number]>(
  'count_people_changes',
  `SELECT count(*)::int AS count FROM (SELECT FROM people_changes
     WHERE id > (SELECT settled_id FROM people_counts) LIMIT $1) changes`,
)
/**
 * Says what is counted for good, and what is waited for. True of the transaction in which it was
 * counted only.
 */
const settle = writeQuery<[counts: PeopleCounts]>(
  'settle_people_changes',
  `UPDATE people_counts SET settled_id = :settledId, waiting_id = :waitingId,
     waiting_for = :waitingFor::text[]`,
)

// A change and a mark at the same place are peers of the window, so the mark counts it.
/** Counts the changes; answers how many people stand between two marks at most. */
const addChanges = oneValueQuery<{ widestGap: number }>(
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
/**
 * Counts everybody and sets a mark after every `people` of the ranking. Answers whether the counts
 * were right.
 */
const recount = oneValueQuery<{ wasRight: boolean }, [people: number, now: Date]>(
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

/** Fewer changes are read as they are. */
const changesMin = 500
/** From so many on, counting everybody is quicker than counting the changes. */
const changesMax = 50_000
const peoplePerMark = 512
/** New marks are set when so many times as many people stand between two. */
const gapMax = 4
/** Everybody is counted anew after this time, to see that the counts were right. */
const recountMillis = 86_400_000
const statementMillisMax = 60_000

const usual = { changesMin, changesMax, peoplePerMark }

/**
 * Counts what has changed among people since the last time. May be run at any time and by any
 * number of processes: readings before, meanwhile and after it are the same.
 */
export async function countPeople(
  { db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>,
  limits: typeof usual = usual,
): Promise<void> {
  const now = clock.now()
  const waiting = await changesUpTo(db, limits.changesMax)
  const recountedAt = await lastRecount(db)
  const isOld = !recountedAt || now.getTime() - recountedAt.getTime() > recountMillis
  // Looked at first: a lock would be a commit, after which every polled answer is looked at anew.
  if (waiting < limits.changesMin && !isOld) return
  await db.transaction(async (tx) => {
    await tx.allow(statementMillisMax)
    await begin(tx)
    const settling = await nextSettled(tx, await lockCounts(tx))
    const isRecount = isOld || waiting >= limits.changesMax
    if (isRecount) {
      const wasRight = await recount(tx, limits.peoplePerMark, now)
      if (!wasRight) log.error('people were counted wrongly, and were counted anew')
    } else {
      const widestGap = await addChanges(tx)
      if (widestGap > gapMax * limits.peoplePerMark) await recount(tx, limits.peoplePerMark, now)
    }
    await settle(tx, settling)
  })
}

/**
 * Which changes will be settled once those that are visible now are counted. The newest of them is
 * when nobody writes; else it is later, when those who write now have ended.
 */
async function nextSettled(tx: Queryable, counts: PeopleCounts): Promise<PeopleCounts> {
  const { settledId, waitingId, waitingFor } = counts
  const newest = Math.max(settledId, await newestChange(tx))
  const writers = await writersOf(tx, 'people_changes')
  if (writers.length === 0) return { settledId: newest, waitingId: null, waitingFor: null }
  if (waitingFor?.some((mark) => writers.includes(mark))) return counts
  return { settledId: waitingId ?? settledId, waitingId: newest, waitingFor: writers }
}
