// What must hold at every midnight, after each crash and at the end: the books against their
// invariants, the database against the model, the public log against itself and what it was before.

import { Replay } from '@redpack/fair/replay'
import type { Database } from '../server/src/adapters/db/database.ts'
import { statement } from '../server/src/adapters/db/database.ts'
import { encryptionWith } from '../server/src/adapters/encryption/encryption.ts'
import { drawSeeds } from '../server/src/adapters/random/draw-seeds.ts'
import { nodeHashing } from '../server/src/adapters/random/hashing.ts'
import { systemRandom } from '../server/src/adapters/random/random.ts'
import { allInvariants } from '../server/src/features/books/invariants.ts'
import { verifyBooks } from '../server/src/features/books/verify-books.ts'
import { Disagreement } from './disagreement.ts'
import type { Kinds, Model } from './model.ts'
import type { World } from './world.ts'

const rowsOf = <Row>(db: Database, name: string, text: string, values: unknown[] = []) =>
  db.run<Row>(statement(`simulation_${name}`, text), values)

/** How the database tells what the model counts, as names and numbers. */
const counted: Readonly<Partial<Record<keyof Kinds, string>>> = {
  coins: 'SELECT id::text AS name, red_coin_balance AS value FROM users',
  packs: `SELECT user_id || ' ' || pack_type_id AS name, quantity AS value FROM user_packs`,
  prizeStock: `SELECT id::text AS name, inventory_quantity AS value FROM prizes
    WHERE inventory_quantity IS NOT NULL`,
  listingStock: `SELECT id::text AS name, quantity_available AS value FROM store_pack_listings
    WHERE NOT is_unlimited`,
  completions: `SELECT user_id::text AS name, count(*)::int AS value FROM watch_completions
    GROUP BY user_id`,
}

/** The database has exactly what the model has: nothing more, nothing less. */
export async function compareWithModel(db: Database, model: Model): Promise<void> {
  for (const [kind, text] of Object.entries(counted)) {
    const rows = await rowsOf<{ name: string; value: number }>(db, `compare_${kind}`, text)
    const there = new Map(rows.map(({ name, value }) => [name, value]))
    for (const name of new Set([...there.keys(), ...model.names(kind as keyof Kinds)])) {
      const known = model.count(kind as 'coins', name)
      const found = there.get(name) ?? 0
      if (known !== found) {
        const what = `the database has ${found} as ${kind} of ${name}, the model ${known}`
        throw new Disagreement('product', what, peopleOf(model, kind, name))
      }
    }
  }
  await compareClaims(db, model)
  await compareRoles(db, model)
}

function peopleOf(model: Model, kind: string, name: string): string[] {
  if (kind.endsWith('Stock')) return []
  const account = model.get('account', name.split(' ')[0] ?? '')
  return account === undefined ? [] : [`@${account.twitchId}`]
}

async function compareClaims(db: Database, model: Model): Promise<void> {
  const rows = await rowsOf<{ id: string; status: string; isDeleted: boolean; userId: number }>(
    db,
    'compare_claims',
    `SELECT claim_id AS id, status, deleted_at IS NOT NULL AS "isDeleted", user_id AS "userId"
     FROM prize_claims`,
  )
  const missing = model.names('claim').length - rows.length
  if (missing !== 0) throw new Disagreement('product', `${missing} claims are missing`, [])
  for (const { id, status, isDeleted, userId } of rows) {
    const claim = model.get('claim', id)
    const isSame = claim?.status === status && claim.isDeleted === isDeleted
    if (isSame && claim.accountId === userId) continue
    const what = `claim ${id} is ${status}${isDeleted ? ' and deleted' : ''}; the model has it as `
    throw new Disagreement(
      'product',
      what + JSON.stringify(claim),
      peopleOf(model, '', `${userId}`),
    )
  }
}

async function compareRoles(db: Database, model: Model): Promise<void> {
  const rows = await rowsOf<{ id: number; role: string; isGone: boolean }>(
    db,
    'compare_roles',
    `SELECT id, role, deleted_at IS NOT NULL AS "isGone" FROM users`,
  )
  for (const { id, role, isGone } of rows) {
    const account = model.get('account', id)
    if (account === undefined || isGone || account.role === role) continue
    throw new Disagreement('product', `user ${id} is ${role}, not ${account.role}`, [])
  }
}

export const simulationKey = '5e'.repeat(32)

/** Every invariant of the books. Answers how many there are. */
export async function checkBooks(db: Database, key = simulationKey): Promise<number> {
  const encryption = encryptionWith(key, systemRandom)
  const seeds = drawSeeds(systemRandom, encryption)
  const results = await verifyBooks(db, seeds, { statementMillisMax: 600_000 })
  const broken = results.filter(({ brokenRows }) => brokenRows > 0)
  if (broken.length > 0) {
    const what = broken.map(({ id, title, rows }) => `${id} ${title} ${JSON.stringify(rows[0])}`)
    throw new Disagreement('product', `the books do not hold: ${what.join('; ')}`, [])
  }
  return allInvariants(seeds).length
}

/** Reads the public log entry by entry, from where it was read to the last time. */
export class LogReader {
  readonly replay = new Replay(nodeHashing)

  /** @throws Disagreement for an entry that does not follow from those before */
  async readOn(db: Database): Promise<number> {
    const rows = await rowsOf<{ index: number; body: string }>(
      db,
      'log_entries',
      'SELECT index, body FROM log_entries WHERE index >= $1 ORDER BY index',
      [this.replay.size],
    )
    for (const { index, body } of rows) {
      if (index !== this.replay.size) {
        throw new Disagreement('product', `the public log lacks entry ${this.replay.size}`, [])
      }
      this.replay.take(body)
    }
    const [fault] = this.replay.faults
    if (fault !== undefined) {
      throw new Disagreement('product', `entry ${fault.index} of the log ${fault.text}`, [])
    }
    return this.replay.size
  }
}

/** Nothing waits for ever: jobs run, and what was left to be told or logged is. */
export async function checkNothingIsStuck(world: World): Promise<void> {
  const { db, clock } = world
  const now = clock.now()
  const stuck = await rowsOf<{ what: string }>(
    db,
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
    [now],
  )
  if (stuck.length > 0) throw new Disagreement('product', `stuck: ${stuck[0]?.what}`, [])
}
