// Every statement that waits for the server's answer, and how long we let it wait.

import { performance } from 'node:perf_hooks'
import { DatabaseUnavailable } from './database-unavailable.ts'
import type { PostgresConnection } from './postgres-connection.ts'

interface UnderWay {
  readonly connection: PostgresConnection
  readonly startMillis: number
  readonly giveUp: (error: DatabaseUnavailable) => void
}

export class InFlightStatements {
  private readonly all = new Set<UnderWay>()
  private readonly onLate: () => void

  /** `onLate` is called when a statement was not answered in its time. */
  constructor(onLate: () => void) {
    this.onLate = onLate
  }

  /** For how many milliseconds the oldest one waits, 0 when none does. */
  longestMillis(): number {
    const now = performance.now()
    let longest = 0
    for (const { startMillis } of this.all) longest = Math.max(longest, now - startMillis)
    return longest
  }

  /**
   * Runs `work` on the connection. When the answer is late the connection is thrown away.
   * @throws DatabaseUnavailable after `millisMax`, or when the connection is lost
   */
  run<Result>(
    connection: PostgresConnection,
    millisMax: number,
    work: () => Promise<Result>,
  ): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const end = () => {
        clearTimeout(timer)
        this.all.delete(underWay)
      }
      const giveUp = (error: DatabaseUnavailable) => {
        end()
        connection.abandon()
        reject(error)
      }
      const underWay = { connection, startMillis: performance.now(), giveUp }
      const timer = afterReading(
        millisMax,
        () => this.all.has(underWay),
        () => {
          giveUp(new DatabaseUnavailable(`has not answered within ${Math.round(millisMax)} ms`))
          this.onLate()
        },
      )
      this.all.add(underWay)
      work().then(
        (result) => {
          end()
          resolve(result)
        },
        (error: unknown) => {
          end()
          reject(connection.understand(error))
        },
      )
    })
  }

  /** Ends the waiting of those that write and have waited for longer than this. */
  giveUpWrites(error: DatabaseUnavailable, olderThanMillis: number): void {
    const before = performance.now() - olderThanMillis
    for (const { connection, startMillis, giveUp } of [...this.all]) {
      if (connection.lane === 'write' && startMillis < before) giveUp(error)
    }
  }

  /** Ends the waiting of all; their connections are thrown away. */
  giveUpAll(error: DatabaseUnavailable): void {
    for (const { giveUp } of [...this.all]) giveUp(error)
  }
}

/**
 * Calls `late` unless the answer came. After the event loop has stood still, time is up before what
 * has arrived meanwhile was read; so it is read first.
 */
function afterReading(millis: number, isWaiting: () => boolean, late: () => void): NodeJS.Timeout {
  return setTimeout(() => {
    setImmediate(() => {
      setImmediate(() => {
        if (isWaiting()) late()
      })
    })
  }, millis)
}
