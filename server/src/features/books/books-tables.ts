// The SQL of what the check of the books has found and how far it has come.

import { existsQuery, oneValueQuery, rowsQuery, writeQuery } from '../../adapters/db/queries.ts'

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

/** What is known of every invariant that was ever looked at. */
export const readBooksRows = rowsQuery<BooksRow>(
  'read_books_checks',
  `SELECT invariant, checked_at AS "checkedAt", broken_rows AS "brokenRows",
     work_millis AS "workMillis", started_at AS "startedAt", progress,
     broken_so_far AS "brokenSoFar", millis_so_far AS "millisSoFar",
     failing_since AS "failingSince", failed_at AS "failedAt", failure,
     failures_in_row AS "failuresInRow", new_broken_rows AS "newBrokenRows", is_due AS "isDue"
   FROM books_checks ORDER BY invariant LIMIT 200`,
)

/** Makes `runner` the one that checks the invariant, where the check was left or from now on. */
export const beginCheck = writeQuery<[invariant: string, runner: string, now: Date]>(
  'begin_books_check',
  `INSERT INTO books_checks (invariant, started_at, runner) VALUES ($1, $3, $2)
   ON CONFLICT (invariant) DO UPDATE SET runner = $2,
     started_at = coalesce(books_checks.started_at, $3),
     is_due = false,
     is_found_since = books_checks.is_found_since AND books_checks.started_at IS NOT NULL`,
)

interface CheckSoFar {
  readonly invariant: string
  readonly runner: string
  readonly brokenRows: number
  readonly workMillis: number
}

/** False when another runner has taken the check over. */
export const keepProgress = existsQuery<[soFar: CheckSoFar & { readonly progress: string }]>(
  'keep_books_progress',
  `UPDATE books_checks SET progress = :progress::jsonb, broken_so_far = :brokenRows,
     millis_so_far = :workMillis
   WHERE invariant = :invariant AND runner = :runner RETURNING invariant`,
)

/** False when another runner has taken the check over. */
export const finishCheck = existsQuery<[found: CheckSoFar & { readonly now: Date }]>(
  'finish_books_check',
  `UPDATE books_checks SET checked_at = :now, broken_rows = :brokenRows, work_millis = :workMillis,
     started_at = NULL, runner = NULL, progress = NULL, broken_so_far = 0, millis_so_far = 0,
     failing_since = NULL, failed_at = NULL, failure = NULL, failures_in_row = 0,
     new_broken_rows = CASE WHEN is_found_since THEN new_broken_rows ELSE 0 END
   WHERE invariant = :invariant AND runner = :runner RETURNING invariant`,
)

/** Keeps why the check could not go on, and since when; how far it had come stays. */
export const failCheck = writeQuery<
  [invariant: string, runner: string, failure: string, now: Date]
>(
  'fail_books_check',
  `UPDATE books_checks SET failing_since = coalesce(failing_since, $4), failed_at = $4,
     failure = $3, failures_in_row = failures_in_row + 1, runner = NULL
   WHERE invariant = $1 AND runner = $2`,
)

/** Since when there is something to check: the database was made, or restored, then. */
export const booksKnownSince = oneValueQuery<{ since: Date }>(
  'read_when_books_began',
  'SELECT applied_at AS since FROM schema_migrations WHERE version = 1',
)

const alarmKey = "'books_alarm'"

/** True for the one process that is to tell the operator. */
export const takeBooksAlarm = existsQuery<[now: Date]>(
  'tell_books_alarm',
  `INSERT INTO app_settings (key, value, created_at, updated_at)
   VALUES (${alarmKey}, 'true', $1, $1) ON CONFLICT DO NOTHING RETURNING key`,
)

/** True when the operator had been told and it is over now. */
export const endBooksAlarm = existsQuery(
  'end_books_alarm',
  `DELETE FROM app_settings WHERE key = ${alarmKey} RETURNING key`,
)
