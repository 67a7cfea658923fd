// Stops the program gracefully on a signal, and at once on a second one.

import type { FastifyBaseLogger } from 'fastify'
import { linesOf } from './start-lines.ts'

/** A stop takes at most this long, and as much longer as more than 5 s are asked for the drain. */
const stopMillisMax = 9_500
const drainMillisWithin = 5_000
/** Signals within this time are one that came along two ways. */
const sameSignalMillis = 1_500

/** How long a stop may take that serves on for `drainMillis`, in milliseconds. */
export function stopMillis(drainMillis: number): number {
  return stopMillisMax + Math.max(0, drainMillis - drainMillisWithin)
}

/** What the program does at SIGTERM and SIGINT. */
export interface Stop {
  /** Answers whether all went well. */
  readonly run: () => Promise<boolean>
  /** The program ends with 1 when `run` has not ended by then. Asked at the signal. */
  readonly millisMax: () => number
  /** Called in front of an end without grace. */
  readonly onImpatience?: () => void
}

export function stopOnSignals({ run, millisMax, onImpatience = () => undefined }: Stop): void {
  let askedAtMillis: number | undefined
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (askedAtMillis !== undefined) {
        // Who asks twice does not want to wait. Commits are safe: only the last dump is missing
        // then. A terminal asks the whole group, and npm passes on what it got: that is once.
        if (performance.now() - askedAtMillis <= sameSignalMillis) return
        onImpatience()
        process.exit(1)
      }
      askedAtMillis = performance.now()
      setTimeout(() => process.exit(1), millisMax()).unref()
      run().then(
        (isWell) => process.exit(isWell ? 0 : 1),
        (error) => {
          process.stderr.write(`The stop failed: ${linesOf(error).join()}\n`)
          process.exit(1)
        },
      )
    })
  }
}

/** A fault that nobody caught ends the program, with its last word in the log. */
export function endOnFaults(log: Pick<FastifyBaseLogger, 'fatal'>): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      log.fatal({ err: error }, 'the program has a fault and stops')
      process.exit(1)
    })
  }
}
