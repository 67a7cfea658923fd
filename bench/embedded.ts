// The embedded database at the size of one community: openings, polls and pages on one process
// whose single connection is the limit.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { statement } from '../server/src/adapters/db/database.ts'
import { openEmbedded } from '../server/src/adapters/db/embedded.ts'
import { encryptionWith } from '../server/src/adapters/encryption/encryption.ts'
import { drawSeeds } from '../server/src/adapters/random/draw-seeds.ts'
import { systemRandom } from '../server/src/adapters/random/random.ts'
import { brokenInvariants, runInvariants } from '../server/src/features/books/invariants.ts'
import { median, requestText, runLoad } from './load.ts'
import { writeResults } from './results.ts'
import { benchEncryptionKey, fillScene, sceneCookie } from './scene.ts'
import { processorSeconds, startServer } from './server-process.ts'
import { ofRounds } from './shortfalls.ts'

const port = 3906
const users = 5_000
const seconds = Number(process.env['BENCH_SECONDS'] ?? 4)
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3)

interface Row {
  readonly name: string
  readonly connections: number
  readonly perSecond: number
  readonly rounds: readonly number[]
  readonly worstP99Millis: number
  readonly processorMillis: number
  readonly failed: readonly [string, number][]
}

const countPacks = statement(
  'bench_count_packs',
  'SELECT count(*)::int AS packs FROM pack_openings',
)
const anybody = () => sceneCookie(Math.floor(Math.random() * users))
const opening = (quantity: number) => {
  const body = JSON.stringify({ packTypeId: 1, quantity })
  return () => requestText('POST', '/api/packs/open', anybody(), body)
}
const reading = (path: string) => () => requestText('GET', path, anybody(), undefined)
const loads = [
  ...[1, 8, 64].map((connections) => ({
    name: 'opening of 1 pack',
    connections,
    next: opening(1),
  })),
  ...[1, 8, 64].map((connections) => ({
    name: 'opening of 50 packs',
    connections,
    next: opening(50),
  })),
  { name: 'own packs', connections: 8, next: reading('/api/user/packs') },
  { name: 'own session', connections: 8, next: reading('/api/auth/me') },
  { name: 'ranking of 100', connections: 8, next: reading('/api/redcoin/leaderboard?limit=100') },
  { name: 'own claims', connections: 8, next: reading('/api/user/prize-claims/paginated') },
]

const folder = mkdtempSync(join(tmpdir(), 'redpack-bench-'))
try {
  const filled = await openEmbedded(join(folder, 'database'))
  await fillScene(filled, users)
  await filled.close()
  const server = await startServer('', port, { DATA_DIR: folder })
  const rows: Row[] = []
  await runLoad({ port, connections: 8, seconds, next: opening(1) })
  for (const { name, connections, next } of loads) {
    const results = []
    const before = processorSeconds(server)
    for (let round = 0; round < rounds; round += 1) {
      results.push(await runLoad({ port, connections, seconds, next }))
    }
    const calls = results.reduce((sum, result) => sum + result.requestsPerSecond * seconds, 0)
    const row = {
      name,
      connections,
      perSecond: Math.round(median(results.map(({ requestsPerSecond }) => requestsPerSecond))),
      rounds: results.map(({ requestsPerSecond }) => Math.round(requestsPerSecond)),
      worstP99Millis: Math.round(Math.max(...results.map(({ p99Millis }) => p99Millis))),
      processorMillis: Number((((processorSeconds(server) - before) * 1000) / calls).toFixed(2)),
      failed: results.flatMap(({ others }) => Object.entries(others)),
    }
    console.log(JSON.stringify(row))
    rows.push(row)
  }
  const exit = new Promise((resolve) => server.once('exit', resolve))
  server.kill()
  await exit
  const db = await openEmbedded(join(folder, 'database'))
  const started = performance.now()
  const encryption = encryptionWith(benchEncryptionKey, systemRandom)
  const broken = brokenInvariants(await runInvariants(db, drawSeeds(systemRandom, encryption)))
  const booksSeconds = Number(((performance.now() - started) / 1000).toFixed(1))
  const [opened] = await db.run<{ packs: number }>(countPacks, [])
  await db.close()
  const books = { seconds: booksSeconds, packs: opened?.packs, broken }
  console.log(JSON.stringify(books))
  const rates = (name: string, connections: number) =>
    rows.find((row) => row.name === name && row.connections === connections)?.rounds ?? []
  const ratios = {
    'openings by 64 callers to one': ofRounds(
      rates('opening of 1 pack', 64),
      rates('opening of 1 pack', 1),
    ),
    'packs in fifties to single ones, 8 callers': ofRounds(
      rates('opening of 50 packs', 8).map((rate) => 50 * rate),
      rates('opening of 1 pack', 8),
    ),
  }
  await writeResults('embedded', { users, seconds, rounds, rows, books }, ratios)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exit()
