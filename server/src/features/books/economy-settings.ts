// What staff set and reset: what a losing pack pays, and the pack count, whose openings move to the
// archive, where they can be verified.

import type { Author, Outcome } from '../../adapters/commands/run-command.ts'
import { type Queryable, statement } from '../../adapters/db/database.ts'
import { refuseChangedMeanwhile } from '../../rules/changed-meanwhile.ts'
import { consolationKey, consolationNow } from '../settings/consolation-sql.ts'
import { hideSummedOpenings, holdSumsOfOpenings } from './sum-histories.ts'

export interface EconomySettings {
  readonly consolationRedCoin: number
}

/** `expected` is what the sender saw before. */
interface EconomyChange extends EconomySettings {
  readonly expected?: EconomySettings | undefined
}

const read = statement('read_consolation', `SELECT ${consolationNow} AS value`)
// Made where there is none, so that two who save for the first time wait for each other as well.
const lock = statement(
  'lock_consolation',
  `INSERT INTO app_settings (key, value, created_at, updated_at)
   VALUES ('${consolationKey}', to_jsonb(${consolationNow}), $1, $1)
   ON CONFLICT (key) DO UPDATE SET key = EXCLUDED.key`,
)
const save = statement(
  'save_consolation',
  `UPDATE app_settings SET value = to_jsonb($1::bigint), updated_at = $2
   WHERE key = '${consolationKey}'`,
)
// The consolation is part of every odds table, so another amount starts draws over.
const changeOdds = statement(
  'change_odds_of_all_packs',
  `UPDATE pack_types SET odds_revision = odds_revision + 1
   WHERE id IN (SELECT id FROM pack_types ORDER BY id FOR NO KEY UPDATE)`,
)

/** RedCoin a losing pack pays now. */
export async function currentConsolation(db: Queryable): Promise<number> {
  const rows = await db.run<{ value: number }>(read, [])
  return rows[0]?.value ?? 0
}

/**
 * Sets what losing packs pay from the next opening on; 0 is allowed.
 * @throws DomainError changed_meanwhile
 */
export async function saveConsolation(
  tx: Queryable,
  { now }: Author,
  { expected, ...settings }: EconomyChange,
): Promise<Outcome<EconomySettings>> {
  await tx.run(lock, [now])
  const before = { consolationRedCoin: await currentConsolation(tx) }
  refuseChangedMeanwhile(before, settings, expected)
  await tx.run(save, [settings.consolationRedCoin, now])
  await tx.run(changeOdds, [])
  const target = { targetType: 'settings', targetId: consolationKey }
  return {
    answer: settings,
    audit: { action: 'economy.save', ...target, before, after: settings },
    events: [{ type: 'catalogue_changed', what: 'pack_types' }],
  }
}

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
    events: [{ type: 'everybody_changed' }],
  }
}
