// Asks one or several PostgreSQL servers whether they answer, and which one accepts writes.

import pg from 'pg'
import { hostOf } from '../../config/postgres-addresses.ts'
import { PostgresConnection } from './postgres-connection.ts'
import { DatabaseUnavailable, reasonOf } from './retry.ts'

export interface Sighting {
  readonly address: string
  /** Commits have waited for a standby for so long that it must be away. */
  readonly doCommitsWait: boolean
  /** Grows by one with each promotion; 0 where there is one host only. */
  readonly timeline: number
}

const millisMax = 2_000
/** Of several hosts the second may be on a later timeline than the first to answer. */
const othersMillis = 250
const tooManyConnections = '53300'

const readState = `SELECT pg_is_in_recovery() AS "isStandby", EXISTS (
  SELECT FROM pg_stat_activity
  WHERE wait_event = 'SyncRep' AND usename = current_user AND datname = current_database()
    AND state_change < clock_timestamp() - interval '3 s') AS "doCommitsWait"`
const readTimeline = `SELECT CASE WHEN pg_is_in_recovery() THEN 0 ELSE
  ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int END AS timeline`

/**
 * Answers the host that writes, of one address that host whatever it is. Of several that write, one
 * was replaced and came back: the latest timeline counts.
 * @throws DatabaseUnavailable within two seconds when there is none
 */
export async function findPrimary(
  addresses: readonly string[],
  config: pg.ClientConfig,
): Promise<Sighting> {
  const found: Sighting[] = []
  const problems: string[] = []
  let cause: unknown
  const searches = addresses.map(async (address) => {
    try {
      found.push(await look(address, config, addresses.length > 1))
    } catch (error) {
      cause = error
      const where = addresses.length > 1 ? `${hostOf(address)}: ` : ''
      problems.push(`${where}${reasonOf(error)}`)
    }
  })
  const all = Promise.all(searches)
  const first = new Promise<void>((resolve) => {
    for (const search of searches) {
      void search.then(() => {
        if (found.length > 0) setTimeout(resolve, othersMillis)
      })
    }
  })
  await Promise.race([all, first])
  const [latest] = found.toSorted((left, right) => right.timeline - left.timeline)
  if (latest !== undefined) return latest
  throw new DatabaseUnavailable(
    `does not answer: ${problems.join('; ')}`,
    addresses.length > 1 ? {} : { cause },
  )
}

async function look(
  address: string,
  config: pg.ClientConfig,
  isOneOfSeveral: boolean,
): Promise<Sighting> {
  const connection = new PostgresConnection({ ...config, connectionString: address })
  const timer = setTimeout(() => connection.abandon(), millisMax)
  try {
    await connection.connect()
    const { rows } = await connection.query<{ isStandby: boolean; doCommitsWait: boolean }>(
      readState,
    )
    const state = rows[0]
    if (!isOneOfSeveral) {
      return { address, doCommitsWait: state?.doCommitsWait === true, timeline: 0 }
    }
    if (state?.isStandby !== false) throw new DatabaseUnavailable('is a standby')
    const read = await connection.query<{ timeline: number }>(readTimeline)
    return {
      address,
      doCommitsWait: state.doCommitsWait,
      timeline: read.rows[0]?.timeline ?? 0,
    }
  } catch (error) {
    // A server without a free connection answers; those that are open may go on.
    const isFull = error instanceof pg.DatabaseError && error.code === tooManyConnections
    if (isFull && !isOneOfSeveral) return { address, doCommitsWait: false, timeline: 0 }
    throw error
  } finally {
    clearTimeout(timer)
    connection.end().catch(() => undefined)
  }
}
