// What must hold at every midnight, after each restore and at the end: the books against their
// invariants, the database against the model, the public log against itself and what it was before.

import { Replay } from '@redpack/fair/replay'
import type { Database } from '../server/src/adapters/db/database.ts'
import { encryptionWith } from '../server/src/adapters/encryption/encryption.ts'
import { drawSeeds } from '../server/src/adapters/random/draw-seeds.ts'
import { nodeHashing } from '../server/src/adapters/random/hashing.ts'
import { systemRandom } from '../server/src/adapters/random/random.ts'
import { verifyBooks } from '../server/src/features/books/invariants.ts'
import type { Model } from './model.ts'
import { Disagreement } from './story.ts'
import { type Place, rowsOf } from './world.ts'

type Told = Iterable<readonly [name: string | number, value: unknown]>

/** How the database tells what the model knows, and how the model does: names and values. */
const known: Readonly<Record<string, readonly [text: string, own: (model: Model) => Told]>> = {
  RedCoin: ['id, red_coin_balance FROM users', ({ coins }) => coins.values],
  packs: ["user_id || ' ' || pack_type_id, quantity FROM user_packs", ({ packs }) => packs.values],
  'stock of prize': [
    'id, inventory_quantity FROM prizes WHERE inventory_quantity IS NOT NULL',
    ({ prizeStock }) => prizeStock.values,
  ],
  'stock of listing': [
    'id, quantity_available FROM store_pack_listings WHERE NOT is_unlimited',
    ({ listingStock }) => listingStock.values,
  ],
  'price of listing': [
    'id, red_coin_price FROM store_pack_listings',
    ({ listings }) => listings.all().map((one) => [one.id, one.redCoinPrice]),
  ],
  completions: [
    'user_id, count(*)::int FROM watch_completions GROUP BY user_id',
    ({ completions }) => completions.values,
  ],
  claim: [
    "claim_id, concat_ws(' ', user_id, status, deleted_at IS NOT NULL) FROM prize_claims",
    ({ claims }) =>
      claims
        .all()
        .map((one) => [one.id, `${one.accountId} ${one.status} ${letter(one.isDeleted)}`]),
  ],
  shipment: [
    `c.claim_id, concat_ws(' ', s.state, c.contact_info IS NOT NULL, s.tracking_number)
      FROM shipments s JOIN prize_claims c ON c.id = s.id`,
    ({ claims }) =>
      claims.all().flatMap(({ id, state, hasAddress, number }) => {
        const parts = [state, letter(hasAddress), ...(number === undefined ? [] : [number])]
        return state === undefined ? [] : [[id, parts.join(' ')] as const]
      }),
  ],
  'codes of prize': [
    'prize_id, count(*)::int FROM prize_codes WHERE prize_claim_id IS NULL GROUP BY 1',
    ({ codes, prizeStock }) => codes.all().map(({ prizeId: id }) => [id, prizeStock.of(id)]),
  ],
  suspension: [
    `id, (extract(epoch FROM suspended_until) * 1000)::float8 FROM users
      WHERE suspended_until > now()`,
    (model) =>
      present(model).flatMap(({ id, suspendedUntil }) =>
        model.isSuspended(id, Date.now()) ? [[id, suspendedUntil] as const] : [],
      ),
  ],
  role: [
    'id, role FROM users WHERE deleted_at IS NULL',
    (model) => present(model).map(({ id, role }) => [id, role]),
  ],
}
const present = ({ accounts }: Model) => accounts.all().filter(({ isGone }) => !isGone)
/** As PostgreSQL writes it. */
const letter = (isSo: boolean) => (isSo ? 't' : 'f')

/** Where the database has anything else than the model: more, less, or of another value. */
async function differences(db: Database, model: Model) {
  const all: { readonly what: string; readonly held: unknown; readonly expected: unknown }[] = []
  const named = (told: Told) => new Map([...told].map(([name, value]) => [String(name), value]))
  for (const [kind, [text, ownOf]] of Object.entries(known)) {
    const rows = await rowsOf({ db }, `SELECT ${text}`)
    const there = named(rows.map((row) => Object.values(row) as [string, unknown]))
    const own = named(ownOf(model))
    for (const name of new Set([...there.keys(), ...own.keys()])) {
      const [held, expected] = [there.get(name) ?? 0, own.get(name) ?? 0]
      if (held !== expected) all.push({ what: `${kind} ${name}`, held, expected })
    }
  }
  return all
}

/** The database has exactly what the model has: nothing more, nothing less. */
export async function compareWithModel(
  db: Database,
  { model, people }: Pick<Place, 'model' | 'people'>,
): Promise<void> {
  for (const { what, held, expected } of await differences(db, model)) {
    const [kind = '', id = ''] = what.replace(/^RedCoin /, 'balance ').split(' ')
    const owner = model.claims.get(id)?.accountId ?? (/stock|price|codes/.test(kind) ? 0 : +id)
    const names = people.filter(({ accountId }) => accountId === owner).map(({ name }) => name)
    throw new Disagreement(`holds ${held} as ${what}, the model ${expected}`, names)
  }
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
  const found = (await differences(db, model)).find(
    ({ what, held }) => !kind || (what.startsWith(kind) && held === values?.said),
  )
  if (found !== undefined) {
    const answers = kind ? 'answers and holds' : 'holds'
    const sides = `The model expects ${found.expected} as ${found.what}, the product ${answers}`
    return `${sides} ${found.held}, and its books add up: the model is wrong, or the rule of the product.`
  }
  if (kind !== undefined) return `The product contradicts itself: it does not hold ${values?.said}.`
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

/** What the entries were that were read so far. */
const pasts = new WeakMap<Replay, string>()
const past = `SELECT md5(string_agg(md5(body), '' ORDER BY index)) AS sum FROM log_entries
  WHERE index < $1`

/** Reads the public log entry by entry, from where it was read to the last time. */
export async function readOn(replay: Replay, db: Database): Promise<void> {
  const [before] = await rowsOf({ db }, past, replay.size)
  if (before.sum !== (pasts.get(replay) ?? null)) {
    throw new Disagreement('changes what stood in its public log')
  }
  const text = 'SELECT index, body FROM log_entries WHERE index >= $1 ORDER BY index'
  for (const { index, body } of await rowsOf({ db }, text, replay.size)) {
    if (index !== replay.size) throw new Disagreement(`the public log lacks entry ${replay.size}`)
    replay.take(body)
  }
  const [fault] = replay.faults
  if (fault) throw new Disagreement(`entry ${fault.index} of the public log ${fault.text}`)
  pasts.set(replay, (await rowsOf({ db }, past, replay.size))[0].sum)
}

export const newReplay = () => new Replay(nodeHashing)

/** What nothing may wait for longer than so many days. */
const waiting = `SELECT 'job ' || name AS what, CASE WHEN failures_in_row > 8
      AND name !~ '(outbox-send|streams-poll|streams-subscribe|chat-bot|auth-validate)'
    -- A job that asks nobody outside has no reason to fail each time.
    THEN '-infinity' ELSE last_finished_at END AS at, 2 AS days FROM jobs
  UNION ALL SELECT 'queued for the log: ' || kind, queued_at, 3 FROM log_queue
  UNION ALL SELECT 'message: ' || kind, created_at, 3 FROM outbox_messages
    WHERE state = 'waiting'
  UNION ALL SELECT 'shipment without an address', greatest(s.deadline, c.updated_at), 2
    FROM shipments s JOIN prize_claims c ON c.id = s.id AND c.deleted_at IS NULL
    WHERE s.state = 'address_wanted' AND s.deadline IS NOT NULL
  UNION ALL SELECT 'idempotency keys of long ago', created_at, 4 FROM idempotency_keys`

/** Nothing waits for ever: jobs run, and what was left to be told or logged is. */
export async function checkNothingIsStuck(db: Database, now: Date): Promise<void> {
  const text = `SELECT what FROM (${waiting}) AS waiting
    WHERE at < $1::timestamptz - days * interval '1 day'`
  for (const { what } of await rowsOf({ db }, text, now)) throw new Disagreement(`stuck: ${what}`)
}
