// Brings a dump into the configured database.

import { resolve } from 'node:path'
import { lacksRoom, UnusableFolder } from '../adapters/data-folder/data-folder.ts'
import { FolderInUse } from '../adapters/data-folder/lock.ts'
import { checkDump, UnusableDump } from '../adapters/db/dump.ts'
import { readMigrations } from '../adapters/db/migrate.ts'
import { RestoreRefused, restoreDump } from '../adapters/db/restore.ts'
import { forgetIdleKeys } from '../adapters/encryption/key-marks.ts'
import type { Config } from '../config/config.ts'
import { migrationsFolder } from '../paths.ts'
import { CannotRun, type CommandOutput, isMade, targetOf, withDatabase } from './command.ts'

/** @throws CannotRun when the dump or the database is refused; nothing is changed then */
export async function restore(
  config: Config,
  name: string,
  force: boolean,
  output: CommandOutput,
): Promise<void> {
  const file = resolve(name)
  const target = targetOf(config)
  output.line(`Restoring into ${target}`)
  const migrations = await readMigrations(migrationsFolder)
  try {
    // No database is made for a dump that cannot be restored.
    if (!isMade(config)) await checkDump(file)
    const { rows } = await withDatabase(
      config,
      async (db) => {
        const restored = await restoreDump(db, file, {
          migrations,
          force,
          onProgress: (done, total) => output.progress(`${done} of ${total} rows restored`),
        })
        await forgetIdleKeys(db)
        return restored
      },
      { mayBeEmpty: true },
    )
    output.progress('')
    output.line(`Restored ${rows} rows from ${file}`)
  } catch (error) {
    if (error instanceof UnusableDump || error instanceof RestoreRefused) {
      throw new CannotRun(`Nothing was restored into ${target}. ${error.message}`)
    }
    if (error instanceof FolderInUse || error instanceof UnusableFolder) throw error
    // The engine has other words for it, by the place where its log ended.
    if (config.databaseUrl === undefined && isMade(config) && lacksRoom(config.dataDir)) {
      throw new CannotRun(`Nothing was restored into ${target}: less than 50 MB are free there`)
    }
    throw error
  }
}
