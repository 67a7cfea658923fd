// What the database says of itself and of the work that waits in it, without reading any table to
// its end; and what all figures mean to staff.

import { type JobList, outboxChannels, type ServerState } from '@redpack/contract'
import type { Database, Queryable } from '../../adapters/db/database.ts'
import { oneQuery, rowsQuery } from '../../adapters/db/queries.ts'
import type {
  DatabaseFigures,
  JobFigures,
  LogFigures,
  QueueFigures,
  ReadOnlyReason,
  ServerFigures,
  WitnessFigures,
} from '../../rules/server-figures.ts'
import { serverLines } from '../../rules/server-lines.ts'
import { type Dated, isoTimes } from '../../shared/iso-times.ts'
import { sharedRuns } from '../../shared/turns.ts'

const readWriting = oneQuery<{ isStandby: boolean; isReadOnly: boolean }>(
  'read_database_writing',
  `SELECT pg_is_in_recovery() AS "isStandby",
     current_setting('transaction_read_only') = 'on' AS "isReadOnly"`,
)

/** Why nothing can be written; undefined when it can. */
async function readOnlyReason(
  db: Pick<Database, 'kind' | 'run'>,
): Promise<ReadOnlyReason | undefined> {
  const { isStandby, isReadOnly } = await readWriting(db)
  if (!isReadOnly) return undefined
  if (isStandby) return 'standby'
  // Only the watch over its disk makes the embedded engine read only.
  return db.kind === 'embedded' ? 'disk_full' : 'setting'
}

/** Anybody may ask for it: those who ask at the same time ask together. */
export const readOnlyAsker = (db: Pick<Database, 'kind' | 'run'>) =>
  sharedRuns(() => readOnlyReason(db))

/** Queues are counted so far and no further. */
const countedMax = 10_000

// Ids count openings without reading them: the last one given is how many there were, give or take
// those rolled back. Times of waiting are told by the clock that wrote them.
const readWork = oneQuery<WorkRow>(
  'read_waiting_work',
  `SELECT
     (SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END
      FROM pack_openings_id_seq)::bigint AS openings,
     (SELECT coalesce(max(index) + 1, 0) FROM log_entries)::bigint AS "logEntries",
     (SELECT count(*)::int FROM (SELECT 1 FROM log_queue WHERE set_aside IS NULL
        LIMIT ${countedMax}) q) AS "logWaiting",
     coalesce((SELECT extract(epoch FROM clock_timestamp() - queued_at) FROM log_queue
       WHERE set_aside IS NULL ORDER BY id LIMIT 1), 0)::float8 AS "logOldest",
     (SELECT count(*)::int FROM (SELECT 1 FROM log_queue WHERE set_aside IS NOT NULL
        LIMIT ${countedMax}) q) AS "logSetAside"`,
)

interface WorkRow {
  readonly openings: number
  readonly logEntries: number
  readonly logWaiting: number
  readonly logOldest: number
  readonly logSetAside: number
}

// What is put off is not late before its time.
const readQueues = rowsQuery<QueueFigures, [now: Date, channels: readonly string[]]>(
  'read_outbox_figures',
  `SELECT w.channel AS name, count(q.next_try_at)::int AS waiting,
     coalesce(extract(epoch FROM $1::timestamptz - min(q.next_try_at)), 0)::float8
       AS "oldestSeconds"
   FROM unnest($2::text[]) w(channel) LEFT JOIN LATERAL (
     SELECT next_try_at FROM outbox_messages
     WHERE channel = w.channel AND state = 'waiting' AND bundled_into IS NULL
       AND next_try_at <= $1 ORDER BY next_try_at LIMIT ${countedMax}) q ON true
   GROUP BY w.channel -- not null: name (from a list without gaps)`,
)

const readLog = oneQuery<LogRow>(
  'read_log_signing',
  `SELECT encode(k.public_key, 'hex') AS "publicKey", k.trouble, c.size AS "signedSize",
     c.signed_at AS "signedAt"
   FROM (SELECT 1) one
   LEFT JOIN (SELECT * FROM log_keys ORDER BY id DESC LIMIT 1) k ON true
   LEFT JOIN (SELECT * FROM log_checkpoints ORDER BY size DESC LIMIT 1) c ON true`,
)
const readWitnesses = rowsQuery<
  { verifierKey: string; cosignedAt: Date | null; problem: string | null },
  [verifierKeys: readonly string[]]
>(
  'read_witness_figures',
  `SELECT verifier_key AS "verifierKey", cosigned_at AS "cosignedAt", problem
   FROM log_witnesses WHERE verifier_key = ANY ($1::text[])`,
)

interface LogRow {
  readonly publicKey: string | null
  readonly trouble: LogFigures['trouble'] | null
  readonly signedSize: number | null
  readonly signedAt: Date | null
}

// Rows of jobs that this program does not know belong to another version of it.
const readJobs = rowsQuery<JobFigures, [now: Date, names: readonly string[]]>(
  'read_job_figures',
  `SELECT name, every_seconds AS "everySeconds", failures_in_row AS "failuresInRow",
     last_succeeded_at AS "lastSucceededAt",
     last_duration_ms / 1000.0::float8 AS "lastDurationSeconds",
     CASE WHEN lease_until > clock_timestamp() THEN 0
       ELSE greatest(0, extract(epoch FROM $1::timestamptz - next_run_at))
     END::float8 AS "overdueSeconds"
   FROM jobs WHERE name = ANY ($2::text[]) ORDER BY name`,
)

/** What the program knows without asking the database. */
export interface Expected {
  readonly jobNames: readonly string[]
  readonly log: LogKeys
}

/** What the settings say of the log. */
interface LogKeys {
  /** Hex of the public half, undefined when there is no key. */
  readonly publicKey: string | undefined
  readonly witnesses: readonly { readonly name: string; readonly verifierKey: string }[]
}

/** A few short statements, one after the other so that they take one connection of the pool. */
export async function databaseFigures(
  db: Pick<Database, 'kind' | 'run'>,
  expected: Expected,
  now: Date,
): Promise<DatabaseFigures> {
  const startMillis = performance.now()
  const readOnly = await readOnlyReason(db)
  const answerSeconds = (performance.now() - startMillis) / 1000
  const work = await readWork(db)
  const queues = await readQueues(db, now, outboxChannels)
  const jobs = await readJobs(db, now, expected.jobNames)
  return {
    answerSeconds,
    readOnly,
    openings: work.openings,
    jobs,
    log: await logFigures(db, expected.log, work),
    queues,
  }
}

const age = (seconds: number): number => Math.max(0, seconds)

async function logFigures(
  db: Pick<Database, 'run'>,
  keys: LogKeys,
  work: WorkRow,
): Promise<LogFigures> {
  const row = await readLog(db)
  return {
    entries: work.logEntries,
    waiting: work.logWaiting,
    oldestSeconds: age(work.logOldest),
    setAside: work.logSetAside,
    trouble: troubleOf(row, keys),
    signedSize: row.signedSize ?? undefined,
    signedAt: row.signedAt ?? undefined,
    witnesses: await witnessFigures(db, keys),
  }
}

/** The key is looked at anew; the rest was found when the log was to be signed. */
function troubleOf(row: LogRow, { publicKey }: LogKeys): LogFigures['trouble'] {
  if (publicKey === undefined) return 'no_key'
  if (row.publicKey !== null && row.publicKey !== publicKey) return 'key_changed'
  return row.trouble ?? undefined
}

async function witnessFigures(
  db: Pick<Database, 'run'>,
  { witnesses }: LogKeys,
): Promise<readonly WitnessFigures[]> {
  if (witnesses.length === 0) return []
  const asked = witnesses.map(({ verifierKey }) => verifierKey)
  const rows = await readWitnesses(db, asked)
  return witnesses.map(({ name, verifierKey }) => {
    const row = rows.find((found) => found.verifierKey === verifierKey)
    return {
      name,
      cosignedAt: row?.cosignedAt ?? undefined,
      problem: row?.problem ?? undefined,
    }
  })
}

/** The page of staff about the server. */
export function serverState(figures: ServerFigures): ServerState {
  const { name, version, startedAt } = figures.process
  return {
    now: figures.now.toISOString(),
    process: { name, version, startedAt: startedAt.toISOString() },
    lines: serverLines(figures).map((line) => ({ ...line })),
  }
}

const jobsMax = 200

type JobTimes = 'nextRunAt' | `last${'Started' | 'Finished' | 'Succeeded'}At`
const listJobs = rowsQuery<Dated<JobList['jobs'][number], JobTimes>>(
  'read_jobs',
  `SELECT name, every_seconds AS "everySeconds",
     coalesce(lease_until > clock_timestamp(), false) AS "isRunning",
     next_run_at AS "nextRunAt", last_started_at AS "lastStartedAt",
     last_finished_at AS "lastFinishedAt", last_succeeded_at AS "lastSucceededAt",
     last_duration_ms AS "lastDurationMillis", last_failure AS "lastFailure",
     failures_in_row AS "failuresInRow"
   FROM jobs ORDER BY failures_in_row = 0, name LIMIT ${jobsMax}`,
)

/** Every job, those that fail first. */
export async function jobList(db: Queryable, now: Date): Promise<JobList> {
  return { now: now.toISOString(), jobs: (await listJobs(db)).map(isoTimes) }
}
