// The newest checkpoint that this machine signed, in a file of the data folder, so that restoring a
// dump does not revert it.

import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { syncPath } from '../db/embedded.ts'
import type { SignedMemory } from '../transparency-log/public-log.ts'

const fileName = 'log-checkpoint'

/** Reads and replaces the file, whole or not at all. */
export function lastCheckpointIn(folder: string): SignedMemory {
  const file = join(folder, fileName)
  return {
    read() {
      try {
        return readFileSync(file, 'utf8')
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw error
      }
    },
    keep(note) {
      const temporary = `${file}.${process.pid}`
      writeFileSync(temporary, note)
      syncPath(temporary)
      renameSync(temporary, file)
    },
  }
}
