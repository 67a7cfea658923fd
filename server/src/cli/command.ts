// What every command shares: how it speaks, and the database as it is, without migrating it.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openDataFolder } from '../adapters/data-folder/data-folder.ts'
import type { Database } from '../adapters/db/database.ts'
import { openEmbedded } from '../adapters/db/embedded.ts'
import { openPostgres } from '../adapters/db/postgres.ts'
import { oneValueQuery } from '../adapters/db/queries.ts'
import { reasonOf } from '../adapters/db/retry.ts'
import type { Config } from '../config/config.ts'
import { databaseAddresses, hostOf } from '../config/postgres-addresses.ts'

export interface CommandOutput {
  line(text: string): void
  /** Replaces the line before it, where somebody is looking. */
  progress(text: string): void
}

/** The command could not be carried out at all; nothing was changed. */
export class CannotRun extends Error {}

export const unusable = (error: unknown) =>
  new CannotRun(`The database at DATABASE_URL cannot be used: ${reasonOf(error)}`)

/** Commands are few and long: a pooler has nothing to give to them. */
function urlOf({ databaseUrl, databaseDirectUrl }: Config): string | undefined {
  return databaseUrl && (databaseDirectUrl ?? databaseUrl)
}

/** Where a command works, without names and passwords. */
export function targetOf(config: Config): string {
  const [first, ...others] = databaseAddresses(urlOf(config) ?? '') ?? []
  if (first === undefined) return `the folder ${config.dataDir}`
  const hosts = [first, ...others].map(hostOf).join(', ')
  return `the database ${new URL(first).pathname.slice(1)} at ${hosts}`
}

const hasSchema = oneValueQuery<{ yes: boolean }>(
  'command_has_schema',
  "SELECT to_regclass('public.schema_migrations') IS NOT NULL AS yes",
)

/** False where the folder of an embedded database would have to be made first. */
export function isMade(config: Config): boolean {
  const folder = join(config.dataDir, 'database', 'PG_VERSION')
  return urlOf(config) !== undefined || existsSync(folder)
}

/**
 * Runs `work` on the configured database. The embedded one is locked meanwhile.
 * @throws FolderInUse naming the process that holds it; CannotRun when there is no database, or
 * one in which nothing is yet, unless it `mayBeEmpty`
 */
export async function withDatabase<Result>(
  config: Config,
  work: (db: Database) => Promise<Result>,
  { mayBeEmpty = false } = {},
): Promise<Result> {
  const url = urlOf(config)
  const workOn = async (db: Database) => {
    const isStarted = await hasSchema(db).catch((error: unknown) => {
      throw url === undefined ? error : unusable(error)
    })
    if (mayBeEmpty || isStarted) return work(db)
    throw new CannotRun(`There is nothing in ${targetOf(config)} yet: start the program once`)
  }
  if (url !== undefined) return onPostgres(url, workOn)
  if (!mayBeEmpty && !isMade(config)) {
    throw new CannotRun(`There is no database in ${config.dataDir}`)
  }
  const folder = await openDataFolder(config.dataDir, true)
  try {
    const db = await openEmbedded(folder.database)
    try {
      return await workOn(db)
    } finally {
      await db.close()
    }
  } finally {
    await folder.release()
  }
}

async function onPostgres<Result>(
  url: string,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const db = openPostgres({
    url,
    connectionsMax: 2,
    applicationName: 'redpack command',
    onError: () => undefined,
  })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}
