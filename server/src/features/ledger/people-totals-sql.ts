// How many people there are and what they have, as expressions for statements that read it: what
// was counted, and what has changed since.

const changed = (column: string) =>
  `(SELECT coalesce(sum(c.${column}), 0) FROM people_changes c
    WHERE c.id > coalesce((SELECT settled_id FROM people_counts), 0))`
const total = (column: string) =>
  `(coalesce((SELECT ${column} FROM people_counts), 0) + ${changed(column)})`

/** People who have not left. */
export const peopleTotal = total('people')
/** RedCoin of everybody together. */
export const redCoinTotal = total('red_coin')
