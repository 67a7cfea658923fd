// What staff set and reset: what a losing pack pays, and the pack count, whose openings move to the
// archive, where they can be verified.

import type { EconomySettings } from '@redpack/contract'
import { consolationRedCoinDefault } from '@redpack/contract/limits'
import type { Author, Outcome } from '../../adapters/commands/run-command.ts'
import { lockSetting, writeSetting } from '../../adapters/db/app-settings.ts'
import type { Queryable } from '../../adapters/db/database.ts'
import { oneValueQuery, writeQuery } from '../../adapters/db/queries.ts'
import { refuseChangedMeanwhile } from '../../rules/changed-meanwhile.ts'
import { consolationKey, consolationNow } from '../../shared/odds-sql.ts'
import { hideSummedOpenings, holdSumsOfOpenings } from './sum-histories.ts'

// The consolation is part of every odds table, so another amount starts draws over.
const changeOdds = writeQuery(
  'change_odds_of_all_packs',
  `UPDATE pack_types SET odds_revision = odds_revision + 1
   WHERE id IN (SELECT id FROM pack_types ORDER BY id FOR NO KEY UPDATE)`,
)

/** RedCoin a losing pack pays now. */
export const currentConsolation = oneValueQuery<{ value: number }>(
  'read_consolation',
  `SELECT ${consolationNow} AS value`,
)

/**
 * Sets what losing packs pay from the next opening on; 0 is allowed. `expected` is what the sender
 * saw before.
 * @throws DomainError changed_meanwhile
 */
export async function saveConsolation(
  tx: Queryable,
  { now }: Author,
  { expected, ...settings }: EconomySettings & { expected?: EconomySettings | undefined },
): Promise<Outcome<EconomySettings>> {
  await lockSetting(tx, consolationKey, String(consolationRedCoinDefault), now)
  const before = { consolationRedCoin: await currentConsolation(tx) }
  refuseChangedMeanwhile(before, settings, expected)
  await writeSetting(tx, consolationKey, String(settings.consolationRedCoin), now)
  await changeOdds(tx)
  const target = { targetType: 'settings', targetId: consolationKey }
  return {
    answer: settings,
    audit: { action: 'economy.save', ...target, before, after: settings },
    events: [{ type: 'catalogue_changed', what: 'pack_types' }],
  }
}

// The newest openings, which are in no sum yet, take their new place with them.
const archive = oneValueQuery<{ count: number }, [now: Date]>(
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
  const count = await archive(tx, now)
  await hideSummedOpenings(tx)
  const target = { targetType: 'pack_openings', targetId: null }
  return {
    answer: count,
    audit: { action: 'openings.reset', ...target, after: { archived: count } },
    events: [{ type: 'everybody_changed' }],
  }
}
