// The reset of the pack count: every opening so far moves to the archive, where it can be verified.

import type { Author, Outcome } from '../../adapters/commands/run-command.ts'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import { hideSummedOpenings, holdSumsOfOpenings } from './history-sums-tables.ts'

// The newest openings, which are in no sum yet, take their new place with them.
const archive = statement(
  'archive_openings',
  `WITH moved AS (
    DELETE FROM pack_openings
    RETURNING id, request_id, user_id, pack_type_id, prize_id, sold_out_prize_id, red_coin_earned,
      position, created_at, stock_after
  ), kept AS (
    INSERT INTO pack_openings_archive (id, request_id, user_id, pack_type_id, prize_id,
      sold_out_prize_id, red_coin_earned, position, created_at, stock_after, archived_at)
    SELECT moved.*, $1 FROM moved
  )
  SELECT count(*)::int AS count FROM moved`,
)
const statementMillisMax = 120_000

/** Claims, balances and packs stay as they are. Answers how many openings were hidden. */
export async function resetOpenings(tx: Queryable, { now }: Author): Promise<Outcome<number>> {
  await tx.allow(statementMillisMax)
  await holdSumsOfOpenings(tx)
  const rows = await tx.run<{ count: number }>(archive, [now])
  await hideSummedOpenings(tx)
  const count = rows[0]?.count ?? 0
  const target = { targetType: 'pack_openings', targetId: null }
  return {
    answer: count,
    audit: { action: 'openings.reset', ...target, after: { archived: count } },
  }
}
