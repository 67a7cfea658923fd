// Histories as they are summed up, as parts of statements that read them: the sums as far as they
// go, and the rows after that one by one. One statement sees both at one moment.

export type History = 'ledger' | 'openings' | 'claims' | 'audit'

/** Up to which id a history is in its sums; 0 where nothing is. */
export const summedUpTo = (history: History): string =>
  `coalesce((SELECT summed_id FROM history_sums WHERE name = '${history}'), 0)`

/**
 * Rows that are in no sum yet. The second bound leaves nothing out: with two bounds that it does
 * not know the planner expects a few rows, with one a third of the table.
 */
export const afterSums = (history: History, alias = ''): string =>
  `${alias}id > ${summedUpTo(history)} AND ${alias}id < 9223372036854775807`
const within = (history: History): string => `id <= ${summedUpTo(history)}`

export const kept = (history: History, column: 'rows' | 'paid'): string =>
  `coalesce((SELECT ${column} FROM history_sums WHERE name = '${history}'), 0)`

/** How many rows a history has, which stand in `table`. */
export const rowsOf = (history: History, table: string): string =>
  `(${kept(history, 'rows')} + (SELECT count(*) FROM ${table} WHERE ${afterSums(history)}))`

/** The first full hour from `time`, an expression, on. */
const wholeFrom = (time: string): string =>
  `date_trunc('hour', ${time} + interval '59 minutes 59.999999 seconds', 'UTC')`

/** Packs opened since the last reset of the statistics, from `time`, an expression, on. */
export const shownSince = (time: string): string =>
  `((SELECT coalesce(sum(shown), 0) FROM opening_hours WHERE hour >= ${wholeFrom(time)})
    + (SELECT count(*) FROM pack_openings
       WHERE ${afterSums('openings')} AND created_at >= ${time})
    + (SELECT count(*) FROM pack_openings WHERE ${within('openings')}
       AND created_at >= ${time} AND created_at < ${wholeFrom(time)}))`

/** Rows of pack type and number: packs opened from `time` on, whatever was reset. */
export const openedByPackType = (time: string): string =>
  `SELECT pack_type_id, sum(opened) AS opened FROM (
     SELECT pack_type_id, opened FROM opening_hours WHERE hour >= ${wholeFrom(time)}
     UNION ALL
     SELECT pack_type_id, 1 FROM all_pack_openings
     WHERE ${afterSums('openings')} AND created_at >= ${time}
     UNION ALL
     SELECT pack_type_id, 1 FROM all_pack_openings WHERE ${within('openings')}
       AND created_at >= ${time} AND created_at < ${wholeFrom(time)}
   ) parts GROUP BY pack_type_id`

/** Rows of prize and number: what openings won from `time` on. */
export const wonByPrize = (time: string): string =>
  `SELECT prize_id, sum(won) AS won FROM (
     SELECT prize_id, won FROM claim_hours WHERE hour >= ${wholeFrom(time)}
     UNION ALL
     SELECT prize_id, 1 FROM prize_claims
     WHERE ${afterSums('claims')} AND created_at >= ${time} AND pack_opening_id IS NOT NULL
     UNION ALL
     SELECT prize_id, 1 FROM prize_claims WHERE ${within('claims')} AND created_at >= ${time}
       AND created_at < ${wholeFrom(time)} AND pack_opening_id IS NOT NULL
   ) parts GROUP BY prize_id`

/**
 * Rows of day of UTC, new people, packs opened since the last reset of the statistics, and claims
 * made and not deleted, from `first`, the beginning of such a day, on.
 */
export const dayCounts = (first: string): string =>
  `SELECT (at AT TIME ZONE 'UTC')::date AS day, sum(people) AS people, sum(packs) AS packs,
     sum(claims) AS claims
   FROM (
     SELECT created_at AS at, 1 AS people, 0 AS packs, 0 AS claims FROM people_search
     WHERE NOT has_left AND created_at >= ${first}
     UNION ALL
     SELECT hour, 0, shown, 0 FROM opening_hours WHERE hour >= ${first}
     UNION ALL
     SELECT created_at, 0, 1, 0 FROM pack_openings
     WHERE ${afterSums('openings')} AND created_at >= ${first}
     UNION ALL
     SELECT hour, 0, 0, claims FROM claim_hours WHERE hour >= ${first}
     UNION ALL
     SELECT created_at, 0, 0, 1 FROM prize_claims
     WHERE ${afterSums('claims')} AND created_at >= ${first}
     UNION ALL
     SELECT created_at, 0, 0, -1 FROM prize_claims
     WHERE deleted_at IS NOT NULL AND created_at >= ${first}
   ) parts GROUP BY 1`

/** Rows of day, type, whether it was given, and amount, of days of UTC from `first` to `last`. */
export const ledgerDays = (first: string, last: string): string =>
  `SELECT day, type, is_source, sum(amount) AS amount FROM (
     SELECT day, type, is_source, amount FROM ledger_days WHERE day BETWEEN ${first} AND ${last}
     UNION ALL
     SELECT (created_at AT TIME ZONE 'UTC')::date, type, amount > 0, abs(amount)
     FROM red_coin_transactions WHERE ${afterSums('ledger')}
       AND (created_at AT TIME ZONE 'UTC')::date BETWEEN ${first} AND ${last}
   ) parts GROUP BY day, type, is_source`

const madeIn = { pending: 'NOT', completed: '' } as const

/** Claims in a state, deleted ones apart from the states they were in. */
export function claimsInState(state: 'pending' | 'processing' | 'completed' | 'deleted'): string {
  const changed = ['claim_states', 'claim_state_changes']
    .map((table) => `(SELECT coalesce(sum(difference), 0) FROM ${table} WHERE state = '${state}')`)
    .join(' + ')
  if (state !== 'pending' && state !== 'completed') return `(${changed})`
  const paid = kept('claims', 'paid')
  const summed = state === 'completed' ? paid : `${kept('claims', 'rows')} - ${paid}`
  return `(${summed} + (SELECT count(*) FROM prize_claims
    WHERE ${afterSums('claims')} AND ${madeIn[state]} (red_coin_amount > 0)) + ${changed})`
}
