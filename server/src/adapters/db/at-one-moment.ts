// Several statements that see one moment, each planned for the values that it is given.

import { type Database, type Queryable, statement } from './database.ts'

const oneMoment = statement('at_one_moment', 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ')
// The best way depends on the word: one that nobody has is looked up in an index, one that
// everybody has is met soon without.
const planByValues = statement(
  'plan_by_values',
  `SELECT set_config('plan_cache_mode', 'force_custom_plan', true) AS mode`,
)

/** Runs `read`, which must not write, in a transaction of its own. */
export function atOneMoment<Result>(
  db: Pick<Database, 'transaction'>,
  read: (tx: Queryable) => Promise<Result>,
): Promise<Result> {
  return db.transaction(async (tx) => {
    await tx.run(oneMoment, [])
    await tx.run(planByValues, [])
    return read(tx)
  })
}
