// Keeps a full disk from ending the embedded engine: writing stops while there is room to read.

import { statfs } from 'node:fs/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Database } from './database.ts'

export interface DiskWatch {
  /** Looks now instead of at the next turn. */
  look(): Promise<void>
  stop(): void
}

export interface DiskWatchOptions {
  readonly folder: string
  readonly log: Pick<FastifyBaseLogger, 'error' | 'info'>
  readonly freeBytesMin?: number
}

const lookEveryMillis = 1_000
/** Three files of the engine's log: it ends itself when it cannot begin the next one. */
const freeBytesMinDefault = 50_000_000

/**
 * While less than the minimum is free every write is refused with SQLSTATE 25006, which callers
 * hear as 503, and reads go on. Writing comes back by itself when there is room again.
 */
export function startDiskWatch(db: Database, options: DiskWatchOptions): DiskWatch {
  const freeBytesMin = options.freeBytesMin ?? freeBytesMinDefault
  let isReadOnly = false

  const look = async () => {
    const { bavail, bsize } = await statfs(options.folder)
    const freeBytes = bavail * bsize
    if (freeBytes < freeBytesMin === isReadOnly) return
    await db.script(`SET default_transaction_read_only = ${isReadOnly ? 'off' : 'on'}`)
    isReadOnly = !isReadOnly
    const details = { folder: options.folder, freeBytes, freeBytesMin }
    if (isReadOnly)
      options.log.error({ ...details, code: 'ENOSPC' }, 'the disk is full: only reading')
    else options.log.info(details, 'the disk has room again: writing as well')
  }
  const timer = setInterval(() => {
    look().catch((error: unknown) =>
      options.log.error({ err: error }, 'the disk cannot be looked at'),
    )
  }, lookEveryMillis).unref()
  return { look, stop: () => clearInterval(timer) }
}
