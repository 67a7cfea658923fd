// A database that the first build filled, brought to this one: old draws stay provable, old pairs
// are revealed at the next opening, and nothing secret stays in plain text.

import { createHash, createHmac } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import type { Database } from '../src/adapters/db/database.ts'
import { migrate, readMigrations } from '../src/adapters/db/migrate.ts'
import { restoreDump } from '../src/adapters/db/restore.ts'
import { brokenInvariants, runInvariants } from '../src/features/books/invariants.ts'
import { appendLogEntries } from '../src/features/fairness/append-entries.ts'
import { sealSeeds } from '../src/features/fairness/seal-seeds.ts'
import { createTestDeps, type TestDeps } from './deps.ts'
import { openingProcess } from './opening.ts'
import { embeddedTestDatabase, isPostgresReachable, postgresTestDatabase } from './test-database.ts'

/**
 * Made by the first build with its own backup: demo content, five openings of 50 packs, rotated and
 * chosen seeds, prizes edited after they were won, one opening that its draw log had not yet.
 */
const dump = fileURLToPath(new URL('fixtures/first-build.dump', import.meta.url))
const migrationsFolder = fileURLToPath(new URL('../migrations', import.meta.url))

const hasPostgres = await isPostgresReachable()
const engines: Record<string, () => Promise<{ db: Database; drop: () => Promise<void> }>> = {
  'the embedded database': async () => {
    const db = await embeddedTestDatabase()
    return { db, drop: () => db.close() }
  },
  PostgreSQL: () => postgresTestDatabase(),
}

interface OldOpening {
  readonly nonce: number
  readonly drawn: number | null
  readonly server_seed: string
  readonly client_seed: string
  readonly body: string
}

const close: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const work of close.splice(0).reverse()) await work()
})

async function restored(engine: string): Promise<TestDeps> {
  const { db, drop } = await engines[engine]!()
  close.push(drop)
  const migrations = await readMigrations(migrationsFolder)
  await restoreDump(db, dump, { migrations, force: true })
  await migrate(db, migrations)
  const t = await createTestDeps(db, { SEED_DEMO: 'off' })
  close.push(() => t.app.close())
  return t
}

/** What the rule of the first scheme draws, comparing fractions. */
function drawnBy({ server_seed, client_seed, nonce, body }: OldOpening): number | null {
  const digest = createHmac('sha256', Buffer.from(server_seed, 'hex'))
    .update(`${client_seed}:${nonce}`)
    .digest('hex')
  const roll = BigInt(`0x${digest.slice(0, 13)}`)
  const { entries } = JSON.parse(body) as {
    entries: { prizeId: number; winFrequency: number; totalPacks: number }[]
  }
  const common = entries.reduce<bigint>(
    (product, { totalPacks }) => product * BigInt(totalPacks),
    1n,
  )
  const parts = entries.map(
    ({ winFrequency, totalPacks }) =>
      (BigInt(Math.min(winFrequency, totalPacks)) * common) / BigInt(totalPacks),
  )
  const sum = parts.reduce<bigint>((total, part) => total + part, 0n)
  let whole = common
  if (sum > common) whole = sum
  let upTo = 0n
  for (const [index, part] of parts.entries()) {
    upTo += part
    if (roll < (2n ** 52n * upTo) / whole) return entries[index]!.prizeId
  }
  return null
}

const oldOpenings = (t: TestDeps) =>
  t.rows<OldOpening>(
    `SELECT o.nonce, coalesce(o.prize_id, o.sold_out_prize_id) AS drawn, s.server_seed,
       s.client_seed, d.body
     FROM all_pack_openings o JOIN opening_requests r ON r.id = o.request_id
     JOIN seed_pairs s ON s.id = r.seed_pair_id JOIN odds_tables d ON d.id = r.odds_table_id
     WHERE s.scheme = 1 AND s.status = 'revealed'`,
  )

const names = Object.keys(engines).filter((name) => name !== 'PostgreSQL' || hasPostgres)

describe.each(names)('a database of the first build on %s', (engine) => {
  it('keeps its books, puts all it had into the log, and seals its seeds', async () => {
    const t = await restored(engine)
    await sealSeeds(t.deps)
    await appendLogEntries(t.deps)
    expect(brokenInvariants(await runInvariants(t.db, t.seeds))).toEqual([])
    expect(
      await t.rows(
        `SELECT count(*)::int AS plain FROM seed_pairs
         WHERE status <> 'revealed' AND server_seed IS NOT NULL`,
      ),
    ).toEqual([{ plain: 0 }])
    const entries = await t.rows<{ type: string; count: number }>(
      `SELECT body::jsonb ->> 'type' AS type, count(*)::int AS count FROM log_entries
       GROUP BY 1 ORDER BY 1`,
    )
    const counts = new Map(entries.map(({ type, count }) => [type, count]))
    expect(counts.get('carried')).toBeGreaterThan(10)
    // The one request that waited for the old log has an entry for each of its packs.
    expect(counts.get('opening')).toBe(5)
    const [pairs] = await t.rows<{ all: number; revealed: number }>(
      `SELECT count(*)::int AS all, (count(*) FILTER (WHERE status = 'revealed'))::int AS revealed
       FROM seed_pairs`,
    )
    expect([counts.get('commitment'), counts.get('reveal')]).toEqual([pairs!.all, pairs!.revealed])
    const carried = await t.rows<{ entry: { body: string; hash: string } }>(
      `SELECT body::jsonb AS entry FROM log_entries
       WHERE body::jsonb ->> 'type' = 'carried' ORDER BY index`,
    )
    let previousHash = '0'.repeat(64)
    for (const { entry } of carried) {
      expect(JSON.parse(entry.body).previousHash).toBe(previousHash)
      expect(createHash('sha256').update(entry.body).digest('hex')).toBe(entry.hash)
      previousHash = entry.hash
    }
  }, 60_000)

  it('opens packs at once, with the pair that was committed to before', async () => {
    const t = await restored(engine)
    const [ana] = await t.rows<{ id: number }>(`SELECT id FROM users WHERE username = 'ana_old'`)
    const pair = (status: string) =>
      t.rows<{ id: number; hash: string; scheme: number }>(
        `SELECT id, server_seed_hash AS hash, scheme FROM seed_pairs
         WHERE user_id = $1 AND status = $2 ORDER BY id DESC`,
        [ana!.id, status],
      )
    const [[old], [promised]] = [await pair('active'), await pair('next')]
    expect([old!.scheme, promised!.scheme]).toEqual([1, 2])
    const [holding] = await t.rows<{ id: number }>(
      'SELECT pack_type_id AS id FROM user_packs WHERE user_id = $1 AND quantity > 9 LIMIT 1',
      [ana!.id],
    )
    await openingProcess(t.deps).open(ana!.id, {
      packTypeId: holding!.id,
      quantity: 10,
      idempotencyKey: undefined,
    })
    const [[revealed], [active]] = [await pair('revealed'), await pair('active')]
    expect(revealed).toEqual(old)
    expect(active).toEqual(promised)
    const drawn = await oldOpenings(t)
    expect(drawn.length).toBeGreaterThan(300)
    expect(drawn.filter((opening) => drawnBy(opening) !== opening.drawn)).toEqual([])
    await appendLogEntries(t.deps)
    expect(brokenInvariants(await runInvariants(t.db, t.seeds))).toEqual([])
  }, 60_000)
})
