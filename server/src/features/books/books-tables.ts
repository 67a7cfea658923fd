// The SQL of what the check of the books has found and how far it has come.

import { type Queryable, statement } from '../../adapters/db/database.ts'

/** One invariant as it stands. */
export interface BooksRow {
  readonly invariant: string
  /** When it was last checked to the end; null with `brokenRows` before that. */
  readonly checkedAt: Date | null
  readonly brokenRows: number | null
  /** Milliseconds that it worked, without pauses. */
  readonly workMillis: number | null
  readonly startedAt: Date | null
  readonly progress: { readonly part: string } | null
  /** Of the check under way. */
  readonly brokenSoFar: number
  readonly millisSoFar: number
  readonly failingSince: Date | null
  readonly failedAt: Date | null
  readonly failure: string | null
  readonly failuresInRow: number
  /** What looks at new rows have found that no check begun later has judged. */
  readonly newBrokenRows: number
  /** To be checked from the beginning, whatever the time. */
  readonly isDue: boolean
}

const readRows = statement(
  'read_books_checks',
  `SELECT invariant, checked_at AS "checkedAt", broken_rows AS "brokenRows",
     work_millis AS "workMillis", started_at AS "startedAt", progress,
     broken_so_far AS "brokenSoFar", millis_so_far AS "millisSoFar",
     failing_since AS "failingSince", failed_at AS "failedAt", failure,
     failures_in_row AS "failuresInRow", new_broken_rows AS "newBrokenRows", is_due AS "isDue"
   FROM books_checks ORDER BY invariant LIMIT 200`,
)
const begin = statement(
  'begin_books_check',
  `INSERT INTO books_checks (invariant, started_at, runner) VALUES ($1, $2, $3)
   ON CONFLICT (invariant) DO UPDATE SET runner = $3,
     started_at = coalesce(books_checks.started_at, $2),
     is_due = false,
     is_found_since = books_checks.is_found_since AND books_checks.started_at IS NOT NULL`,
)
const keep = statement(
  'keep_books_progress',
  `UPDATE books_checks SET progress = $3::jsonb, broken_so_far = $4, millis_so_far = $5
   WHERE invariant = $1 AND runner = $2 RETURNING invariant`,
)
const finish = statement(
  'finish_books_check',
  `UPDATE books_checks SET checked_at = $3, broken_rows = $4, work_millis = $5, started_at = NULL,
     runner = NULL, progress = NULL, broken_so_far = 0, millis_so_far = 0, failing_since = NULL,
     failed_at = NULL, failure = NULL, failures_in_row = 0,
     new_broken_rows = CASE WHEN is_found_since THEN new_broken_rows ELSE 0 END
   WHERE invariant = $1 AND runner = $2 RETURNING invariant`,
)
const fail = statement(
  'fail_books_check',
  `UPDATE books_checks SET failing_since = coalesce(failing_since, $3), failed_at = $3,
     failure = $4, failures_in_row = failures_in_row + 1, runner = NULL
   WHERE invariant = $1 AND runner = $2`,
)
const readAlarm = statement('read_books_alarm', 'SELECT since FROM books_alarm')
const beginAlarm = statement(
  'begin_books_alarm',
  'INSERT INTO books_alarm (since) VALUES ($1) ON CONFLICT DO NOTHING',
)
const tell = statement(
  'tell_books_alarm',
  'UPDATE books_alarm SET told_at = $1 WHERE told_at IS NULL RETURNING only_row',
)
const untell = statement(
  'end_books_alarm',
  'UPDATE books_alarm SET told_at = NULL WHERE told_at IS NOT NULL RETURNING only_row',
)

/** What is known of every invariant that was ever looked at. */
export function readBooksRows(db: Queryable): Promise<BooksRow[]> {
  return db.run<BooksRow>(readRows, [])
}

/** Makes `runner` the one that checks the invariant, where the check was left or from now on. */
export async function beginCheck(
  db: Queryable,
  invariant: string,
  runner: string,
  now: Date,
): Promise<void> {
  await db.run(begin, [invariant, now, runner])
}

export interface CheckSoFar {
  readonly progress: unknown
  readonly brokenRows: number
  readonly workMillis: number
}

/** False when another runner has taken the check over. */
export async function keepProgress(
  db: Queryable,
  invariant: string,
  runner: string,
  { progress, brokenRows, workMillis }: CheckSoFar,
): Promise<boolean> {
  const values = [invariant, runner, JSON.stringify(progress ?? null), brokenRows, workMillis]
  return (await db.run(keep, values)).length === 1
}

/** False when another runner has taken the check over. */
export async function finishCheck(
  db: Queryable,
  invariant: string,
  runner: string,
  { brokenRows, workMillis }: Omit<CheckSoFar, 'progress'>,
  now: Date,
): Promise<boolean> {
  return (await db.run(finish, [invariant, runner, now, brokenRows, workMillis])).length === 1
}

/** Keeps why the check could not go on, and since when; how far it had come stays. */
export async function failCheck(
  db: Queryable,
  invariant: string,
  runner: string,
  failure: string,
  now: Date,
): Promise<void> {
  await db.run(fail, [invariant, runner, now, failure])
}

/** Since when there is something to check; undefined where nobody has written it down. */
export async function booksKnownSince(db: Queryable): Promise<Date | undefined> {
  return (await db.run<{ since: Date }>(readAlarm, []))[0]?.since
}

/** Writes down that there is something to check from now on, unless that stands there. */
export async function beginBooksAlarm(db: Queryable, now: Date): Promise<void> {
  await db.run(beginAlarm, [now])
}

/** True for the one process that is to tell the operator. */
export async function takeBooksAlarm(db: Queryable, now: Date): Promise<boolean> {
  return (await db.run(tell, [now])).length === 1
}

/** True when the operator had been told and it is over now. */
export async function endBooksAlarm(db: Queryable): Promise<boolean> {
  return (await db.run(untell, [])).length === 1
}
