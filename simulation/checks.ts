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
  RedCoin: ['SELECT id AS name, red_coin_balance AS value FROM users', ({ coins }) => of(coins)],
  packs: [
    `SELECT user_id || ' ' || pack_type_id AS name, quantity AS value FROM user_packs`,
    ({ packs }) => of(packs),
  ],
  'stock of prize': [
    `SELECT id AS name, inventory_quantity AS value FROM prizes
     WHERE inventory_quantity IS NOT NULL`,
    ({ prizeStock }) => of(prizeStock),
  ],
  'stock of listing': [
    `SELECT id AS name, quantity_available AS value FROM store_pack_listings
     WHERE NOT is_unlimited`,
    ({ listingStock }) => of(listingStock),
  ],
  'price of listing': [
    'SELECT id AS name, red_coin_price AS value FROM store_pack_listings',
    ({ listings }) => listings.all().map((one) => [one.id, one.redCoinPrice]),
  ],
  completions: [
    'SELECT user_id AS name, count(*)::int AS value FROM watch_completions GROUP BY user_id',
    ({ completions }) => of(completions),
  ],
  claim: [
    `SELECT claim_id AS name, user_id || ' ' || status || ' ' || (deleted_at IS NOT NULL) AS value
     FROM prize_claims`,
    ({ claims }) =>
      claims.all().map((one) => [one.id, `${one.accountId} ${one.status} ${one.isDeleted}`]),
  ],
  role: [
    'SELECT id AS name, role AS value FROM users WHERE deleted_at IS NULL',
    ({ accounts }) =>
      accounts.all().flatMap(({ id, role, isGone }) => (isGone ? [] : [[id, role] as const])),
  ],
}

/** Where the database has anything else than the model: more, less, or of another value. */
async function differences(db: Database, model: Model) {
  const all: { readonly what: string; readonly held: unknown; readonly expected: unknown }[] = []
  for (const [kind, [text, ownOf]] of Object.entries(known)) {
    const rows = await rowsOf<{ name: string; value: unknown }>(
      { db },
      `compare_${kind.replaceAll(' ', '_')}`,
      text,
    )
    const there = new Map(rows.map(({ name, value }) => [String(name), value]))
    const own = new Map(ownOf(model).map(([name, value]) => [String(name), value]))
    for (const name of new Set([...there.keys(), ...own.keys()])) {
      const [held, expected] = [there.get(name) ?? 0, own.get(name) ?? 0]
      if (held !== expected) all.push({ what: `${kind} ${name}`, held, expected })
    }
  }
  return all
}

/** The database has exactly what the model has: nothing more, nothing less. */
export async function compareWithModel(db: Database, model: Model): Promise<void> {
  const [first] = await differences(db, model)
  if (first === undefined) return
  const { what, held, expected } = first
  throw new Disagreement(`holds ${held} as ${what}, the model ${expected}`)
}

/**
 * Which side of a disagreement is wrong, as far as a second witness can tell: the books, which
 * follow every value through its journal, and what the database holds.
 */
export async function verdictOf(
  { values }: Disagreement,
  db: Database,
  model: Model,
  key: string,
): Promise<string> {
  const broken = await checkBooks(db, key).catch((error: Disagreement) => error.message)
  if (typeof broken === 'string') return `The product contradicts itself: ${broken}.`
  const kind = Object.keys(known).find((one) => values?.what.startsWith(one))
  const { said } = kind && values ? values : {}
  const found = await differences(db, model)
  const other = found.find(({ what, held }) => !kind || (what.startsWith(kind) && held === said))
  if (other !== undefined) {
    const { what, held, expected } = other
    const answers = kind ? 'answers and holds' : 'holds'
    const sides = `The model expects ${expected} as ${what}, the product ${answers} ${held}`
    return `${sides}, and its books add up: the model is wrong, or the rule of the product.`
  }
  if (kind !== undefined) return `The product contradicts itself: it does not hold ${said}.`
  return 'The product holds what the model has: they differ in the rule of this act alone.'
}

/** Every invariant of the books. Answers how many there are. */
export async function checkBooks(db: Database, key: string): Promise<number> {
  const seeds = drawSeeds(systemRandom, encryptionWith(key, systemRandom))
  const results = await verifyBooks(db, seeds, { statementMillisMax: 600_000 })
  const broken = results.filter(({ brokenRows }) => brokenRows > 0)
  const what = broken.map(({ id, title, rows }) => `${id} ${title} ${JSON.stringify(rows[0])}`)
  if (broken.length > 0) throw new Disagreement(`breaks its books: ${what.join('; ')}`)
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
