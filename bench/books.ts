// How long the check of all books takes on either engine, and what openings feel of it meanwhile.
// BENCH_OPENINGS sets the size of the books: a million by default.

import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { movableClock } from '../server/src/adapters/clock/clock.ts'
import { type Database, statement } from '../server/src/adapters/db/database.ts'
import { openEmbedded } from '../server/src/adapters/db/embedded.ts'
import { migrate, readMigrations } from '../server/src/adapters/db/migrate.ts'
import { openPostgres } from '../server/src/adapters/db/postgres.ts'
import { withTemporaryDatabase } from '../server/src/adapters/db/temporary-database.ts'
import { encryptionWith } from '../server/src/adapters/encryption/encryption.ts'
import { drawSeeds } from '../server/src/adapters/random/draw-seeds.ts'
import { systemRandom } from '../server/src/adapters/random/random.ts'
import { brokenLog, isWalk } from '../server/src/features/books/broken-log.ts'
import type { Progress, Step } from '../server/src/features/books/invariant.ts'
import { lookAtNew } from '../server/src/features/books/look-at-new.ts'
import { keepMarkOfLog } from '../server/src/features/books/new-marks.ts'
import { verifyBooks } from '../server/src/features/books/verify-books.ts'
import { openMore } from './books-more.ts'
import { booksKey, writeBooks } from './books-scene.ts'
import { requestText, runLoad } from './load.ts'
import { measured } from './processor-time.ts'
import { writeResults } from './results.ts'
import { startServer } from './server-process.ts'

const openings = Number(process.env['BENCH_OPENINGS'] ?? 1_000_000)
const seconds = Number(process.env['BENCH_SECONDS'] ?? 10)
const port = 3902
const serverUrl = process.env['BENCH_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const migrations = await readMigrations(
  fileURLToPath(new URL('../server/migrations', import.meta.url)),
)
const seeds = drawSeeds(systemRandom, encryptionWith(booksKey, systemRandom))
const say = (text: string) => console.log(`  ${text}`)
const readSize = statement(
  'bench_database_size',
  'SELECT pg_database_size(current_database())::bigint AS bytes',
)

/** The look at new rows after a whole check and 10,000 further openings, and with nothing new. */
async function lookAfterMore(db: Database) {
  const clock = movableClock()
  const log = pino({ level: 'error' })
  const encryption = encryptionWith(booksKey, systemRandom)
  const deps = { db, clock, log, random: systemRandom, encryption }
  const look = async () => {
    // As after an hour, so that the look is due whatever the last one took.
    clock.advance(3_600)
    await lookAtNew(deps)
  }
  await look()
  await keepWalk(db)
  await look()
  await openMore(db, Math.round(openings / 100), say)
  const newRows = await measured(db, look)
  const nothingNew = await measured(db, look)
  const [found] = await db.run<{ broken: number }>(readNewBroken, [])
  return { newRows, nothingNew, newBroken: found?.broken }
}
const readNewBroken = statement(
  'bench_new_broken',
  'SELECT coalesce(sum(new_broken_rows), 0)::int AS broken FROM books_checks',
)

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
  await migrate(db, migrations)
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

const tokenOf = (index: number) => createHash('sha256').update(`books-${index}`).digest('base64url')

/** Sessions for the first users of the books. */
async function addSessions(db: Database, count: number): Promise<void> {
  const hashes = Array.from({ length: count }, (_, index) =>
    createHash('sha256').update(tokenOf(index)).digest('hex'),
  )
  const add = statement(
    'bench_add_sessions',
    `INSERT INTO sessions (token_hash, user_id, kind, created_at, last_seen_at, expires_at)
     SELECT hash, position, 'player', now(), now(), now() + interval '30 days'
     FROM unnest($1::text[]) WITH ORDINALITY AS s (hash, position)`,
  )
  await db.run(add, [hashes])
}

/** Openings of one pack by 8 callers, without and with the check beside them, in turns. */
async function openingsBeside(url: string) {
  const users = Math.min(500, Math.round(openings / 100))
  const rows = []
  for (const jobs of ['log', 'log and books', 'log', 'log and books'] as const) {
    const server = await startServer(url, port, { BENCH_JOBS: jobs })
    const body = JSON.stringify({ packTypeId: 1, quantity: 1 })
    const result = await runLoad({
      port,
      connections: 8,
      seconds,
      next: () => {
        const cookie = `sid=${tokenOf(Math.floor(Math.random() * users))}`
        return requestText('POST', '/api/packs/open', cookie, body)
      },
    })
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
  await addSessions(db, Math.min(500, Math.round(openings / 100)))
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
process.exit()
