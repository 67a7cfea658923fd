// Books of any size in which every invariant holds: drawn, paid and logged by the product's own
// rules, but written in bulk.

import { createHash, randomUUID } from 'node:crypto'
import { hexOf } from '@redpack/fair/bytes'
import { commitmentOf, rollsOf, tableText, thresholdsOf } from '@redpack/fair/draw'
import { pino } from 'pino'
import { systemClock } from '../server/src/adapters/clock/clock.ts'
import type { Database, Queryable } from '../server/src/adapters/db/database.ts'
import { encryptionWith } from '../server/src/adapters/encryption/encryption.ts'
import { nodeHashing, sha256Hex } from '../server/src/adapters/random/hashing.ts'
import { systemRandom } from '../server/src/adapters/random/random.ts'
import { publicLog } from '../server/src/adapters/transparency-log/public-log.ts'
import { readConfig } from '../server/src/config.ts'
import { appendLogEntries, signCheckpoint } from '../server/src/features/fairness/public-log.ts'
import { type OpenablePrize, openUnderTerms } from '../server/src/rules/opening.ts'
import { seedContext } from '../server/src/shared/sealed-contexts.ts'
import { otherBooks, restartSequences } from './books-others.ts'
import { flushAll, Rows, runAll, type Tables, tablesOf } from './books-rows.ts'

/** What the seeds of these books are sealed with. */
export const booksKey = '5e'.repeat(32)

/** Packs of each request of a user, in turns: 100 packs in 55 requests. */
const requestSizes = [...Array<number>(50).fill(1), ...Array<number>(5).fill(10)]
const openingsEach = requestSizes.reduce((sum, size) => sum + size, 0)
const packsHeld = 1_000
const stockAtStart = 100_000_000
const consolation = 5
const statementMillisMax = 600_000

const prize = (
  prizeId: number,
  name: string,
  winFrequency: number,
  redCoinAmount: number,
  limited: boolean,
): OpenablePrize => ({
  prizeId,
  name,
  winFrequency,
  totalPacks: 100,
  redCoinAmount,
  limited,
  rewardPackTypeId: null,
  rewardPackQuantity: 0,
  description: '',
  claimInstructions: '',
  imageData: null,
  imageType: null,
  imageHash: null,
  isAlsoSent: false,
})

/** A third of the packs wins. */
const prizes: readonly OpenablePrize[] = [
  prize(1, 'Small coins', 15, 20, false),
  prize(2, 'Large coins', 5, 100, false),
  prize(3, 'Sticker', 10, 0, false),
  prize(4, 'Mug', 2, 0, true),
  prize(5, 'Hoodie', 1, 0, true),
]
const thresholds = thresholdsOf(prizes)
const table = tableText({ packTypeId: 1, consolationRedCoin: consolation, entries: prizes })
const tableHash = sha256Hex(table)

/** The seed of a place in the chain of a person. */
const seedAt = (id: number, index: number) =>
  createHash('sha256').update(`books-${id}-${index}`).digest()
const commitmentAt = (id: number, index: number) => commitmentOf(seedAt(id, index), nodeHashing)
const entropy = 'e0'.repeat(32)

interface Holder {
  readonly id: number
  balance: number
  won: number
  index: number
  held: number
}

/** Writes people, seeds, prizes and what they began with; answers the people. */
async function writeBeginning(db: Queryable, count: number, tables: Tables): Promise<Holder[]> {
  await runAll(
    db,
    `
    INSERT INTO pack_types (id, name) VALUES (1, 'Bench');
    INSERT INTO prizes (id, name, win_frequency, total_packs, red_coin_amount, inventory_quantity)
      VALUES ${prizes
        .map(
          (p) =>
            `(${p.prizeId}, '${p.name}', ${p.winFrequency}, 100, ${p.redCoinAmount}, ` +
            `${p.limited ? stockAtStart : 'NULL'})`,
        )
        .join(', ')};
    INSERT INTO prize_pack_types (prize_id, pack_type_id) SELECT id, 1 FROM prizes;
    INSERT INTO odds_tables (id, pack_type_id, table_hash, body)
      VALUES (1, 1, '${tableHash}', '${table}');
    INSERT INTO users (id, twitch_id, username, display_name)
      SELECT n, 'b' || n, 'bench' || n, 'Bench ' || n FROM generate_series(1, ${count}) n;
    INSERT INTO stock_events (kind, ref_id, delta, quantity_after, source_type, source_id)
      SELECT 'prize', id, inventory_quantity, inventory_quantity, 'created', id::text FROM prizes
      WHERE inventory_quantity IS NOT NULL;`,
  )
  const chains = new Rows(db, 'draw_chains', {
    id: 'int',
    user_id: 'int',
    day: 'date',
    first_commitment: 'text',
    index: 'int',
    commitment: 'text',
    sealed_seed: 'jsonb',
    created_at: 'timestamptz',
  })
  const encryption = encryptionWith(booksKey, systemRandom)
  const people: Holder[] = []
  const requestsEach = requestSizes.length
  for (let id = 1; id <= count; id += 1) {
    const sealed = encryption.seal(hexOf(seedAt(id, requestsEach)), seedContext(id, requestsEach))
    const ends = [commitmentAt(id, 0), requestsEach, commitmentAt(id, requestsEach)]
    const now = new Date()
    await chains.add(id, id, now.toISOString().slice(0, 10), ...ends, JSON.stringify(sealed), now)
    await tables.packHistory.add(
      id,
      1,
      packsHeld,
      packsHeld,
      'opening_balance',
      'bench',
      String(id),
    )
    people.push({ id, balance: 0, won: 0, index: 0, held: packsHeld })
  }
  await chains.flush()
  await tables.queue.add('table', '1')
  for (const { prizeId, limited } of prizes) {
    if (limited) await tables.queue.add('stock', String(prizeId - 3))
  }
  return people
}

/** One request of one person, with all that it leaves in the books. */
async function writeRequest(tables: Tables, person: Holder, quantity: number, state: State) {
  const id = randomUUID()
  const { at } = state
  const { id: chainId, index } = person
  const seed = seedAt(chainId, index)
  const rolls = rollsOf({ seed, entropy, tableHash }, quantity, nodeHashing)
  const outcome = openUnderTerms(
    { prizes, thresholds, stock: state.stock, consolationRedCoin: consolation },
    rolls,
  )
  const units = new Map(state.stock)
  const proof = [hexOf(seed), entropy, 'player', commitmentAt(chainId, index + 1)]
  await tables.requests.add(id, chainId, 1, chainId, index, ...proof, 1, quantity, consolation, at)
  for (const [offset, { prize: won, redCoinEarned, winOfStock }] of outcome.packs.entries()) {
    state.openingId += 1
    const left = won && winOfStock !== null ? (units.get(won.prizeId) ?? 0) - winOfStock : null
    await tables.openings.add(
      state.openingId,
      id,
      person.id,
      1,
      won?.prizeId ?? null,
      redCoinEarned,
      offset,
      at,
      left,
    )
    if (won === undefined) continue
    const [{ prizeId, name, redCoinAmount }, { openingId }] = [won, state]
    const claimId = `PR-${openingId.toString(36).toUpperCase().padStart(8, '0')}`
    const status = redCoinAmount > 0 ? 'completed' : 'pending'
    const what = [status, openingId, name, '', redCoinAmount, 0] as const
    await tables.claims.add(person.id, prizeId, claimId, ...what)
    if (redCoinAmount === 0) continue
    person.balance += redCoinAmount
    await tables.ledger.add(
      person.id,
      redCoinAmount,
      'prize_win',
      prizeId,
      openingId,
      person.balance,
      'opening',
      String(openingId),
      at,
    )
  }
  if (outcome.consolationTotal > 0) {
    person.balance += outcome.consolationTotal
    await tables.ledger.add(
      person.id,
      outcome.consolationTotal,
      'pack_consolation',
      null,
      null,
      person.balance,
      'opening_request',
      id,
      at,
    )
  }
  for (const { prizeId, taken } of outcome.stock) {
    const left = (state.stock.get(prizeId) ?? 0) - taken
    state.stock.set(prizeId, left)
    if (taken > 0) await tables.stock.add('prize', prizeId, -taken, left, 'claim', id)
  }
  person.won += outcome.redCoinTotal
  person.index += 1
  person.held -= quantity
  await tables.packHistory.add(person.id, 1, -quantity, person.held, 'open', 'opening_request', id)
  await tables.queue.add('opening', id)
  const route = 'POST /api/packs/open'
  const body = JSON.stringify({ success: true, results: Array(quantity).fill({ won: false }) })
  await tables.keys.add(person.id, route, id, sha256Hex(id), 200, body, at)
}

interface State {
  openingId: number
  at: Date
  readonly stock: Map<number, number>
}

/**
 * Fills a migrated, empty database with about `openings` openings, a hundred a person, and a public
 * log of all of them.
 */
export async function writeBooks(
  db: Database,
  openings: number,
  say: (text: string) => void,
): Promise<void> {
  await db.patient(statementMillisMax, (tx) => writeRows(tx, openings, say))
  await db.script(restartSequences)
  await db.script('ANALYZE')
  say('appending to the public log')
  const config = readConfig({ SANDBOX: 'on', LOG_LEVEL: 'warn' })
  const log = pino({ level: 'warn' })
  await appendLogEntries({ db, log })
  const signed = publicLog({ ...config, logSigningKey: '10'.repeat(32) })
  await signCheckpoint({ db, clock: systemClock, config, publicLog: signed, log })
  await db.script('VACUUM ANALYZE')
}

async function writeRows(
  db: Queryable,
  openings: number,
  say: (text: string) => void,
): Promise<void> {
  // What triggers would write is written here; checks of foreign keys are triggers as well.
  await runAll(db, 'SET LOCAL session_replication_role = replica')
  const tables = tablesOf(db)
  const people = await writeBeginning(db, Math.max(1, Math.round(openings / openingsEach)), tables)
  const state: State = {
    openingId: 0,
    at: new Date(Date.now() - 86_400_000),
    stock: new Map(prizes.flatMap((p) => (p.limited ? [[p.prizeId, stockAtStart]] : []))),
  }
  // In rounds, as on a busy evening: what belongs to one person lies far apart.
  for (const [round, quantity] of requestSizes.entries()) {
    for (const person of people) await writeRequest(tables, person, quantity, state)
    if (round % 10 === 9) say(`${state.openingId} openings written`)
  }
  await flushAll(tables)
  await runAll(db, 'CREATE TABLE bench_people (id int, balance bigint, won bigint, held int)')
  const sums = new Rows(db, 'bench_people', {
    id: 'int',
    balance: 'bigint',
    won: 'bigint',
    held: 'int',
  })
  for (const { id, balance, won, held } of people) await sums.add(id, balance, won, held)
  await sums.flush()
  await runAll(db, otherBooks)
}
