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
import { readConfig } from '../server/src/config/config.ts'
import { appendLogEntries, signCheckpoint } from '../server/src/features/fairness/public-log.ts'
import { type OpenablePrize, openUnderTerms } from '../server/src/rules/opening.ts'
import { seedContext } from '../server/src/shared/sealed-contexts.ts'
import { otherBooks, restartSequences } from './books-others.ts'
import { Rows, runAll } from './books-rows.ts'
import { benchEncryptionKey } from './scene.ts'

/** Packs of each request of a user, in turns: 100 packs in 55 requests. */
const requestSizes = [...Array<number>(50).fill(1), ...Array<number>(5).fill(10)]
const openingsEach = requestSizes.reduce((sum, size) => sum + size, 0)
const packsHeld = 1_000
const stockAtStart = 100_000_000
const consolation = 5
const statementMillisMax = 600_000

const prize = (prizeId: number, name: string, winFrequency: number, redCoinAmount: number) => ({
  prizeId,
  name,
  winFrequency,
  totalPacks: 100,
  redCoinAmount,
  limited: prizeId > 3,
  rewardPackTypeId: null,
  rewardPackQuantity: 0,
  description: '',
  claimInstructions: '',
  imageData: null,
  imageType: null,
  imageHash: null,
  isAlsoSent: false,
  delivery: null,
  deliversCodes: false,
})

/** A third of the packs wins. */
const prizes: readonly OpenablePrize[] = [
  prize(1, 'Small coins', 15, 20),
  prize(2, 'Large coins', 5, 100),
  prize(3, 'Sticker', 10, 0),
  prize(4, 'Mug', 2, 0),
  prize(5, 'Hoodie', 1, 0),
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
async function writeBeginning(db: Queryable, count: number, rows: Rows): Promise<Holder[]> {
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
  const encryption = encryptionWith(benchEncryptionKey, systemRandom)
  const people: Holder[] = []
  const requestsEach = requestSizes.length
  const now = new Date()
  for (let id = 1; id <= count; id += 1) {
    const context = seedContext(id, requestsEach)
    await rows.add('draw_chains', {
      id,
      user_id: id,
      day: now.toISOString().slice(0, 10),
      first_commitment: commitmentAt(id, 0),
      index: requestsEach,
      commitment: commitmentAt(id, requestsEach),
      sealed_seed: encryption.seal(hexOf(seedAt(id, requestsEach)), context),
      created_at: now,
    })
    const history = { delta: packsHeld, quantity_after: packsHeld, type: 'opening_balance' }
    await rows.add('pack_transactions', packMove(id, history, 'bench', String(id)))
    people.push({ id, balance: 0, won: 0, index: 0, held: packsHeld })
  }
  await rows.add('log_queue', { kind: 'table', ref: '1' })
  for (const { prizeId, limited } of prizes) {
    if (limited) await rows.add('log_queue', { kind: 'stock', ref: String(prizeId - 3) })
  }
  return people
}

const packMove = (userId: number, move: object, sourceType: string, sourceId: string) => ({
  user_id: userId,
  pack_type_id: 1,
  ...move,
  source_type: sourceType,
  source_id: sourceId,
})

/** What each request and its packs have in common. */
interface Request {
  readonly id: string
  readonly person: Holder
  readonly at: Date
}

async function pay(
  rows: Rows,
  { person, at }: Request,
  amount: number,
  what: { type: string; prize_id: number | null; pack_opening_id: number | null },
  source: { source_type: string; source_id: string },
): Promise<void> {
  person.balance += amount
  await rows.add('red_coin_transactions', {
    user_id: person.id,
    amount,
    ...what,
    balance_after: person.balance,
    ...source,
    created_at: at,
  })
}

async function writeClaim(
  rows: Rows,
  request: Request,
  { prizeId, name, redCoinAmount }: OpenablePrize,
  openingId: number,
): Promise<void> {
  await rows.add('prize_claims', {
    user_id: request.person.id,
    prize_id: prizeId,
    claim_id: `PR-${openingId.toString(36).toUpperCase().padStart(8, '0')}`,
    status: redCoinAmount > 0 ? 'completed' : 'pending',
    pack_opening_id: openingId,
    created_at: request.at,
    updated_at: request.at,
    prize_name: name,
    prize_description: '',
    red_coin_amount: redCoinAmount,
    pack_quantity: 0,
  })
  if (redCoinAmount === 0) return
  const what = { type: 'prize_win', prize_id: prizeId, pack_opening_id: openingId }
  const source = { source_type: 'opening', source_id: String(openingId) }
  await pay(rows, request, redCoinAmount, what, source)
}

/** One request of one person, with all that it leaves in the books. */
async function writeRequest(rows: Rows, person: Holder, quantity: number, state: State) {
  const id = randomUUID()
  const { at } = state
  const request = { id, person, at }
  const seed = seedAt(person.id, person.index)
  const outcome = openUnderTerms(
    { prizes, thresholds, stock: state.stock, consolationRedCoin: consolation },
    rollsOf({ seed, entropy, tableHash }, quantity, nodeHashing),
  )
  const units = new Map(state.stock)
  await rows.add('opening_requests', {
    id,
    user_id: person.id,
    pack_type_id: 1,
    chain_id: person.id,
    chain_index: person.index,
    server_seed: hexOf(seed),
    entropy,
    entropy_from: 'player',
    next_commitment: commitmentAt(person.id, person.index + 1),
    odds_table_id: 1,
    quantity,
    consolation_red_coin: consolation,
    created_at: at,
  })
  for (const [position, { prize: won, redCoinEarned, winOfStock }] of outcome.packs.entries()) {
    state.openingId += 1
    await rows.add('pack_openings', {
      id: state.openingId,
      request_id: id,
      user_id: person.id,
      pack_type_id: 1,
      prize_id: won?.prizeId ?? null,
      red_coin_earned: redCoinEarned,
      position,
      created_at: at,
      stock_after: won && winOfStock !== null ? (units.get(won.prizeId) ?? 0) - winOfStock : null,
    })
    if (won !== undefined) await writeClaim(rows, request, won, state.openingId)
  }
  if (outcome.consolationTotal > 0) {
    const what = { type: 'pack_consolation', prize_id: null, pack_opening_id: null }
    const source = { source_type: 'opening_request', source_id: id }
    await pay(rows, request, outcome.consolationTotal, what, source)
  }
  person.won += outcome.redCoinTotal
  await writeTaken(rows, request, quantity, outcome.stock, state)
}

/** What a request takes: stock, packs, and the key that it came with. */
async function writeTaken(
  rows: Rows,
  { id, person, at }: Request,
  quantity: number,
  stock: ReturnType<typeof openUnderTerms>['stock'],
  state: State,
) {
  for (const { prizeId, taken } of stock) {
    const left = (state.stock.get(prizeId) ?? 0) - taken
    state.stock.set(prizeId, left)
    const what = { kind: 'prize', ref_id: prizeId, delta: -taken, quantity_after: left }
    if (taken > 0) await rows.add('stock_events', { ...what, source_type: 'claim', source_id: id })
  }
  person.index += 1
  person.held -= quantity
  const history = { delta: -quantity, quantity_after: person.held, type: 'open' }
  await rows.add('pack_transactions', packMove(person.id, history, 'opening_request', id))
  await rows.add('log_queue', { kind: 'opening', ref: id })
  await rows.add('idempotency_keys', {
    user_id: person.id,
    route: 'POST /api/packs/open',
    key: id,
    input_hash: sha256Hex(id),
    status: 200,
    body: JSON.stringify({ success: true, results: Array(quantity).fill({ won: false }) }),
    created_at: at,
  })
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
  await db.longTransaction(statementMillisMax, (tx) => writeRows(tx, openings, say))
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
  const rows = new Rows(db)
  const people = await writeBeginning(db, Math.max(1, Math.round(openings / openingsEach)), rows)
  const state: State = {
    openingId: 0,
    at: new Date(Date.now() - 86_400_000),
    stock: new Map(prizes.flatMap((p) => (p.limited ? [[p.prizeId, stockAtStart]] : []))),
  }
  // In rounds, as on a busy evening: what belongs to one person lies far apart.
  for (const [round, quantity] of requestSizes.entries()) {
    for (const person of people) await writeRequest(rows, person, quantity, state)
    if (round % 10 === 9) say(`${state.openingId} openings written`)
  }
  await runAll(db, 'CREATE TABLE bench_people (id int, balance bigint, won bigint, held int)')
  for (const { id, balance, won, held } of people) {
    await rows.add('bench_people', { id, balance, won, held })
  }
  await rows.flush()
  await runAll(db, otherBooks)
}
