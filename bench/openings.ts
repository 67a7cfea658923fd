// Openings per second: the product over HTTP, pgbench with the statement that wrote them one by
// one, and a server written the ordinary way.

import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { positional } from '../server/src/adapters/db/database.ts'
import { median, runLoad } from './load.ts'
import { endBenchmark, isShort, ofRounds, toSlowWay, writeResults } from './results.ts'
import { logged, prepareScene, randomOpenings, type Scene, usersCount } from './scene.ts'
import { startOrdinaryServer, startServer } from './server-process.ts'
import { singleOpeningText } from './single-opening.ts'

const seconds = Number(process.env['BENCH_SECONDS'] ?? 5)
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3)

/** A server that opens packs over HTTP. */
interface Way {
  readonly name: string
  readonly scene: Scene
  readonly port: number
}

/** pgbench of the newest PostgreSQL on this machine. */
function findPgbench(): string {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : []
  return versions.map((version) => `${root}/${version}/bin/pgbench`).find(existsSync) ?? 'pgbench'
}

/** Openings of random users; what failed opened nothing. */
async function overHttp(way: Way, quantity: number, connections: number) {
  const { name, scene, port } = way
  const next = randomOpenings(usersCount, scene.packTypeId, quantity)
  const result = await runLoad({ port, connections, seconds, next })
  if (result.succeededPerSecond < result.requestsPerSecond) {
    console.log(`  not 200 from ${name}: ${JSON.stringify(result.others)}`)
  }
  return result
}

const array = (type: string) => (values: readonly unknown[]) =>
  `ARRAY[${values.map((value) => value ?? 'NULL').join(',')}]::${type}[]`
const ints = array('int')
const amounts = array('bigint')
const texts = array('text')

const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0)
const amountIn = ({ amount }: { readonly amount: number }) => amount

/** Which win of the limited prize each pack is, null for all others. */
function winsOfMug(won: readonly (number | null)[]): (number | null)[] {
  return won.map((id, offset) =>
    id === 4 ? won.slice(0, offset + 1).filter((other) => other === 4).length : null,
  )
}

/**
 * The statement of the product with its parameters written as pgbench variables. Only the chain is
 * looked up in place, since a script cannot know it. A third of the packs win, as in the scene.
 */
function pgbenchScript(quantity: number): string {
  const kinds = Array.from({ length: quantity }, (_, index) => (quantity === 1 ? 0 : index % 12))
  const prizeOf = (kind: number) =>
    [null, 1, null, null, 3, null, null, 1, null, 2, null, null][kind]
  const won = kinds.map((kind, index) => (index === 13 ? 4 : (prizeOf(kind) ?? null)))
  const amountOf = (id: number | null) => (id === null ? 5 : ([0, 20, 100, 0, 0, 0][id] ?? 0))
  const earned = won.map(amountOf)
  const wins = won.flatMap((id, offset) => (id === null ? [] : [{ id, offset }]))
  const entries: { offset: number | null; amount: number }[] = [
    ...wins.map(({ id, offset }) => ({ offset, amount: amountOf(id) })),
    { offset: null, amount: 5 * won.filter((id) => id === null).length },
  ].filter(({ amount }) => amount > 0)
  const totals = entries.map((_, index) => sumOf(entries.slice(0, index + 1).map(amountIn)))
  const limited = won.filter((id) => id === 4).length
  const units = limited > 0 ? [limited] : []
  const ofWins = (value: unknown) => wins.map(() => value)
  const parameters: Record<string, string> = {
    userId: ':user',
    packTypeId: '1',
    quantity: String(quantity),
    chainId: '(SELECT id FROM draw_chains WHERE user_id = :user AND ended_at IS NULL)',
    hash: `'${'ab'.repeat(32)}'`,
    oddsRevision: '(SELECT odds_revision FROM pack_types WHERE id = 1)',
    oddsTableId: '1',
    requestId: "md5(:user::text || ':' || :salt::text)::uuid",
    now: 'now()',
    stockIds: ints(units.map(() => 4)),
    stockTaken: ints(units),
    stockExactly: ints(units.map(() => null)),
    redCoinTotal: String(sumOf(earned)),
    consolation: '5',
    drawnPrizes: ints(won),
    drawnSoldOut: ints(won.map(() => null)),
    drawnEarned: amounts(earned),
    claimOffsets: ints(wins.map(({ offset }) => offset)),
    claimIds: texts(wins.map(({ offset }) => `'PR-' || :salt || '-${offset}'`)),
    claimAmounts: amounts(wins.map(({ id }) => amountOf(id))),
    claimNames: texts(ofWins("'bench'")),
    claimPacks: ints(ofWins(0)),
    claimImages: texts(ofWins(null)),
    entryOffsets: ints(entries.map(({ offset }) => offset)),
    entryAmounts: amounts(entries.map(amountIn)),
    entryTotals: amounts(totals),
    entryTexts: texts(entries.map(() => "'bench'")),
    rewardIds: ints([]),
    rewardQuantities: ints([]),
    winsOfStock: ints(winsOfMug(won)),
  }
  const { text, parameters: names } = positional(singleOpeningText)
  const statement = text
    .replace(/\$(\d+)/g, (_, index) => parameters[names[Number(index) - 1] ?? ''] ?? 'NULL')
    .replace(/\s+/g, ' ')
  return `\\set user random(1, ${usersCount})\n\\set salt random(1, 9000000000000000)\n${statement};\n`
}

async function withPgbench(scene: Scene, quantity: number, connections: number): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'redpack-bench-'))
  const file = join(folder, 'opening.sql')
  await writeFile(file, pgbenchScript(quantity))
  const url = new URL(scene.url)
  const run = promisify(execFile)
  const words = {
    '-M': 'prepared',
    '-f': file,
    // It takes whole seconds.
    '-T': String(Math.ceil(seconds)),
    '-c': String(connections),
    '-j': String(Math.min(2, connections)),
    '-h': url.hostname,
    '-p': url.port || '5432',
    '-U': url.username || 'postgres',
  }
  const { stdout } = await run(findPgbench(), [
    '-n',
    ...Object.entries(words).flat(),
    scene.database,
  ])
  await rm(folder, { recursive: true })
  return Number(
    /tps = ([\d.]+) \(without/.exec(stdout)?.[1] ?? /tps = ([\d.]+)/.exec(stdout)?.[1] ?? 0,
  )
}

// Each has a database of its own: the product would log what the others opened, and what pgbench
// writes into a chain opens no seed for the ordinary way.
const scene = await prepareScene()
const others = await prepareScene()
const forPgbench = await prepareScene()
const product = { name: 'the product', scene, port: 3901 }
const ordinary = { name: 'the ordinary server, which deadlocks', scene: others, port: 3902 }
const servers = [
  await startServer(scene.url, product.port),
  await startOrdinaryServer(others.url, ordinary.port),
]
const rows: object[] = []
const ratios: Record<string, number[]> = {}

/** Lets each way have its turn in every round; answers openings a second. */
async function measure(quantity: number, connections: number): Promise<void> {
  const figures = { pgbench: [] as number[], http: [] as number[], ordinary: [] as number[] }
  let p99 = 0
  for (let round = 0; round < rounds; round += 1) {
    figures.pgbench.push(await withPgbench(forPgbench, quantity, connections))
    const http = await overHttp(product, quantity, connections)
    await logged(scene)
    figures.http.push(http.succeededPerSecond)
    p99 = Math.max(p99, http.p99Millis)
    // With fifty packs it takes ten seconds to answer many callers once.
    const known = isShort && quantity > 1 && connections > 1 ? figures.ordinary[0] : undefined
    const ordinaryWay = () => overHttp(ordinary, quantity, connections)
    figures.ordinary.push(known ?? (await ordinaryWay()).succeededPerSecond)
  }
  const [pgbench, http, slow] = [figures.pgbench, figures.http, figures.ordinary].map(median)
  const row = {
    packs: quantity,
    connections,
    pgbench: Math.round(pgbench ?? 0),
    http: Math.round(http ?? 0),
    ordinary: Math.round(slow ?? 0),
    worstP99Millis: Math.round(p99),
  }
  rows.push(row)
  console.log(row)
  const name = `${quantity} packs, ${connections} callers, to`
  ratios[`${name} pgbench`] = ofRounds(figures.http, figures.pgbench)
  ratios[`${name} the ordinary way`] = ofRounds(figures.http, figures.ordinary).map(toSlowWay)
}

try {
  // The odds table of the product gets its row, and all ways their plans, before anything counts.
  await overHttp(product, 1, 8)
  await logged(scene)
  // Nothing of the others reads what the table says, only its number and hash.
  for (const { query } of [others, forPgbench]) {
    await query(
      "INSERT INTO odds_tables (pack_type_id, table_hash, body) VALUES (1, repeat('0', 64), '{}')",
    )
  }
  for (const quantity of [1, 50]) {
    await overHttp(product, quantity, 8)
    await overHttp(ordinary, quantity, 8)
    await withPgbench(forPgbench, quantity, 8)
  }
  await logged(scene)
  // Plans that were made while the tables were empty go through all of what they have become.
  for (const { query } of [scene, others, forPgbench]) await query('VACUUM ANALYZE')
  for (const quantity of [1, 50]) {
    for (const connections of [1, 8, 64]) await measure(quantity, connections)
  }
} finally {
  for (const server of servers) server.kill()
  for (const { drop } of [scene, others, forPgbench]) await drop()
}
await writeResults('openings', { seconds, rounds, users: usersCount, rows }, ratios)
endBenchmark()
