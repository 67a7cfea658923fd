// Tries whether a dump brings the product back: restores it beside everything else, checks its
// books, compares its rows, and says how long that took.

import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import { systemClock } from '../adapters/clock/clock.ts'
import { composed, quoted } from '../adapters/db/catalog.ts'
import type { Database, Queryable } from '../adapters/db/database.ts'
import {
  checkDump,
  type DumpHeader,
  type DumpTable,
  dumpLines,
  UnusableDump,
} from '../adapters/db/dump.ts'
import { readMigrations } from '../adapters/db/migrate.ts'
import { withTemporaryDatabase } from '../adapters/db/open.ts'
import { sqlState } from '../adapters/db/retry.ts'
import { newestDump } from '../adapters/db/rolling-dumps.ts'
import type { Config } from '../config/config.ts'
import { migrationsFolder } from '../paths.ts'
import { backUp } from './backup.ts'
import { CannotRun, type CommandOutput, unusable, withDatabase } from './command.ts'
import { restore } from './restore.ts'
import { checkEconomy, requireKeys, seedsOf, WrongKeys } from './verify-economy.ts'

const mayNotMakeDatabases = '42501'
const hourMillis = 3_600_000

/**
 * Drills with the named dump, else with the newest of `DATA_DIR/dumps`, else with one made now. The
 * keys of the settings are those that a real restore would have. Answers 1 with the reason when the
 * dump would not do, else 0; nothing is left behind either way.
 * @throws CannotRun when the drill itself could not be held
 */
export async function drillRestore(
  config: Config,
  name: string | undefined,
  output: CommandOutput,
): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'redpack-drill-'))
  try {
    const file = await chooseDump(config, name, folder, output)
    const started = performance.now()
    const problem = await problemOf(config, file, folder, output)
    if (problem !== undefined) {
      output.line(`The drill FAILED: ${problem}`)
      return 1
    }
    output.line(`The drill succeeded: from dump to checked books in ${secondsSince(started)} s`)
    return 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function chooseDump(
  config: Config,
  name: string | undefined,
  folder: string,
  output: CommandOutput,
): Promise<string> {
  const isEmbedded = config.databaseUrl === undefined
  const newest = name ?? (isEmbedded ? newestDump(config.dataDir, systemClock.now()) : undefined)
  if (newest === undefined) {
    const file = join(folder, 'now.dump')
    await backUp(config, file, output)
    return file
  }
  const file = resolve(newest)
  if (!existsSync(file)) throw new CannotRun(`The dump ${file} does not exist`)
  return file
}

/** Why the dump would not bring the product back; undefined when it would. */
async function problemOf(
  config: Config,
  file: string,
  folder: string,
  output: CommandOutput,
): Promise<string | undefined> {
  try {
    const { header, rows } = await checkDump(file)
    const hours = (Date.now() - Date.parse(header.createdAt)) / hourMillis
    const megabytes = (statSync(file).size / 1e6).toFixed(1)
    output.line(`The dump ${file} is whole: ${rows} rows, ${megabytes} MB`)
    output.line(`It was made on ${header.createdAt}, ${hours.toFixed(1)} hours ago`)
    return await onSpareDatabase(config, folder, output, (spare) =>
      drillOn(config, spare, { file, header }, output),
    )
  } catch (error) {
    if (error instanceof UnusableDump || error instanceof WrongKeys) return error.message
    throw error
  }
}

/** Beside the configured database on its server; in a folder when it has none or refuses. */
async function onSpareDatabase<Result>(
  config: Config,
  folder: string,
  output: CommandOutput,
  work: (spare: Config) => Promise<Result>,
): Promise<Result> {
  const embedded: Config = { ...config, databaseUrl: undefined, dataDir: join(folder, 'data') }
  if (config.databaseUrl === undefined) return work(embedded)
  const liveUrl = config.databaseDirectUrl ?? config.databaseUrl
  let isMade = false
  try {
    return await withTemporaryDatabase(liveUrl, 'redpack_drill', (databaseUrl) => {
      isMade = true
      return work({ ...config, databaseUrl, databaseDirectUrl: undefined })
    })
  } catch (error) {
    if (isMade) throw error
    if (sqlState(error) !== mayNotMakeDatabases) throw unusable(error)
    output.line(
      'The user of DATABASE_URL may not create databases, so the drill uses the embedded one.',
    )
    return work(embedded)
  }
}

async function drillOn(
  config: Config,
  spare: Config,
  { file, header }: { readonly file: string; readonly header: DumpHeader },
  output: CommandOutput,
): Promise<string | undefined> {
  const started = performance.now()
  await restore(spare, file, false, output)
  output.line(`Restored in ${secondsSince(started)} s`)
  return withDatabase(spare, async (db) => {
    const steps = (await readMigrations(migrationsFolder)).length - header.migrations.length
    // The tables of an older version may be others, and migrations may merge rows.
    const missing = steps === 0 ? await missingRows(db, file) : undefined
    if (missing !== undefined) return missing
    if (steps > 0)
      output.line(`It is from an older version and was migrated to this one (${steps} steps)`)
    // The keys of the settings, which a real restore needs beside the dump.
    await requireKeys(db, config)
    const code = await checkEconomy(db, seedsOf(config), output)
    if (code !== 0) return 'the books of the dump do not agree'
    if (config.databaseUrl !== undefined) await compareWithNow(config, db, output)
    return undefined
  })
}

/** The first table that has fewer rows than the dump says. */
async function missingRows(db: Database, file: string): Promise<string | undefined> {
  const counts = new Map<string, number>()
  let table = ''
  for await (const line of dumpLines(file)) {
    if (line.startsWith('[')) counts.set(table, (counts.get(table) ?? 0) + 1)
    else table = (JSON.parse(line) as Partial<DumpTable>).table ?? table
  }
  // A restore forgets keys that have sealed nothing; those that have are asked for after it.
  counts.delete('encryption_keys')
  for (const [name, expected] of counts) {
    const found = await countRows(db, name)
    if (found < expected) return `${name} has ${found} rows, the dump ${expected}`
  }
  return undefined
}

async function countRows(db: Queryable, table: string): Promise<number> {
  const count = composed(`SELECT count(*)::bigint AS rows FROM ${quoted(table)}`)
  return (await db.run<{ rows: number }>(count, []))[0]?.rows ?? 0
}

/** How much was written since the dump: what would be lost if it were needed now. */
async function compareWithNow(config: Config, db: Database, output: CommandOutput): Promise<void> {
  const tables = ['users', 'pack_openings', 'prize_claims', 'red_coin_transactions']
  await withDatabase(config, async (live) => {
    for (const table of tables) {
      const [restored, now] = [await countRows(db, table), await countRows(live, table)]
      output.line(`${table}: ${restored} restored, ${now} now`)
    }
  })
}

const secondsSince = (started: number) => ((performance.now() - started) / 1000).toFixed(1)
