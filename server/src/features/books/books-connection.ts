// The connection on which books are checked: settings that long ranges of rows want.

import { type Queryable, statement } from '../../adapters/db/database.ts'

const settings = [
  // A range is known when the query is planned; a plan for any range would look up too much.
  statement('books_plans', 'SET LOCAL plan_cache_mode = force_custom_plan'),
  // A second process is no use beside requests.
  statement('books_one_process', 'SET LOCAL max_parallel_workers_per_gather = 0'),
  statement('books_memory', "SET LOCAL work_mem = '64MB'"),
]

/** Prepares a transaction for checks; the settings end with it. */
export async function prepareForBooks(tx: Queryable): Promise<void> {
  for (const setting of settings) await tx.run(setting, [])
}
