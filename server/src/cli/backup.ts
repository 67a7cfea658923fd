// Writes a dump of the configured database to a file.

import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { writeDump } from '../adapters/db/dump.ts'
import type { Config } from '../config.ts'
import { type CommandOutput, withDatabase } from './command.ts'

/** Works on a PostgreSQL in use; an embedded database must not be in use. */
export async function backUp(config: Config, name: string, output: CommandOutput): Promise<void> {
  const file = resolve(name)
  const { rows } = await withDatabase(config, { mayCreate: false }, (db) =>
    writeDump(db, file, {
      createdAt: new Date(),
      onProgress: (done) => output.progress(`${done} rows written`),
    }),
  )
  output.progress('')
  const kilobytes = Math.ceil(statSync(file).size / 1000)
  output.line(`Wrote ${rows} rows to ${file} (${kilobytes} kB)`)
  output.line('Uploaded pictures and the encryption key are not in it: copy them from DATA_DIR.')
}
