// Openings per second: the product over HTTP, pgbench with the statement that wrote them one by
// one, and a server written the ordinary way.

import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { positional } from '../server/src/adapters/db/named-parameters.ts'
import { median, requestText, runLoad } from './load.ts'
import { isShort, writeResults } from './results.ts'
import { logged, prepareScene, type Scene, usersCount } from './scene.ts'
import { startOrdinaryServer, startServer } from './server-process.ts'
import { ofRounds, toSlowWay } from './shortfalls.ts'
import { singleOpeningText } from './single-opening.ts'

const port = 3901
const ordinaryPort = 3902
const seconds = Number(process.env['BENCH_SECONDS'] ?? 5)
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3)

/** pgbench of the newest PostgreSQL on this machine. */
function findPgbench(): string {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : []
  return versions.map((version) => `${root}/${version}/bin/pgbench`).find(existsSync) ?? 'pgbench'
}

/** Openings of random users, each with an idempotency key as the product's own client sends it. */
async function overHttp(scene: Scene, port: number, quantity: number, connections: number) {
  const body = JSON.stringify({ packTypeId: scene.packTypeId, quantity })
  const result = await runLoad({
    port,
    connections,
    seconds,
    next: () => {
      const user = Math.floor(Math.random() * usersCount)
      return requestText('POST', '/api/packs/open', scene.cookie(user), body)
    },
  })
  // The ordinary server deadlocks over limited prizes.
  if (result.succeededPerSecond < result.requestsPerSecond) {
    console.log(`  not 200: ${JSON.stringify(result.others)}`)
  }
  return result
}

const array = (values: readonly unknown[], type: string) =>
  `ARRAY[${values.map((value) => value ?? 'NULL').join(',')}]::${type}[]`

/** Which win of the limited prize each pack is, null for all others. */
function winsOfMug(won: readonly (number | null)[]): (number | null)[] {
  return won.map((id, offset) =>
    id === 4 ? won.slice(0, offset + 1).filter((other) => other === 4).length : null,
  )
}

/** The parameters of the claims that a request makes. */
function claimParameters(
  wins: readonly { readonly id: number; readonly offset: number }[],
  amounts: readonly number[],
): Record<string, string> {
  const all = (value: string) => `[${wins.map(() => value).join(',')}]`
  return {
    claimOffsets: array(
      wins.map(({ offset }) => offset),
      'int',
    ),
    claimIds: `ARRAY[${wins.map(({ offset }) => `'PR-' || :salt || '-${offset}'`).join(',')}]::text[]`,
    claimAmounts: array(
      wins.map(({ id }) => amounts[id] ?? 0),
      'bigint',
    ),
    claimNames: `ARRAY${all("'bench'")}::text[]`,
    claimDescriptions: `ARRAY${all("''")}::text[]`,
    claimPacks: `ARRAY${all('0')}::int[]`,
    claimImages: `ARRAY${all('NULL')}::text[]`,
  }
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
  const amounts = [0, 20, 100, 0, 0, 0]
  const earned = won.map((id) => (id === null ? 5 : (amounts[id] ?? 0)))
  const wins = won.flatMap((id, offset) => (id === null ? [] : [{ id, offset }]))
  const paid = wins.filter(({ id }) => (amounts[id] ?? 0) > 0)
  const consolation = 5 * won.filter((id) => id === null).length
  const entries = [
    ...paid.map(({ id, offset }) => ({ offset: String(offset), amount: amounts[id] ?? 0 })),
    { offset: 'NULL', amount: consolation },
  ]
  let total = 0
  const totals = entries.map(({ amount }) => {
    total += amount
    return total
  })
  const limited = won.filter((id) => id === 4).length
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
    stockIds: limited > 0 ? array([4], 'int') : "'{}'::int[]",
    stockTaken: limited > 0 ? array([limited], 'int') : "'{}'::int[]",
    stockExactly: limited > 0 ? array([null], 'int') : "'{}'::int[]",
    redCoinTotal: String(earned.reduce((sum, amount) => sum + amount, 0)),
    consolation: '5',
    drawnPrizes: array(won, 'int'),
    drawnSoldOut: array(
      won.map(() => null),
      'int',
    ),
    drawnEarned: array(earned, 'bigint'),
    ...claimParameters(wins, amounts),
    entryOffsets: array(
      entries.map(({ offset }) => offset),
      'int',
    ),
    entryAmounts: array(
      entries.map(({ amount }) => amount),
      'bigint',
    ),
    entryTotals: array(totals, 'bigint'),
    entryTexts: `ARRAY[${entries.map(() => "'bench'").join(',')}]::text[]`,
    rewardIds: "'{}'::int[]",
    rewardQuantities: "'{}'::int[]",
    route: 'NULL::text',
    key: 'NULL::text',
    inputHash: 'NULL::text',
    bodyBefore: 'NULL::text',
    bodyAfter: 'NULL::text',
    winsOfStock: array(winsOfMug(won), 'int'),
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
  const { stdout } = await run(findPgbench(), [
    '-n',
    '-M',
    'prepared',
    '-f',
    file,
    '-T',
    // It takes whole seconds.
    String(Math.ceil(seconds)),
    '-c',
    String(connections),
    '-j',
    String(Math.min(2, connections)),
    '-h',
    url.hostname,
    '-p',
    url.port || '5432',
    '-U',
    url.username || 'postgres',
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
const server = await startServer(scene.url, port)
const ordinary = await startOrdinaryServer(others.url, ordinaryPort)
const rows = []
const ratios: Record<string, number[]> = {}
try {
  // The odds table of the product gets its row, and all ways their plans, before anything counts.
  await overHttp(scene, port, 1, 8)
  await logged(scene)
  // Nothing of the others reads what the table says, only its number and hash.
  for (const { query } of [others, forPgbench]) {
    await query(
      "INSERT INTO odds_tables (pack_type_id, table_hash, body) VALUES (1, repeat('0', 64), '{}')",
    )
  }
  for (const quantity of [1, 50]) {
    await overHttp(scene, port, quantity, 8)
    await overHttp(others, ordinaryPort, quantity, 8)
    await withPgbench(forPgbench, quantity, 8)
  }
  await logged(scene)
  // Plans that were made while the tables were empty go through all of what they have become.
  for (const { query } of [scene, others, forPgbench]) await query('VACUUM ANALYZE')
  for (const quantity of [1, 50]) {
    for (const connections of [1, 8, 64]) {
      const figures = { pgbench: [] as number[], http: [] as number[], ordinary: [] as number[] }
      let p99 = 0
      for (let round = 0; round < rounds; round += 1) {
        figures.pgbench.push(await withPgbench(forPgbench, quantity, connections))
        const http = await overHttp(scene, port, quantity, connections)
        await logged(scene)
        figures.http.push(http.succeededPerSecond)
        p99 = Math.max(p99, http.p99Millis)
        // With fifty packs it takes ten seconds to answer many callers once.
        const known = isShort && quantity > 1 && connections > 1 ? figures.ordinary[0] : undefined
        const ordinaryWay = () => overHttp(others, ordinaryPort, quantity, connections)
        figures.ordinary.push(known ?? (await ordinaryWay()).succeededPerSecond)
      }
      const row = {
        packs: quantity,
        connections,
        pgbench: Math.round(median(figures.pgbench)),
        http: Math.round(median(figures.http)),
        ordinary: Math.round(median(figures.ordinary)),
        httpToPgbench: Number((median(figures.http) / median(figures.pgbench)).toFixed(2)),
        httpToOrdinary: Number((median(figures.http) / median(figures.ordinary)).toFixed(2)),
        worstP99Millis: Math.round(p99),
      }
      rows.push(row)
      ratios[`${quantity} packs, ${connections} callers, to pgbench`] = ofRounds(
        figures.http,
        figures.pgbench,
      )
      ratios[`${quantity} packs, ${connections} callers, to the ordinary way`] = ofRounds(
        figures.http,
        figures.ordinary,
      ).map(toSlowWay)
      console.log(row)
    }
  }
} finally {
  server.kill()
  ordinary.kill()
  await scene.drop()
  await others.drop()
  await forPgbench.drop()
}
await writeResults('openings', { seconds, rounds, users: usersCount, rows }, ratios)
process.exit()
