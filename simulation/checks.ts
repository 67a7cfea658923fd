// What must hold at every midnight, after each restore and at the end: the books against their
// invariants, the database against the model, the public log against itself and what it was before.

import { Replay } from '@redpack/fair/replay'
import type { Database } from '../server/src/adapters/db/database.ts'
import { encryptionWith } from '../server/src/adapters/encryption/encryption.ts'
import { drawSeeds } from '../server/src/adapters/random/draw-seeds.ts'
import { nodeHashing } from '../server/src/adapters/random/hashing.ts'
import { systemRandom } from '../server/src/adapters/random/random.ts'
import { verifyBooks } from '../server/src/features/books/verify-books.ts'
import type { Model } from './model.ts'
import { Disagreement } from './story.ts'
import { rowsOf } from './world.ts'

type Told = readonly (readonly [name: string | number, value: unknown])[]
const of = ({ names, of: count }: Model['coins']): Told =>
  names().map((name) => [name, count(name)])

/** How the database tells what the model knows, and how the model does: names and values. */
const known: Readonly<Record<string, readonly [text: string, own: (model: Model) => Told]>> = {
  coins: ['SELECT id AS name, red_coin_balance AS value FROM users', ({ coins }) => of(coins)],
  packs: [
    `SELECT user_id || ' ' || pack_type_id AS name, quantity AS value FROM user_packs`,
    ({ packs }) => of(packs),
  ],
  prizeStock: [
    `SELECT id AS name, inventory_quantity AS value FROM prizes
     WHERE inventory_quantity IS NOT NULL`,
    ({ prizeStock }) => of(prizeStock),
  ],
  listingStock: [
    `SELECT id AS name, quantity_available AS value FROM store_pack_listings
     WHERE NOT is_unlimited`,
    ({ listingStock }) => of(listingStock),
  ],
  completions: [
    'SELECT user_id AS name, count(*)::int AS value FROM watch_completions GROUP BY user_id',
    ({ completions }) => of(completions),
  ],
  claims: [
    `SELECT claim_id AS name, user_id || ' ' || status || ' ' || (deleted_at IS NOT NULL) AS value
     FROM prize_claims`,
    ({ claims }) =>
      claims.all().map((one) => [one.id, `${one.accountId} ${one.status} ${one.isDeleted}`]),
  ],
  roles: [
    'SELECT id AS name, role AS value FROM users WHERE deleted_at IS NULL',
    ({ accounts }) =>
      accounts.all().flatMap(({ id, role, isGone }) => (isGone ? [] : [[id, role] as const])),
  ],
}

/** The database has exactly what the model has: nothing more, nothing less. */
export async function compareWithModel(db: Database, model: Model): Promise<void> {
  for (const [kind, [text, ownOf]] of Object.entries(known)) {
    const rows = await rowsOf<{ name: string; value: unknown }>({ db }, `compare_${kind}`, text)
    const there = new Map(rows.map(({ name, value }) => [String(name), value]))
    const own = new Map(ownOf(model).map(([name, value]) => [String(name), value]))
    for (const name of new Set([...there.keys(), ...own.keys()])) {
      const [found, kept] = [there.get(name) ?? 0, own.get(name) ?? 0]
      if (kept === found) continue
      const what = `the database has ${found} as ${kind} of ${name}, the model ${kept}`
      throw new Disagreement(what, [`account ${name.split(' ')[0]}`])
    }
  }
}

/** Every invariant of the books. Answers how many there are. */
export async function checkBooks(db: Database, key: string): Promise<number> {
  const seeds = drawSeeds(systemRandom, encryptionWith(key, systemRandom))
  const results = await verifyBooks(db, seeds, { statementMillisMax: 600_000 })
  const broken = results.filter(({ brokenRows }) => brokenRows > 0)
  const what = broken.map(({ id, title, rows }) => `${id} ${title} ${JSON.stringify(rows[0])}`)
  if (broken.length > 0) throw new Disagreement(`the books do not hold: ${what.join('; ')}`)
  return results.length
}

/** Reads the public log entry by entry, from where it was read to the last time. */
export async function readOn(replay: Replay, db: Database): Promise<void> {
  const text = 'SELECT index, body FROM log_entries WHERE index >= $1 ORDER BY index'
  const rows = await rowsOf<{ index: number; body: string }>({ db }, 'log', text, replay.size)
  for (const { index, body } of rows) {
    if (index !== replay.size) throw new Disagreement(`the public log lacks entry ${replay.size}`)
    replay.take(body)
  }
  const [fault] = replay.faults
  if (fault) throw new Disagreement(`entry ${fault.index} of the public log ${fault.text}`)
}

export const newReplay = () => new Replay(nodeHashing)

/** Nothing waits for ever: jobs run, and what was left to be told or logged is. */
export async function checkNothingIsStuck(db: Database, now: Date): Promise<void> {
  const stuck = await rowsOf<{ what: string }>(
    { db },
    'stuck',
    `SELECT 'job ' || name AS what FROM jobs
       WHERE last_finished_at < $1::timestamptz - interval '2 days'
     UNION ALL SELECT 'queued for the log: ' || kind FROM log_queue
       WHERE queued_at < $1::timestamptz - interval '3 days'
     UNION ALL SELECT 'announcement' FROM chat_announcements
       WHERE created_at < $1::timestamptz - interval '3 days'
     UNION ALL SELECT 'post ' || id FROM discord_posts WHERE state = 'waiting'
       AND expires_at < $1::timestamptz - interval '3 days'
     UNION ALL SELECT 'idempotency keys of long ago' FROM idempotency_keys
       WHERE created_at < $1::timestamptz - interval '4 days'`,
    now,
  )
  if (stuck.length > 0) throw new Disagreement(`stuck: ${stuck[0]?.what}`)
}
