// Retires draw chains when seeds of theirs may have been revealed that the database no longer knows
// of.

import { type Queryable, statement } from './database.ts'

// No day that any clock can have: whoever looks next ends them, and tells their seeds.
const retire = statement(
  'retire_chains',
  "UPDATE draw_chains SET day = 'epoch' WHERE ended_at IS NULL AND day > 'epoch'",
)
/** Everybody who has looked or opened on this day may have one. */
const retireMillisMax = 60_000

/** Nothing is drawn any more from the chains that are open now. */
export async function retireChains(tx: Queryable): Promise<void> {
  await tx.allow(retireMillisMax)
  await tx.run(retire, [])
}
