// What reading costs with a million people: one's own place while balances change, pages, searches
// and figures for staff. BENCH_USERS and BENCH_OPENINGS set the size, a tenth of a million by
// default.

import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type Database, type Queryable, statement } from '../server/src/adapters/db/database.ts'
import { withTemporaryDatabase } from '../server/src/adapters/db/open.ts'
import { openPostgres } from '../server/src/adapters/db/postgres.ts'
import { auditPage } from '../server/src/features/audit/views.ts'
import { stockForStaff } from '../server/src/features/books/economy-views.ts'
import { flowForStaff, staffCounters } from '../server/src/features/books/overview-views.ts'
import { sumHistories } from '../server/src/features/books/sum-histories.ts'
import { claimsPage } from '../server/src/features/claims/admin-views.ts'
import { applyCourierFile } from '../server/src/features/claims/change-shipments.ts'
import { shipmentsPage } from '../server/src/features/claims/shipment-views.ts'
import { countPeople } from '../server/src/features/ledger/count-people.ts'
import { ownRank } from '../server/src/features/ledger/views.ts'
import { usersPageJson } from '../server/src/features/people/users-views.ts'
import { atShare, median } from './load.ts'
import { writeMillion } from './million-scene.ts'
import { endBenchmark, writeResults } from './results.ts'
import { migrateScene, serverUrl } from './scene.ts'

const users = Number(process.env['BENCH_USERS'] ?? 100_000)
const openings = Number(process.env['BENCH_OPENINGS'] ?? users * 3)
const seconds = Number(process.env['BENCH_SECONDS'] ?? 10)
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5)
const changesPerSecond = 500
/** Counting everybody above must cost so many times as much, or the place is not worth its keep. */
const timesCheaperMin = 5

const changeBalances = statement(
  'bench_change_balances',
  `UPDATE users SET red_coin_balance = greatest(0, red_coin_balance + c.amount)
   FROM unnest($1::int[], $2::int[]) AS c (id, amount) WHERE users.id = c.id`,
)
const countAbove = statement(
  'bench_count_above',
  `SELECT (SELECT count(*)::int + 1 FROM users u
     WHERE u.red_coin_balance >= me.red_coin_balance AND NOT u.is_protected
       AND NOT u.is_hidden_from_leaderboard AND u.deleted_at IS NULL
       AND (u.red_coin_balance > me.red_coin_balance OR u.id < me.id)) AS place
   FROM users me WHERE me.id = $1`,
)
const packedClaims = statement(
  'bench_packed_claims',
  `SELECT c.claim_id AS "claimId" FROM shipments s
   JOIN prize_claims c ON c.id = s.id AND c.deleted_at IS NULL
   WHERE s.state = 'packed' LIMIT 200`,
)
const anybody = () => 1 + Math.floor(Math.random() * users)
const at = (millis: readonly number[], share: number) => Number(atShare(millis, share).toFixed(2))
/** Counts everybody anew, or what has changed since. */
const count = (db: Database) =>
  countPeople({ db, clock: { now: () => new Date() }, log: console } as never)

async function millisOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/**
 * Changes balances 500 times a second, in groups of five as an evening does, and keeps them
 * counted.
 */
async function changeUntil(db: Database, isOn: () => boolean): Promise<number> {
  const started = performance.now()
  let changed = 0
  const countAgain = async () => {
    for (; isOn(); await pause(5_000)) await count(db)
  }
  const change = async () => {
    while (isOn()) {
      const ids = [...new Set(Array.from({ length: 5 }, anybody))].sort((a, b) => a - b)
      await db.run(changeBalances, [ids, ids.map(() => Math.floor(Math.random() * 41) - 15)])
      changed += ids.length
      const due = started + (changed / changesPerSecond) * 1_000
      if (due > performance.now()) await pause(due - performance.now())
    }
  }
  const counting = countAgain()
  await change()
  const rate = changed / ((performance.now() - started) / 1_000)
  await counting
  return Math.round(rate)
}

async function ranks(db: Database) {
  const until = performance.now() + seconds * 1_000
  let isOn = true
  const changing = changeUntil(db, () => isOn)
  const millis: number[] = []
  const naive: number[] = []
  while (performance.now() < until) {
    for (let times = 0; times < 50; times += 1) {
      millis.push(await millisOf(() => ownRank(db, anybody())))
    }
    naive.push(await millisOf(() => db.run(countAbove, [anybody()])))
  }
  isOn = false
  const changes = await changing
  const wrong = await db.transaction((tx) => wrongPlaces(tx))
  return {
    changesPerSecond: changes,
    reads: millis.length,
    p50Millis: at(millis, 0.5),
    p99Millis: at(millis, 0.99),
    countingMillis: Number(median(naive).toFixed(1)),
    timesCheaper: Number((median(naive) / at(millis, 0.5)).toFixed(1)),
    wrong,
  }
}

/** Places that differ from counting everybody above. */
async function wrongPlaces(tx: Queryable): Promise<number> {
  let wrong = 0
  for (let times = 0; times < 100; times += 1) {
    const id = anybody()
    const { rank } = await ownRank(tx, id)
    const [row] = await tx.run<{ place: number }>(countAbove, [id])
    if (rank !== null && rank !== row?.place) wrong += 1
  }
  return wrong
}

function staffReads(db: Database): Readonly<Record<string, () => Promise<unknown>>> {
  const page = { isPaged: true, search: '', page: 1, limit: 50 } as const
  const people = (query: object) => () =>
    usersPageJson(db, { ...page, sort: 'username', only: 'all', ...query }, new Date(0))
  const claims = (query: object) => () =>
    claimsPage(
      db,
      { ...page, status: 'all', sort: '-createdAt', contact: 'with', ...query },
      () => undefined,
    )
  const shipping = (query: object) => () => {
    const whole = { ...page, state: 'all', handler: 'all', overdue: false, ...query } as const
    return shipmentsPage(db, whole, { actorId: 1, now: new Date() })
  }
  const actions = { sort: '-createdAt', action: '', targetType: '', targetId: '' } as const
  const audit = (query: object) => () => auditPage(db, { ...page, ...actions, ...query })
  const middle = Math.round(users / 100)
  const nobody = { search: 'zzqqzz' }
  const somebody = { search: 'kalomiren' }
  return {
    'users, first page': people({}),
    'users by balance, middle page': people({ sort: '-redCoinBalance', page: middle }),
    'users by name, middle page': people({ page: middle }),
    'users, search without a hit': people(nobody),
    'users, search with few hits': people(somebody),
    'users, search that finds everybody': people({ search: 'example' }),
    'claims, first page': claims({}),
    'claims, middle page': claims({ page: Math.round((openings * 0.12) / 50) }),
    'claims, search without a hit': claims(nobody),
    'claims, search by winner': claims(somebody),
    'shipping, needs packing': shipping({ state: 'ready' }),
    'shipping, overdue': shipping({ overdue: true }),
    'shipping, search by winner': shipping(somebody),
    'audit, first page': audit({}),
    'audit, middle page': audit({ page: middle }),
    'audit, search without a hit': audit(nobody),
    'audit, search by person': audit(somebody),
    overview: () => staffCounters(db, new Date()),
    'economy flow of 90 days': () => flowForStaff(db, 90, new Date()),
    'stock forecast': () => stockForStaff(db, new Date()),
  }
}

/** Sends 200 packed claims by one courier's file; how long it took, in milliseconds. */
async function sendByFile(db: Database): Promise<number> {
  const packed = await db.run<{ claimId: string }>(packedClaims, [])
  const rows = packed.map(({ claimId }, at) => {
    return { row: at + 2, claimId, courier: 'DHL', trackingNumber: `N${at}` }
  })
  const by = { actorId: 1, requestId: randomUUID(), now: new Date() }
  const apply = () => db.transaction((tx) => applyCourierFile(tx, by, rows, randomUUID()))
  return Number((await millisOf(apply)).toFixed(1))
}

async function measure(db: Database) {
  await writeMillion(db, { users, openings, audits: users }, (text) => console.log(`  ${text}`))
  const counting = await millisOf(() => count(db))
  // Each run ends by itself after half a minute.
  let summing = 0
  for (let took = Number.POSITIVE_INFINITY; took > 5_000; summing += took) {
    took = await millisOf(() => sumHistories({ db }))
  }
  await db.script('VACUUM ANALYZE')
  const rank = await ranks(db)
  console.log(rank)
  const reads: Record<string, number> = {}
  for (const [name, read] of Object.entries(staffReads(db))) {
    const millis: number[] = []
    for (let round = 0; round < rounds; round += 1) millis.push(await millisOf(read))
    reads[name] = Number(median(millis).toFixed(1))
    console.log(`  ${name}: ${reads[name]} ms`)
  }
  const sendingMillis = await sendByFile(db)
  console.log(`  200 claims sent by a file: ${sendingMillis} ms`)
  const [countingMillis, summingMillis] = [Math.round(counting), Math.round(summing)]
  return { countingMillis, summingMillis, rank, reads, sendingMillis }
}

const figures = await withTemporaryDatabase(serverUrl, 'redpack_bench', async (url) => {
  const db = openPostgres({ url, connectionsMax: 4, onError: () => undefined })
  try {
    await migrateScene(db)
    return await measure(db)
  } finally {
    await db.close()
  }
})
await writeResults(
  'million',
  { users, openings, ...figures },
  { 'own rank, counted to read': figures.rank.timesCheaper },
)
if (figures.rank.wrong > 0) throw new Error(`${figures.rank.wrong} places of 100 were wrong`)
if (figures.rank.timesCheaper < timesCheaperMin) {
  throw new Error(`A place costs only ${figures.rank.timesCheaper} times less than counting`)
}
endBenchmark()
