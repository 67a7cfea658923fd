// How long the check of all books takes on either engine, and what openings feel of it meanwhile.
// BENCH_OPENINGS sets the size of the books: a million by default.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, statement } from '../server/src/adapters/db/database.ts'
import { openEmbedded } from '../server/src/adapters/db/embedded.ts'
import { withTemporaryDatabase } from '../server/src/adapters/db/open.ts'
import { openPostgres } from '../server/src/adapters/db/postgres.ts'
import { encryptionWith } from '../server/src/adapters/encryption/encryption.ts'
import { drawSeeds } from '../server/src/adapters/random/draw-seeds.ts'
import { systemRandom } from '../server/src/adapters/random/random.ts'
import { brokenLog, isWalk } from '../server/src/features/books/broken-log.ts'
import { checkNewRows } from '../server/src/features/books/check-new-rows.ts'
import type { Progress, Step } from '../server/src/features/books/invariant.ts'
import { verifyBooks } from '../server/src/features/books/invariants.ts'
import { keepMarkOfLog } from '../server/src/features/books/new-marks.ts'
import { appendLogEntries } from '../server/src/features/fairness/public-log.ts'
import { booksDeps, openPacks, writeBooks } from './books-scene.ts'
import { runLoad } from './load.ts'
import { endBenchmark, writeResults } from './results.ts'
import { benchEncryptionKey, randomOpenings, serverUrl } from './scene.ts'
import { measured, startServer } from './server-process.ts'

const openings = Number(process.env['BENCH_OPENINGS'] ?? 1_000_000)
const seconds = Number(process.env['BENCH_SECONDS'] ?? 10)
const port = 3902
/** Those whose openings are measured, and those who go on in the books. */
const callers = Math.min(500, Math.round(openings / 100))
const further = { packs: 10_000, quantity: 10, atOnce: 8 }
const seeds = drawSeeds(systemRandom, encryptionWith(benchEncryptionKey, systemRandom))
const say = (text: string) => console.log(`  ${text}`)
const readSize = statement(
  'bench_database_size',
  'SELECT pg_database_size(current_database())::bigint AS bytes',
)

/** The look at new rows after a whole check and 10,000 further openings, and with nothing new. */
async function lookAfterMore(db: Database) {
  const deps = booksDeps(db)
  const look = async () => {
    // As after an hour, so that the look is due whatever the last one took.
    deps.clock.advance(3_600)
    await checkNewRows(deps)
  }
  await look()
  await keepWalk(db)
  await look()
  await openPacks(deps, furtherOrders(), further.atOnce)
  await appendLogEntries(deps)
  say(`${further.packs} further openings`)
  const newRows = await measured(db, look)
  const nothingNew = await measured(db, look)
  const [found] = await db.run<{ broken: number }>(readNewBroken, [])
  return { newRows, nothingNew, newBroken: found?.broken }
}
const readNewBroken = statement(
  'bench_new_broken',
  'SELECT coalesce(sum(new_broken_rows), 0)::int AS broken FROM books_checks',
)

/** Packs for a thousand of the people, or for all when there are fewer. */
function* furtherOrders() {
  const { packs, quantity } = further
  const people = Math.round(openings / 100)
  for (let left = packs / quantity; left > 0; left -= 1) {
    yield { userId: (left % people) + 1, quantity }
  }
}

/** Leaves what a whole check in the background leaves of the public log. */
async function keepWalk(db: Database): Promise<void> {
  let walk: Progress | undefined
  do {
    const { next }: Step = await brokenLog.step(db, walk, 2_000)
    if (isWalk(walk) && !isWalk(next)) await keepMarkOfLog(db, walk)
    walk = next
  } while (isWalk(walk))
}

/** Fills an empty database and checks it once from beginning to end, with nobody beside it. */
async function fillAndCheck(db: Database) {
  await writeBooks(db, openings, say)
  const [size] = await db.run<{ bytes: number }>(readSize, [])
  const millis: Record<string, number> = {}
  const broken: string[] = []
  const full = await measured(db, () =>
    verifyBooks(db, seeds, {
      statementMillisMax: 600_000,
      onResult: (result) => {
        millis[result.id] = Math.round(result.millis)
        if (result.brokenRows > 0) broken.push(result.id)
      },
    }),
  )
  const added = await lookAfterMore(db)
  const ratioToFull = Number((added.newRows.processorSeconds / full.processorSeconds).toFixed(4))
  const bytesPerOpening = Math.round((size?.bytes ?? 0) / openings)
  const residentMegabytes = Math.round(process.memoryUsage().rss / 1e6)
  const figures = {
    full,
    ...added,
    ratioToFull,
    bytesPerOpening,
    residentMegabytes,
    broken,
    millis,
  }
  console.log(figures)
  return figures
}

/** Openings of one pack by 8 callers, without and with the check beside them, in turns. */
async function openingsBeside(url: string) {
  const rows = []
  for (const jobs of ['log', 'log and books', 'log', 'log and books'] as const) {
    const server = await startServer(url, port, { BENCH_JOBS: jobs })
    const next = randomOpenings(callers, 1, 1)
    const result = await runLoad({ port, connections: 8, seconds, next })
    server.kill()
    const row = {
      jobs,
      openingsPerSecond: Math.round(result.requestsPerSecond),
      p50Millis: Number(result.p50Millis.toFixed(1)),
      p99Millis: Number(result.p99Millis.toFixed(1)),
      others: result.others,
    }
    console.log(row)
    rows.push(row)
  }
  return rows
}

const postgres = await withTemporaryDatabase(serverUrl, 'redpack_bench', async (url) => {
  const db = openPostgres({ url, connectionsMax: 2, onError: () => undefined })
  const check = await fillAndCheck(db)
  await db.close()
  return { check, openings: await openingsBeside(url) }
})
const folder = mkdtempSync(join(tmpdir(), 'redpack-bench-'))
let embedded: unknown
try {
  const db = await openEmbedded(join(folder, 'database'))
  embedded = await fillAndCheck(db)
  await db.close()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
await writeResults('books', { openings, seconds, postgres, embedded })
endBenchmark()
