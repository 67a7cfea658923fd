// What openings cost when many were opened before: a database with BENCH_OPENINGS stored openings,
// a million by default, beside one with ten thousand, in turns. Nothing else may use the PostgreSQL
// server meanwhile: what it writes ahead is counted.

import { openPostgres } from '../server/src/adapters/db/postgres.ts'
import { median, requestText, runLoad } from './load.ts'
import { openings } from './million-scene.ts'
import { endBenchmark, writeResults } from './results.ts'
import { logged, prepareScene, type Scene, usersCount } from './scene.ts'
import { startServer } from './server-process.ts'
import { ofRounds, typical } from './shortfalls.ts'

const port = 3911
const seconds = Number(process.env['BENCH_SECONDS'] ?? 4)
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5)
const few = 10_000
const many = Number(process.env['BENCH_OPENINGS'] ?? 1_000_000)
/** Where no opening of the benchmark gets to. */
const firstIndex = 1_000_000_000

async function storedScene(stored: number): Promise<Scene> {
  const scene = await prepareScene()
  const db = openPostgres({ url: scene.url, connectionsMax: 1, onError: () => undefined })
  const written = openings({ users: usersCount, openings: stored, firstIndex })
  await db.script(`SET session_replication_role = replica; ${written}`)
  await db.script(`SELECT setval(pg_get_serial_sequence('pack_openings', 'id'), ${stored})`)
  await db.close()
  await scene.query('VACUUM ANALYZE')
  return scene
}

const body = JSON.stringify({ packTypeId: 1, quantity: 1 })

interface Rate {
  readonly perSecond: number
  /** What the whole server wrote ahead meanwhile, for each opening. */
  readonly walBytes: number
}

async function writtenAhead({ query }: Scene): Promise<number> {
  const [row] = await query<{ bytes: string }>(
    "SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS bytes",
  )
  return Number(row?.bytes)
}

async function open(scene: Scene, at: number, connections: number): Promise<Rate> {
  const cookie = () => scene.cookie(Math.floor(Math.random() * usersCount))
  const next = () => requestText('POST', '/api/packs/open', cookie(), body)
  const before = await writtenAhead(scene)
  const result = await runLoad({ port: at, connections, seconds, next })
  if (Object.keys(result.others).length > 0) throw new Error(JSON.stringify(result.others))
  await logged(scene)
  const walBytes = ((await writtenAhead(scene)) - before) / result.done
  return { perSecond: result.requestsPerSecond, walBytes }
}

const ways = []
for (const stored of [few, many]) {
  const scene = await storedScene(stored)
  const at: number = port + ways.length
  ways.push({ stored, scene, at, server: await startServer(scene.url, at) })
}
const rows = []
const ratios: Record<string, number[]> = {}
try {
  for (const { scene, at } of ways) {
    await open(scene, at, 8)
    await scene.query('VACUUM ANALYZE')
    // What the filling left to be written out would be counted among the openings.
    await scene.query('CHECKPOINT')
  }
  for (const connections of [1, 8, 64]) {
    const figures = ways.map(() => [] as Rate[])
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, { scene, at }] of ways.entries()) {
        figures[index]?.push(await open(scene, at, connections))
      }
    }
    const [ofFew = [], ofMany = []] = figures
    const perSecond = (rates: readonly Rate[]) => rates.map((rate) => rate.perSecond)
    const each = ofRounds(perSecond(ofMany), perSecond(ofFew))
    const middle = (rates: readonly Rate[], of: keyof Rate) =>
      Math.round(median(rates.map((rate) => rate[of])))
    const row = {
      connections,
      withFew: middle(ofFew, 'perSecond'),
      withMany: middle(ofMany, 'perSecond'),
      ratio: typical(each),
      ratios: each,
      walBytesWithFew: middle(ofFew, 'walBytes'),
      walBytesWithMany: middle(ofMany, 'walBytes'),
    }
    rows.push(row)
    ratios[`${connections} callers, many stored to few`] = each
    console.log(JSON.stringify(row))
  }
} finally {
  for (const { server, scene } of ways) {
    server.kill()
    await scene.drop()
  }
}
await writeResults('stored-openings', { few, many, seconds, rounds, rows }, ratios)
endBenchmark()
