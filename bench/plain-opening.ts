// What the product is compared with: an opening written the ordinary way, one statement per step.

import type { FastifyInstance } from 'fastify'
import { type Queryable, statement } from '../server/src/adapters/db/database.ts'
import type { Deps } from '../server/src/adapters/deps.ts'
import { fairRolls, sha256Hex } from '../server/src/adapters/random/rolls.ts'
import { serverSeeds } from '../server/src/adapters/random/server-seeds.ts'
import { claimIdBytes, claimIdFrom } from '../server/src/rules/claim-id.ts'
import { isSealedText } from '../server/src/rules/contact-info.ts'
import { entryAt } from '../server/src/rules/draw.ts'
import { oddsThresholds } from '../server/src/rules/odds.ts'

const findSession = statement(
  'plain_session',
  'SELECT user_id AS "userId" FROM sessions WHERE token_hash = $1',
)
const lockUser = statement(
  'plain_user',
  `SELECT red_coin_balance AS balance FROM users
   WHERE id = $1 FOR UPDATE`,
)
const lockHolding = statement(
  'plain_holding',
  'SELECT quantity FROM user_packs WHERE user_id = $1 AND pack_type_id = $2 FOR UPDATE',
)
const lockPair = statement(
  'plain_pair',
  `SELECT id, server_seed AS "serverSeed", sealed_server_seed AS "sealedServerSeed",
     client_seed AS "clientSeed", nonce
   FROM seed_pairs WHERE user_id = $1 AND status = 'active' FOR UPDATE`,
)
const readTable = statement(
  'plain_table',
  `SELECT p.id, p.id AS "prizeId", p.name, p.win_frequency AS "winFrequency",
     p.total_packs AS "totalPacks", p.red_coin_amount AS "redCoinAmount",
     p.pack_quantity AS "packQuantity", p.image_hash AS "imageHash",
     p.inventory_quantity AS "inventoryQuantity", p.is_active AS "isActive"
   FROM prizes p JOIN prize_pack_types t ON t.prize_id = p.id
   WHERE t.pack_type_id = $1 ORDER BY p.id`,
)
const readHash = statement(
  'plain_odds',
  'SELECT table_hash AS "tableHash" FROM odds_tables WHERE pack_type_id = $1',
)
const addRequest = statement(
  'plain_request',
  `INSERT INTO opening_requests (id, user_id, pack_type_id, seed_pair_id, odds_table_id,
     first_nonce, quantity, consolation_red_coin, created_at)
   VALUES (:requestId, :userId, :packTypeId, :pairId, 1, :nonce, :quantity, 5, :now)`,
)
const addOpening = statement(
  'plain_opening',
  `INSERT INTO pack_openings (request_id, user_id, pack_type_id, prize_id, red_coin_earned, nonce,
     created_at)
   VALUES (:requestId, :userId, :packTypeId, :prizeId, :earned, :nonce, :now) RETURNING id`,
)
const addCoins = statement(
  'plain_coins',
  `INSERT INTO red_coin_transactions (user_id, amount, type, prize_id, pack_opening_id,
     balance_after, source_type, source_id, created_at)
   VALUES (:userId, :earned, :type, :prizeId, :openingId, :balance, 'opening',
     :openingId::bigint::text, :now)`,
)
const addClaim = statement(
  'plain_claim',
  `INSERT INTO prize_claims (user_id, prize_id, claim_id, status, pack_opening_id, prize_name,
     red_coin_amount, pack_quantity, image_hash)
   VALUES (:userId, :prizeId, :claimId, :status, :openingId, :name, :redCoinAmount,
     :packQuantity, :imageHash)`,
)
const takeStock = statement(
  'plain_stock',
  'UPDATE prizes SET inventory_quantity = inventory_quantity - 1 WHERE id = $1',
)
const addStockEvent = statement(
  'plain_stock_event',
  `INSERT INTO stock_events (kind, ref_id, delta, source_type, source_id, created_at)
   VALUES ('prize', $1, -1, 'claim', $2, $3)`,
)
const takePacks = statement(
  'plain_packs',
  `UPDATE user_packs SET quantity = quantity - $3 WHERE user_id = $1 AND pack_type_id = $2`,
)
const addPackChange = statement(
  'plain_pack_change',
  `INSERT INTO pack_transactions (user_id, pack_type_id, delta, quantity_after, type, source_type,
     source_id, created_at)
   VALUES ($1, $2, -$3::int, $4, 'open', 'opening_request', $5, $6)`,
)
const moveNonce = statement(
  'plain_nonce',
  "UPDATE seed_pairs SET nonce = $2 WHERE user_id = $1 AND status = 'active'",
)
const writeBalance = statement(
  'plain_balance',
  'UPDATE users SET red_coin_balance = $2 WHERE id = $1',
)

interface Pair {
  readonly id: number
  readonly serverSeed: string | null
  readonly sealedServerSeed: unknown
  readonly clientSeed: string | null
  readonly nonce: number
}

interface Entry {
  readonly id: number
  readonly prizeId: number
  readonly name: string
  readonly winFrequency: number
  readonly totalPacks: number
  readonly redCoinAmount: number
  readonly packQuantity: number
  readonly imageHash: string | null
  readonly inventoryQuantity: number | null
  readonly isActive: boolean
}

/** Mounts `POST /bench/plain-open`, which does what `/api/packs/open` does in the ordinary way. */
export function registerPlainOpening(app: FastifyInstance, deps: Deps): void {
  app.post('/bench/plain-open', { config: { access: 'public' } }, async (request) => {
    const token = request.cookies['sid'] ?? ''
    const { packTypeId, quantity } = request.body as { packTypeId: number; quantity: number }
    return deps.db.transaction((tx) => openPlainly(deps, tx, token, packTypeId, quantity))
  })
}

async function openPlainly(
  deps: Deps,
  tx: Queryable,
  token: string,
  packTypeId: number,
  quantity: number,
) {
  const now = deps.clock.now()
  const [session] = await tx.run<{ userId: number }>(findSession, [sha256Hex(token)])
  const userId = session?.userId ?? 0
  const [user] = await tx.run<{ balance: number }>(lockUser, [userId])
  const [holding] = await tx.run<{ quantity: number }>(lockHolding, [userId, packTypeId])
  const [pair] = await tx.run<Pair>(lockPair, [userId])
  if (user === undefined || holding === undefined || pair === undefined) throw new Error('no scene')
  const entries = await tx.run<Entry>(readTable, [packTypeId])
  const thresholds = oddsThresholds(entries)
  const { sealedServerSeed } = pair
  const serverSeed = serverSeeds(deps.random, deps.encryption).open({
    id: pair.id,
    serverSeed: pair.serverSeed,
    sealedServerSeed: isSealedText(sealedServerSeed) ? sealedServerSeed : null,
  })
  const [odds] = await tx.run<{ tableHash: string }>(readHash, [packTypeId])
  const seeds = { scheme: 2, serverSeed, clientSeed: pair.clientSeed ?? '' } as const
  const rolls = fairRolls(seeds, odds?.tableHash ?? '', pair.nonce, quantity)
  const requestId = deps.random.uuid()
  const { nonce } = pair
  const request = { requestId, userId, packTypeId }
  await tx.run(addRequest, { ...request, pairId: pair.id, nonce, quantity, now })
  const step = { tx, ...request, now, balance: user.balance }
  const results = []
  for (const [offset, roll] of rolls.entries()) {
    const entry = entries[entryAt(thresholds, roll) ?? -1]
    results.push(await openOne(deps, step, nonce + offset, entry))
  }
  await tx.run(takePacks, [userId, packTypeId, quantity])
  const left = holding.quantity - quantity
  await tx.run(addPackChange, [userId, packTypeId, quantity, left, requestId, now])
  await tx.run(moveNonce, [userId, nonce + quantity])
  await tx.run(writeBalance, [userId, step.balance])
  return { results, updatedBalance: step.balance }
}

interface Step {
  readonly tx: Queryable
  readonly userId: number
  readonly packTypeId: number
  readonly requestId: string
  readonly now: Date
  balance: number
}

async function openOne(deps: Deps, step: Step, nonce: number, entry: Entry | undefined) {
  const { tx, userId, packTypeId, requestId, now } = step
  const earned = entry === undefined ? 5 : entry.redCoinAmount
  const prizeId = entry?.id ?? null
  const draw = { requestId, userId, packTypeId, prizeId, earned, nonce, now }
  const [opening] = await tx.run<{ id: number }>(addOpening, draw)
  const openingId = opening?.id ?? 0
  if (earned > 0) {
    step.balance += earned
    const type = entry === undefined ? 'pack_consolation' : 'prize_win'
    const { balance } = step
    await tx.run(addCoins, { userId, earned, type, prizeId, openingId, balance, now })
  }
  if (entry === undefined) return { won: false, redCoinEarned: earned }
  const claimId = claimIdFrom(deps.random.bytes(claimIdBytes))
  const { name, redCoinAmount, packQuantity, imageHash } = entry
  const prize = { prizeId: entry.id, name, redCoinAmount, packQuantity, imageHash }
  const status = earned > 0 ? 'completed' : 'pending'
  await tx.run(addClaim, { userId, claimId, status, openingId, ...prize })
  if (entry.inventoryQuantity !== null) {
    await tx.run(takeStock, [entry.id])
    await tx.run(addStockEvent, [entry.id, `${requestId}-${nonce}`, now])
  }
  return { won: true, prizeId: entry.id, claimId, redCoinEarned: earned }
}
