// Knows whether the database answers: callers are refused at once while it does not, and its return
// is noticed.

import { statfs } from 'node:fs/promises'
import type { FastifyBaseLogger } from 'fastify'
import { sharedRuns } from '../../shared/turns.ts'
import { freeBytesMin as freeBytesMinUsual } from '../data-folder/data-folder.ts'
import type { Database, Lane } from './database.ts'
import type { Sighting } from './primary-search.ts'
import { DatabaseUnavailable } from './retry.ts'

export interface WatchOptions {
  /** Looks once; rejects with DatabaseUnavailable within two seconds when nobody answers. */
  readonly look: () => Promise<Sighting>
  /** Since when the oldest statement waits for its answer, in milliseconds. */
  readonly longestMillis: () => number
  /** The database answers nobody: whoever waits can be sent away. */
  readonly onAway: (error: DatabaseUnavailable) => void
  /** Commits wait for a standby that is away: whoever waits to write can be sent away. */
  readonly onCommitsWait: (error: DatabaseUnavailable) => void
  /** The address that writes is another one than before. */
  readonly onMoved: (address: string) => void
  /** One line for the operator when it changes. */
  readonly onChange: (state: DatabaseState, why: string, lastedMillis: number) => void
}

export type DatabaseState = 'well' | 'commits_wait' | 'away'

const lookEveryMillis = 500
const suspiciousMillis = 2_000

export class DatabaseWatch {
  /** How often something spoke against the database. */
  doubts = 0
  /** How often another server was seen to take over. */
  takeovers = 0
  private readonly options: WatchOptions
  private readonly timer: NodeJS.Timeout
  private look: Promise<void> | undefined
  private state: DatabaseState = 'well'
  private sinceMillis = performance.now()
  private error: DatabaseUnavailable | undefined
  private address: string
  private timeline = 0
  private lookedMillis = Number.NEGATIVE_INFINITY
  private isClosed = false

  constructor(address: string, options: WatchOptions) {
    this.address = address
    this.options = options
    this.timer = setInterval(() => {
      const isFresh = performance.now() - this.lookedMillis < suspiciousMillis
      if (!isFresh && options.longestMillis() > suspiciousMillis) this.suspect()
    }, lookEveryMillis).unref()
  }

  /** @throws DatabaseUnavailable when it makes no sense to ask the database now */
  refuse(lane: Lane): void {
    if (this.isClosed) throw new DatabaseUnavailable('connections are closed')
    const isRefused = this.state === 'away' || (this.state === 'commits_wait' && lane === 'write')
    if (isRefused && this.error !== undefined) throw this.error
  }

  /** Something speaks against the database: looks until it is well again. */
  suspect(): void {
    this.doubts += 1
    if (!this.isClosed) void this.lookUntilWell()
  }

  /** Waits for the answer of a look under way, so that nobody connects to a server just left. */
  async firstLook(): Promise<void> {
    await this.look
  }

  close(): void {
    this.isClosed = true
    clearInterval(this.timer)
  }

  private readonly lookUntilWell = sharedRuns(async () => {
    for (;;) {
      this.look = this.lookOnce()
      await this.look
      if (this.state === 'well' || this.isClosed) return
      await new Promise((resolve) => setTimeout(resolve, lookEveryMillis).unref())
      if (this.isClosed) return
    }
  })

  private async lookOnce(): Promise<void> {
    this.lookedMillis = performance.now()
    try {
      this.believe(await this.options.look())
    } catch (error) {
      this.setAway(
        error instanceof DatabaseUnavailable
          ? error
          : new DatabaseUnavailable('does not answer', { cause: error }),
      )
    }
  }

  private believe({ address, timeline, doCommitsWait }: Sighting): void {
    if (timeline < this.timeline) {
      // It was replaced by another one, and what is written to it is lost.
      this.setAway(new DatabaseUnavailable('that answers was replaced: it is on an older timeline'))
      return
    }
    if (timeline > this.timeline && this.timeline > 0) this.takeovers += 1
    this.timeline = timeline
    if (address !== this.address) {
      this.address = address
      this.options.onMoved(address)
    }
    if (!doCommitsWait) {
      this.change('well', undefined)
      return
    }
    const error = new DatabaseUnavailable('waits for a standby that does not confirm')
    this.change('commits_wait', error)
    this.options.onCommitsWait(error)
  }

  private setAway(error: DatabaseUnavailable): void {
    this.change('away', error)
    this.options.onAway(error)
  }

  private change(state: DatabaseState, error: DatabaseUnavailable | undefined): void {
    this.error = error
    if (state === this.state) return
    const now = performance.now()
    this.options.onChange(state, error?.message ?? '', now - this.sinceMillis)
    this.state = state
    this.sinceMillis = now
  }
}

export interface DiskWatchOptions {
  readonly folder: string
  readonly log: Pick<FastifyBaseLogger, 'error' | 'info'>
  readonly freeBytesMin?: number
}

const diskLookMillis = 1_000

/**
 * While less than the minimum is free every write is refused with SQLSTATE 25006, which callers
 * hear as 503, and reads go on. Writing comes back by itself when there is room again.
 */
export function startDiskWatch(db: Database, options: DiskWatchOptions) {
  const freeBytesMin = options.freeBytesMin ?? freeBytesMinUsual
  let isReadOnly = false

  // The database may be busy for longer than it is until the next turn.
  const look = sharedRuns(async () => {
    const { bavail, bsize } = await statfs(options.folder)
    const freeBytes = bavail * bsize
    const isFull = freeBytes < freeBytesMin
    if (isFull === isReadOnly) return
    await db.script(`SET default_transaction_read_only = ${isFull ? 'on' : 'off'}`)
    isReadOnly = isFull
    const details = { folder: options.folder, freeBytes, freeBytesMin }
    if (isReadOnly)
      options.log.error({ ...details, code: 'ENOSPC' }, 'the disk is full: only reading')
    else options.log.info(details, 'the disk has room again: writing as well')
  })
  const timer = setInterval(() => {
    look().catch((error: unknown) =>
      options.log.error({ err: error }, 'the disk cannot be looked at'),
    )
  }, diskLookMillis).unref()
  return {
    /** Looks now instead of at the next turn, unless a look is under way. */
    look,
    stop: () => clearInterval(timer),
  }
}
