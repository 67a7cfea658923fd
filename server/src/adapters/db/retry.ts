// Which database errors to retry, and how long to wait first.

import { type Database, type Queryable, statement } from './database.ts'

const retriable = new Set(['40P01', '40001'])
const attemptsMax = 5
const jitterMillisMax = 25
/** Every SQLSTATE has a digit, which tells it from EPIPE and other codes of the system. */
const sqlStatePattern = /^(?=.*\d)[0-9A-Z]{5}$/
let retriesSoFar = 0

/** How often this process has run a transaction again. */
export function retryCount(): number {
  return retriesSoFar
}

/** The error and the causes that it was wrapped around. */
function* causesOf(error: unknown): Generator<Error & { readonly code?: unknown }> {
  let current = error
  for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
    yield current
    current = current.cause
  }
}

/**
 * The SQLSTATE of a database error, looked for through wrapped causes; undefined for other errors.
 */
export function sqlState(error: unknown): string | undefined {
  for (const { code } of causesOf(error)) {
    if (typeof code === 'string' && sqlStatePattern.test(code)) return code
  }
  return undefined
}

/**
 * Runs `work` again after a deadlock (40P01) or serialization failure (40001), at most five times
 * in all, waiting a random time of up to 25 ms times the attempt.
 * @throws the last error when every attempt failed
 */
export async function retryDeadlocks<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      const state = sqlState(error)
      if (state === undefined || !retriable.has(state) || attempt === attemptsMax) throw error
      retriesSoFar += 1
      // The spread only keeps two retries apart; nothing of value depends on it being
      // unpredictable.
      const waitMillis =
        (Number(process.hrtime.bigint() % 1000n) / 1000) * jitterMillisMax * attempt
      await new Promise((resolve) => setTimeout(resolve, waitMillis))
    }
  }
}

const oneMoment = statement('at_one_moment', 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ')
// The best way depends on the word: one that nobody has is looked up in an index, one that
// everybody has is met soon without.
const planByValues = statement(
  'plan_by_values',
  `SELECT set_config('plan_cache_mode', 'force_custom_plan', true) AS mode`,
)

/** Runs `read`, which must not write, in a transaction of its own. */
export function atOneMoment<Result>(
  db: Pick<Database, 'transaction'>,
  read: (tx: Queryable) => Promise<Result>,
): Promise<Result> {
  return db.transaction(async (tx) => {
    await tx.run(oneMoment, [])
    await tx.run(planByValues, [])
    return read(tx)
  }, 'read')
}

/**
 * The database cannot be reached, does not answer in time, or too many wait for it already. What a
 * statement or COMMIT that was under way has done is not known: whoever repeats a change does so
 * with its Idempotency-Key. Answered 503.
 */
export class DatabaseUnavailable extends Error {
  constructor(why: string, options: { cause?: unknown } = {}) {
    super(`The database ${why}`, options)
    this.name = 'DatabaseUnavailable'
  }
}

/** True for such an error and for one that was wrapped around it. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return [...causesOf(error)].some((cause) => cause instanceof DatabaseUnavailable)
}

/** One line: what is behind it all. Errors of several addresses of one name carry their reasons. */
export function reasonOf(error: unknown): string {
  if (error instanceof DatabaseUnavailable && error.cause !== undefined)
    return reasonOf(error.cause)
  const inner = error instanceof AggregateError ? error.errors[0] : error
  return String((inner as Error).message ?? inner).split('\n', 1)[0] ?? ''
}
