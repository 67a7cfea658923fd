// Gathers the figures of the server, in time also when the database does not answer.

import type {
  BooksFigures,
  ConnectionFigures,
  DatabaseFigures,
  EventsFigures,
  LimiterFigures,
  PoolFigures,
  ProcessFigures,
  ServerFigures,
} from '../../rules/server-figures.ts'
import type { Clock } from '../clock/clock.ts'
import { withinMillis } from '../clock/within.ts'

/** Whoever collects metrics gives up after some seconds, and wants them most in trouble. */
const databaseMillisMax = 1_500
/** Several who ask at once share one reading. */
const keptMillis = 1_000

/** Where the figures come from. */
export interface FigureSources {
  process(): ProcessFigures
  pool(): PoolFigures | undefined
  events(): EventsFigures
  limiter(): LimiterFigures
  connections(): ConnectionFigures
  database(): Promise<DatabaseFigures>
  books(): Promise<BooksFigures>
}

/** Answers within two seconds; what the database did not say by then is undefined. */
export function figureReader(sources: FigureSources, clock: Clock): () => Promise<ServerFigures> {
  const database = shared(() => sources.database(), clock)
  const books = shared(() => sources.books(), clock)
  return async () => {
    const [ofDatabase, ofBooks] = await Promise.all([database(), books()])
    return {
      now: clock.now(),
      process: sources.process(),
      pool: sources.pool(),
      events: sources.events(),
      limiter: sources.limiter(),
      connections: sources.connections(),
      database: ofDatabase,
      books: ofBooks,
    }
  }
}

/** One reading at a time, kept for a second; undefined when it fails or takes too long. */
function shared<Value>(read: () => Promise<Value>, clock: Clock): () => Promise<Value | undefined> {
  let underWay: Promise<Value> | undefined
  let kept: { readonly value: Value; readonly at: Date } | undefined
  return async () => {
    const age = kept === undefined ? Number.NaN : clock.now().getTime() - kept.at.getTime()
    if (kept !== undefined && age >= 0 && age < keptMillis) return kept.value
    underWay ??= read().finally(() => {
      underWay = undefined
    })
    try {
      const value = await withinMillis(underWay, databaseMillisMax)
      kept = { value, at: clock.now() }
      return value
    } catch {
      return undefined
    }
  }
}
