// Which database errors are worth another try, and how long to wait before it.

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

/**
 * The SQLSTATE of a database error, looked for through wrapped causes; undefined for other errors.
 */
export function sqlState(error: unknown): string | undefined {
  let current: unknown = error
  for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
    const code = (current as Error & { code?: unknown }).code
    if (typeof code === 'string' && sqlStatePattern.test(code)) return code
    current = current.cause
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
