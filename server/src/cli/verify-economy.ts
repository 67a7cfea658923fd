// Checks every invariant of the books on the configured database.

import { keptEncryptionKey } from '../adapters/data-folder/generated-keys.ts'
import type { Database, Queryable } from '../adapters/db/database.ts'
import { readMigrations } from '../adapters/db/migrate.ts'
import { valueQuery } from '../adapters/db/queries.ts'
import { type Encryption, encryptionWith } from '../adapters/encryption/encryption.ts'
import { OtherKey, refuseOtherKey } from '../adapters/encryption/key-marks.ts'
import { type DrawSeeds, drawSeeds } from '../adapters/random/draw-seeds.ts'
import { systemRandom } from '../adapters/random/random.ts'
import type { Config } from '../config/config.ts'
import { type InvariantResult, verifyBooks } from '../features/books/invariants.ts'
import { migrationsFolder } from '../paths.ts'
import { CannotRun, type CommandOutput, withDatabase } from './command.ts'

const statementMillisMax = 3_600_000
const newestMigration = valueQuery<{ name: string }>(
  'verify_newest_migration',
  'SELECT name FROM schema_migrations ORDER BY version DESC LIMIT 1',
)

/**
 * All checks see the database at one moment. `timing` adds a line for each. Answers 1 when one of
 * them found anything, else 0.
 */
export async function verifyEconomy(
  config: Config,
  output: CommandOutput,
  timing = false,
): Promise<number> {
  return withDatabase(config, async (db) => {
    await refuseOtherSchema(db)
    await requireKeys(db, config)
    return checkEconomy(db, seedsOf(config), output, timing)
  })
}

/** The same on an open database, with what opens its seeds. */
export async function checkEconomy(
  db: Database,
  seeds: DrawSeeds,
  output: CommandOutput,
  timing = false,
): Promise<number> {
  const started = performance.now()
  const results = await verifyBooks(db, seeds, {
    statementMillisMax,
    first: refuseOtherSchema,
    onResult(result) {
      output.progress(`${result.id} checked: ${result.title}`)
      if (timing) output.line(timingLine(result))
    },
  })
  output.progress('')
  const broken = results.filter(({ rows }) => rows.length > 0)
  for (const { id, title, rows, brokenRows } of broken) {
    const inAll =
      brokenRows > rows.length ? ` (the first ${rows.length} of ${brokenRows} rows)` : ''
    output.line(`${id} does not hold: ${title}${inAll}`)
    for (const row of rows) output.line(`  ${JSON.stringify(row)}`)
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  output.line(
    broken.length === 0
      ? `All ${results.length} invariants hold (${seconds} s)`
      : `${broken.length} of ${results.length} invariants do not hold (${seconds} s)`,
  )
  return broken.length === 0 ? 0 : 1
}

function timingLine({ id, millis, title }: InvariantResult): string {
  return `${id.padEnd(4)}${(millis / 1000).toFixed(2).padStart(9)} s  ${title}`
}

/** The keys of the settings do not open what the database has sealed. */
export class WrongKeys extends CannotRun {}

/**
 * Looks at the keys before the books, which would read like a fraud with another one.
 * @throws WrongKeys when what the database has sealed cannot be opened with the keys of `config`
 */
export async function requireKeys(db: Queryable, config: Config): Promise<void> {
  const source = config.encryptionKey === undefined ? 'file' : 'setting'
  await refuseOtherKey(db, encryptionOf(config), source).catch((error) => {
    if (!(error instanceof OtherKey)) throw error
    throw new WrongKeys(`Nothing was checked. ${error.message}`)
  })
}

/** Opens what the configured or kept keys have sealed. */
export function seedsOf(config: Config): DrawSeeds {
  return drawSeeds(systemRandom, encryptionOf(config))
}

function encryptionOf(config: Config): Encryption {
  const key = config.encryptionKey ?? keptEncryptionKey(config.dataDir)
  return encryptionWith(key, systemRandom, config.earlierEncryptionKeys)
}

/** @throws CannotRun when the database is at another migration than this program */
export async function refuseOtherSchema(tx: Queryable): Promise<void> {
  const newest = await newestMigration(tx)
  const known = (await readMigrations(migrationsFolder)).at(-1)?.name
  if (newest !== known) {
    throw new CannotRun(
      `The database is at ${newest ?? 'nothing'}, this program at ${known ?? 'nothing'}: ` +
        'start the program once, or use the version that fits',
    )
  }
}
