// Regular dumps of the embedded database, kept beside it, so that a mistake costs an hour at most.

import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../clock/clock.ts'
import { type Database, statement } from './database.ts'
import { writeDump } from './dump.ts'

export interface RollingDumpOptions {
  readonly folder: string
  readonly clock: Clock
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
  readonly keepMax?: number
}

const keepMaxDefault = 24
const hourMillis = 3_600_000
const checkpointEveryMillis = 60_000
/** Replaying this much of the log after a crash takes well under a second. */
const logBytesMax = 32_000_000
const lastDumpMillisMax = 4_000
const dumpPattern = /^redpack-[0-9TZ-]+\.dump$/
const unfinishedPattern = /^redpack-[0-9TZ-]+\.dump\.\d+\.unfinished$/

const readLogPosition = statement(
  'read_log_position',
  "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint AS bytes",
)

/** File name that sorts by time, to the second, UTC. */
export function dumpName(at: Date): string {
  return `redpack-${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z.dump`
}

/** Path of the last dump in a data folder, undefined for none. */
export function newestDump(dataDir: string, now: Date): string | undefined {
  return dumpsByAge(join(dataDir, 'dumps'), now).at(-1)
}

/**
 * Paths of the dumps in a folder, the oldest first; their names sort by time. Those of a clock that
 * was ahead are older than they say: else every new one would be taken for the oldest.
 */
function dumpsByAge(folder: string, now: Date): string[] {
  const dumps = filesIn(folder, dumpPattern)
  const isAhead = (file: string) => file > join(folder, dumpName(now))
  return [...dumps.filter(isAhead), ...dumps.filter((file) => !isAhead(file))]
}

/**
 * Dumps every hour and keeps the last 24. Also makes the engine's checkpoints, which it has no
 * process of its own for: without them its log would grow and a start after a crash would take ever
 * longer.
 */
export function startRollingDumps(db: Database, options: RollingDumpOptions) {
  const { log } = options
  let lastDumpedAt = -1
  let lastCheckpointAt = 0
  let running: Promise<void> = Promise.resolve()
  const interrupted = new AbortController()

  const position = async () => (await db.run<{ bytes: number }>(readLogPosition, []))[0]?.bytes ?? 0
  const dumpWhenChanged = async (signal: AbortSignal) => {
    const before = await position()
    if (before === lastDumpedAt) return
    const now = options.clock.now()
    const file = join(options.folder, dumpName(now))
    const { rows } = await writeDump(db, file, { createdAt: now, signal })
    lastDumpedAt = await position()
    removeFiles(dumpsByAge(options.folder, now).slice(0, -(options.keepMax ?? keepMaxDefault)))
    log.info({ file, rows }, 'dumped the embedded database')
  }
  const checkpointWhenDue = async () => {
    const now = await position()
    if (now - lastCheckpointAt < logBytesMax) return
    await db.script('CHECKPOINT')
    lastCheckpointAt = await position()
  }
  const oneAtATime = (work: () => Promise<void>, what: string): Promise<void> => {
    running = running.then(work).catch((error: unknown) => log.error({ err: error }, what))
    return running
  }
  const dumpNow = (signal = interrupted.signal) =>
    oneAtATime(async () => {
      await dumpWhenChanged(signal).catch((error: unknown) => {
        // What a stop gives up is no failure.
        if (signal !== interrupted.signal || !signal.aborted) throw error
      })
    }, 'the embedded database could not be dumped')

  // The folder's lock is held: whoever was writing these was killed.
  void oneAtATime(
    async () => removeFiles(filesIn(options.folder, unfinishedPattern)),
    'what is left of a dump could not be removed',
  )
  const timers = [
    setInterval(() => void dumpNow(), hourMillis),
    setInterval(() => {
      void oneAtATime(checkpointWhenDue, 'the embedded database could not be checkpointed')
    }, checkpointEveryMillis),
  ]
  for (const timer of timers) timer.unref()
  return {
    /** Makes a dump when anything has changed since the last one. Failures are only logged. */
    dumpNow: () => dumpNow(),
    /** Gives up the dump under way, since everything else waits for it. */
    interrupt: () => interrupted.abort(),
    /** Ends the timers and makes the last dump, for which it waits at most `lastDumpMillisMax`. */
    async stop() {
      for (const timer of timers) clearInterval(timer)
      await dumpNow(AbortSignal.timeout(lastDumpMillisMax))
    },
  }
}

/** Paths of the files whose name says what they are, by name. */
function filesIn(folder: string, pattern: RegExp): string[] {
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).filter((name) => pattern.test(name))
  return names.sort().map((name) => join(folder, name))
}

function removeFiles(files: readonly string[]): void {
  for (const file of files) rmSync(file, { force: true })
}
