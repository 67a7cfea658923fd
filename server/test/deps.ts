// Dependencies for tests: a real database, a clock that is moved by hand, loaded dice, and verbs.

import { createHash } from 'node:crypto'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished } from 'vitest'
import { type MovableClock, movableClock } from '../src/adapters/clock/clock.ts'
import { type Database, type Queryable, statement } from '../src/adapters/db/database.ts'
import type { Deps } from '../src/adapters/deps.ts'
import { encryptionWith } from '../src/adapters/encryption/encryption.ts'
import { localEvents } from '../src/adapters/events/events.ts'
import { openLog } from '../src/adapters/log/log.ts'
import { openOutside } from '../src/adapters/outside.ts'
import { type DrawSeeds, drawSeeds } from '../src/adapters/random/draw-seeds.ts'
import { type LoadedRandom, loadedRandom } from '../src/adapters/random/random.ts'
import { publicLog } from '../src/adapters/transparency-log/public-log.ts'
import { buildApp } from '../src/app.ts'
import { type Config, readConfig } from '../src/config/config.ts'
import { runInvariants } from '../src/features/books/invariants.ts'
import { changeBalance, changeHolding, setStock } from '../src/features/ledger/ledger-tables.ts'
import type { Role } from '../src/rules/roles.ts'
import { seededRandom } from './seeded-random.ts'
import {
  emptyDatabase,
  emptyEmbeddedDatabase,
  emptyTestDatabase,
  postgresTestDatabase,
} from './test-database.ts'

export { emptyDatabase }

export interface TestDeps {
  readonly deps: Deps
  readonly app: FastifyInstance
  readonly db: Database
  readonly clock: MovableClock
  readonly dice: LoadedRandom
  /** Opens the seeds of chains that have not ended. */
  readonly seeds: DrawSeeds
  /** Rows of any SQL, for looking into the database and for setting a scene. */
  rows<Row = Record<string, unknown>>(sql: string, values?: unknown[]): Promise<Row[]>
  /** Adds a row with these values by column, and answers its id where it has one. */
  insert(table: string, row: Readonly<Record<string, unknown>>): Promise<number>
  /** What stands in the first column of each row. */
  column<Value = unknown>(sql: string, values?: unknown[]): Promise<Value[]>
  /** The first column of the first row. */
  value<Value = unknown>(sql: string, values?: unknown[]): Promise<Value>
  /** Runs SQL past every trigger that would refuse or tell it, as who owns the database can. */
  plant(sql: string): Promise<void>
  /** The invariants of the books that do not hold. */
  brokenBooks(): Promise<string[]>
  expectTrueBooks(): Promise<void>
  /** Somebody who is not signed in. */
  readonly visitor: Calls
  /** Stores a PNG picture of these bytes, whatever they are, and answers its hash. */
  image(base64: string): Promise<string>
  /** A signed-in person. Coins and packs arrive with their history, so the books stay true. */
  person(name: string, start?: Start): Promise<Person>
  packType(name: string, more?: { color?: string; icon?: string }): Promise<number>
  prize(name: string, more: PrizeStart): Promise<number>
  /** An offer of the store; without a stock it never runs out. */
  listing(packTypeId: number, more?: ListingStart): Promise<number>
  close(): Promise<void>
}

export interface Start {
  readonly role?: Role
  readonly coins?: number
  /** Quantity by pack type id. */
  readonly packs?: Readonly<Record<number, number>>
}

export interface PrizeStart {
  readonly packTypeIds: readonly number[]
  readonly winFrequency?: number
  readonly totalPacks?: number
  readonly redCoinAmount?: number
  readonly stock?: number
  readonly rewardPackTypeId?: number
  readonly rewardPackQuantity?: number
  readonly isAlsoSent?: boolean
  readonly claimInstructions?: string
}

export interface Person extends Calls {
  readonly id: number
  readonly name: string
  readonly cookie: string
}

export interface ListingStart {
  readonly price?: number
  readonly stock?: number
  readonly isActive?: boolean
  readonly sortOrder?: number
}

/** What somebody asks the product for. */
export interface Calls {
  get(url: string, headers?: Record<string, string>): Promise<LightMyRequestResponse>
  /** What a GET answers, parsed. */
  // biome-ignore lint/suspicious/noExplicitAny: each test says by what it expects what it reads
  read<Answer = any>(url: string): Promise<Answer>
  /** Opens packs of one type. */
  open(
    packTypeId: number,
    quantity?: number,
    headers?: Record<string, string>,
  ): Promise<LightMyRequestResponse>
  send(
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<LightMyRequestResponse>
}

/** Status and sentence of an answer, as in '404 User not found'. */
export async function told(call: Promise<LightMyRequestResponse>): Promise<string> {
  const answer = await call
  return `${answer.statusCode} ${answer.json().message}`
}

/** Status and error code of an answer, as in '409 wrong_state'. */
export async function coded(call: Promise<LightMyRequestResponse>): Promise<string> {
  const answer = await call
  return `${answer.statusCode} ${answer.json().code}`
}

export const testConfig = (environment: Record<string, string> = {}): Config =>
  readConfig({ SANDBOX: 'open', RATE_LIMITS: 'off', LOG_LEVEL: 'silent', ...environment })

/** Moves the clock to the midnight, in UTC, with which the next day begins. */
export function nextDay(clock: MovableClock): void {
  const dayMillis = 86_400_000
  clock.advance((dayMillis - (clock.now().getTime() % dayMillis)) / 1000)
}

export const plant = (db: Database, sql: string): Promise<void> =>
  db.script(`SET session_replication_role = replica; ${sql}; SET session_replication_role = origin`)

/** Builds the application over `db` with test clock and dice. */
export async function createTestDeps(
  db: Database,
  environment: Record<string, string> = {},
  /** Where the log goes; nothing is written at the level of other tests. */
  logStream?: { write(line: string): void },
): Promise<TestDeps> {
  // What it moves on is the time of the test, which stands still.
  const clock = movableClock()
  const chance = seededRandom()
  const dice = loadedRandom(chance)
  const config = testConfig(environment)
  const log = openLog(config, logStream)
  const events = localEvents((error) => log.error({ err: error }, 'a listener failed'))
  const encryption = encryptionWith(config.encryptionKey ?? '5e'.repeat(32), chance)
  const signed = publicLog({ ...config, logSigningKey: config.logSigningKey ?? '10'.repeat(32) })
  const deps: Deps = {
    config,
    db,
    clock,
    random: dice,
    encryption,
    events,
    ...openOutside(config, clock),
    publicLog: signed,
    log,
  }
  const app = await buildApp(deps)
  await app.ready()
  const rows = <Row>(sql: string, values: unknown[] = []) =>
    db.run<Row>(
      statement(`test_${createHash('sha1').update(sql).digest('hex').slice(0, 20)}`, sql),
      values,
    )
  const seeds = drawSeeds(dice, encryption)
  const insert = insertInto(rows)
  const column = async <Value>(sql: string, values?: unknown[]) =>
    (await rows<Record<string, Value>>(sql, values)).map((row) => Object.values(row)[0] as Value)
  const brokenBooks = async () => brokenInvariants(db, seeds)
  return {
    deps,
    app,
    db,
    clock,
    dice,
    seeds,
    rows,
    insert,
    column,
    value: async <Value>(sql: string, values?: unknown[]) =>
      (await column<Value>(sql, values))[0] as Value,
    plant: (sql) => plant(db, sql),
    brokenBooks,
    expectTrueBooks: async () => expect(await brokenBooks()).toEqual([]),
    visitor: callsOf(app, {}),
    person: (name, start = {}) => addPerson(insert, app, deps, name, start),
    image: (base64) => addImage(rows, base64),
    packType: (name, { color = '#8B5CF6', icon = 'package' } = {}) =>
      insert('pack_types', { name, color, icon }),
    prize: (name, more) => addPrize(insert, deps, name, more),
    listing: (packTypeId, more = {}) => addListing(insert, deps, packTypeId, more),
    async close() {
      await app.close()
      await events.close()
      await db.close()
    },
  }
}

/** Another process on the same database, with settings of its own, closed when the test is over. */
export async function anotherProcess(
  t: TestDeps,
  environment: Record<string, string> = {},
  logStream?: { write(line: string): void },
): Promise<TestDeps> {
  const other = await createTestDeps(t.db, environment, logStream)
  onTestFinished(() => other.app.close())
  return other
}

type Rows = TestDeps['rows']
type Insert = TestDeps['insert']

export const insertInto =
  (rows: Rows): TestDeps['insert'] =>
  async (table, row) => {
    const names = Object.keys(row)
    const places = names.map((_, index) => `$${index + 1}`)
    const sql = `INSERT INTO ${table} (${names}) VALUES (${places}) RETURNING *`
    const [added] = await rows<{ id: number }>(sql, Object.values(row))
    return added!.id
  }

async function addImage(rows: Rows, base64: string): Promise<string> {
  const [image] = await rows<{ hash: string }>(
    `INSERT INTO images (hash, type, bytes)
     VALUES (encode(sha256(decode($1, 'base64')), 'hex'), 'image/png', decode($1, 'base64'))
     ON CONFLICT (hash) DO UPDATE SET type = images.type RETURNING hash`,
    [base64],
  )
  return image!.hash
}

async function addPrize(
  insert: Insert,
  deps: Deps,
  name: string,
  more: PrizeStart,
): Promise<number> {
  const id = await insert('prizes', {
    name,
    description: `About ${name}`,
    claim_instructions: more.claimInstructions ?? 'Write to us',
    win_frequency: more.winFrequency ?? 1,
    total_packs: more.totalPacks ?? 100,
    red_coin_amount: more.redCoinAmount ?? 0,
    pack_type_id: more.rewardPackTypeId ?? null,
    pack_quantity: more.rewardPackQuantity ?? 0,
    is_also_sent: more.isAlsoSent ?? false,
  })
  if (more.stock !== undefined) {
    const source = { type: 'created', id: String(id) } as const
    const { stock: quantity } = more
    await setStock(deps.db, { kind: 'prize', id, quantity, source, now: deps.clock.now() })
  }
  for (const packTypeId of more.packTypeIds) {
    await insert('prize_pack_types', { prize_id: id, pack_type_id: packTypeId })
  }
  return id
}

async function addListing(
  insert: Insert,
  deps: Deps,
  packTypeId: number,
  { price = 50, stock: quantity, isActive = true, sortOrder = 0 }: ListingStart,
): Promise<number> {
  const id = await insert('store_pack_listings', {
    pack_type_id: packTypeId,
    red_coin_price: price,
    is_unlimited: quantity === undefined,
    is_active: isActive,
    sort_order: sortOrder,
  })
  if (quantity !== undefined && quantity > 0) {
    const source = { type: 'created', id: String(id) } as const
    await setStock(deps.db, { kind: 'listing', id, quantity, source, now: deps.clock.now() })
  }
  return id
}

async function addPerson(
  insert: Insert,
  app: FastifyInstance,
  deps: Deps,
  name: string,
  start: Start,
): Promise<Person> {
  const { coins = 0, role = 'user' } = start
  const names = { twitch_id: `twitch-${name}`, username: name, display_name: name }
  const id = await insert('users', { ...names, role })
  const given = {
    userId: id,
    type: 'opening_balance',
    description: '',
    sourceType: 'opening_balance',
    sourceId: String(id),
    now: deps.clock.now(),
  } as const
  if (coins > 0) await changeBalance(deps.db, { ...given, amount: coins })
  for (const [packTypeId, delta] of Object.entries(start.packs ?? {})) {
    await changeHolding(deps.db, { ...given, packTypeId: Number(packTypeId), delta })
  }
  const cookie = await openSession(insert, deps, id, role)
  return personWith(app, id, name, cookie)
}

async function openSession(
  insert: Insert,
  deps: Deps,
  userId: number,
  role: Role,
): Promise<string> {
  const token = deps.random.bytes(32).toString('base64url')
  const now = deps.clock.now()
  await insert('sessions', {
    token_hash: createHash('sha256').update(token).digest('hex'),
    user_id: userId,
    kind: role === 'user' ? 'player' : 'staff',
    created_at: now,
    last_seen_at: now,
    expires_at: new Date(now.getTime() + (role === 'user' ? 48 : 10) * 3600 * 1000),
  })
  return `sid=${token}`
}

function personWith(app: FastifyInstance, id: number, name: string, cookie: string): Person {
  return { id, name, cookie, ...callsOf(app, { cookie }) }
}

function callsOf(app: FastifyInstance, own: Record<string, string>): Calls {
  const get: Calls['get'] = (url, headers = {}) =>
    app.inject({ method: 'GET', url, headers: { ...own, ...headers } })
  const send: Calls['send'] = (method, url, body, headers = {}) => {
    const request: InjectOptions = { method, url, headers: { ...own, ...headers } }
    if (body !== undefined) request.payload = body as NonNullable<InjectOptions['payload']>
    return app.inject(request)
  }
  return {
    get,
    send,
    read: async (url) => (await get(url)).json(),
    open: (packTypeId, quantity = 1, headers) =>
      send('POST', '/api/packs/open', { packTypeId, quantity }, headers),
  }
}

/**
 * One set of dependencies for a test file: made before its tests, emptied before each. Read the
 * fields of the answered object inside tests only.
 */
export const useTestDeps = (environment: Record<string, string> = {}): TestDeps =>
  useDeps(() => openTestDeps(emptyTestDatabase, environment))

/** The same for what the embedded database does otherwise, or for its clock: that of the test. */
export const useEmbeddedDeps = (environment: Record<string, string> = {}): TestDeps =>
  useDeps(() => openTestDeps(emptyEmbeddedDatabase, environment))

async function openTestDeps(
  database: () => Promise<Database>,
  environment: Record<string, string>,
) {
  const t = await createTestDeps(await database(), environment)
  return { t, close: t.close }
}

/** The same on a database of its own on PostgreSQL, reached by so many connections at a time. */
export const usePostgresDeps = (
  connections: number,
  environment: Record<string, string> = {},
): TestDeps =>
  useDeps(async () => {
    const { db, drop } = await postgresTestDatabase(connections)
    const t = await createTestDeps(db, environment)
    return { t, close: () => t.app.close().then(drop) }
  })

function useDeps(open: () => Promise<{ t: TestDeps; close: () => Promise<void> }>): TestDeps {
  const held: { current?: Awaited<ReturnType<typeof open>> } = {}
  beforeAll(async () => {
    held.current = await open()
  }, 60_000)
  beforeEach(async () => {
    if (held.current !== undefined) await emptyDatabase(held.current.t.db)
  })
  afterAll(() => held.current?.close())
  return new Proxy({} as TestDeps, {
    get: (_target, key) => held.current?.t[key as keyof TestDeps],
  })
}

/** Ids of the invariants that do not hold. */
export async function brokenInvariants(db: Queryable, seeds: DrawSeeds): Promise<string[]> {
  const results = await runInvariants(db, seeds)
  return results.filter(({ rows }) => rows.length > 0).map(({ id }) => id)
}
