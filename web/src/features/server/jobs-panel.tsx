// The Jobs tab: what the server does by the clock, and whether it went well.

import { adminJobsContract, type JobList, type JobState } from '@redpack/contract'
import { useQuery } from '@tanstack/react-query'
import { CalendarClock } from 'lucide-react'
import { endpointQuery } from '../../lib/endpoint-query.ts'
import { formatDuration, formatNumber, plural } from '../../lib/format.ts'
import { Badge } from '../../ui/feedback/badge.tsx'
import { Empty } from '../../ui/feedback/empty.tsx'
import { PanelTitle } from '../../ui/layout/headings.tsx'
import type { DataColumn } from '../../ui/table/columns.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { useTableView } from '../../ui/table/table-view.ts'

const jobsMs = 5_000

function useJobs() {
  return useQuery<JobList>({
    ...endpointQuery(adminJobsContract.list, { shows: [], isNeeded: true }),
    refetchInterval: jobsMs,
  })
}

const defaults = {}

export function JobsPanel() {
  const { data, error, refetch } = useJobs()
  const [view, changeView] = useTableView(defaults)
  const failing = data?.jobs.filter(({ failuresInRow }) => failuresInRow > 0).length ?? 0
  return (
    <section aria-labelledby="jobs-title" className="min-w-0">
      <PanelTitle id="jobs-title">Jobs</PanelTitle>
      <p className="mb-4 text-muted">
        What the server does by the clock, one process at a time.{' '}
        {/* What is not known yet takes its room. */}
        {!data && <span className="invisible">All are well.</span>}
        {data &&
          (failing === 0 ? 'All are well.' : `${plural(failing, 'job fails', 'jobs fail')}.`)}
      </p>
      <DataTable
        name="jobs"
        label="Jobs"
        columns={columnsAt(data?.now ?? '')}
        rows={data?.jobs}
        rowId={({ name }) => name}
        rowName={({ name }) => jobText(name)}
        view={view}
        onViewChange={changeView}
        paging={{ by: 'browser', pageSize: 50 }}
        error={error}
        errorTitle="Error loading the jobs"
        onRetry={() => void refetch()}
        empty={
          <Empty picture={<CalendarClock aria-hidden="true" />} title="No jobs have run yet" />
        }
        searchLabel="Search jobs"
      />
    </section>
  )
}

/** Times are told from the server's clock, which need not be that of the browser. */
function columnsAt(now: string): DataColumn<JobState>[] {
  return [
    {
      id: 'name',
      header: 'Job',
      isSortable: true,
      value: ({ name }) => `${jobText(name)} ${name}`,
      cell: ({ name }) => (
        <span className="grid min-w-36">
          <span className="font-medium">{jobText(name)}</span>
          <code className="text-sm break-all text-muted">{name}</code>
        </span>
      ),
    },
    {
      id: 'state',
      header: 'State',
      isSortable: true,
      value: stateOf,
      cell: (job) => <StateCell job={job} />,
    },
    {
      id: 'every',
      header: 'Every',
      isSortable: true,
      value: ({ everySeconds }) => everySeconds,
      cell: ({ everySeconds }) => formatDuration(everySeconds),
    },
    {
      id: 'last',
      header: 'Last run',
      isSortable: true,
      value: ({ lastStartedAt }) => lastStartedAt ?? '',
      cell: ({ lastStartedAt, lastDurationMillis }) =>
        lastStartedAt
          ? `${agoText(lastStartedAt, now)}${
              lastDurationMillis === null ? '' : `, took ${formatNumber(lastDurationMillis)} ms`
            }`
          : 'Never',
    },
    {
      id: 'next',
      header: 'Next run',
      isSortable: true,
      value: ({ nextRunAt }) => nextRunAt,
      cell: ({ nextRunAt }) => agoText(nextRunAt, now),
    },
  ]
}

function stateOf({ isRunning, failuresInRow, lastSucceededAt }: JobState): string {
  if (failuresInRow > 0) return 'Failing'
  if (isRunning) return 'Running'
  return lastSucceededAt === null ? 'Waiting' : 'OK'
}

const tones = { Failing: 'danger', Running: 'info', Waiting: 'idle', OK: 'success' } as const

function StateCell({ job }: { readonly job: JobState }) {
  const state = stateOf(job) as keyof typeof tones
  return (
    <span className="grid w-fit justify-items-start gap-1">
      <Badge tone={tones[state]}>{state}</Badge>
      {job.failuresInRow > 0 && (
        <span className="max-w-80 text-sm break-words text-muted">
          {plural(job.failuresInRow, 'run', 'runs')} in a row
          {job.lastFailure && `: ${job.lastFailure}`}
        </span>
      )}
    </span>
  )
}

/** What each job of the product does; a test compares them with the jobs themselves. */
export const jobTexts: Readonly<Partial<Record<string, string>>> = {
  'auth-clear-expired': 'Removes sign-ins that have ended',
  'auth-validate-sign-ins': 'Asks Twitch whether sign-ins still hold',
  'catalogue-remove-deleted': 'Removes what was deleted long ago',
  'chat-bot-check': 'Checks the Twitch bot and renews its token',
  'chat-bot-read-chatters': 'Reads who is in the chats',
  'chat-bot-send-messages': 'Says completions in the chats',
  'database-tend': 'Tends the embedded database',
  'delivery-erase-old-contacts': 'Erases old delivery details',
  'discord-close-expired': 'Closes reward messages that have ended',
  'discord-post-checkpoint': 'Posts the signed log to Discord',
  'discord-post-rewards': 'Posts reward messages',
  'draw-log-append': 'Writes openings into the public log',
  'idempotency-clear-old-keys': 'Clears keys of repeated calls',
  'ledger-count-people': 'Counts people for the ranking',
  'overview-check-books': 'Checks the books',
  'overview-look-at-new-rows': 'Checks what is new in the books',
  'overview-sum-histories': 'Sums the histories for figures and searches',
  'overview-watch-books': 'Watches that the books are checked',
  'end-draw-chains': 'Ends the draw chains of days past',
  'streams-apply-schedules': 'Opens and closes streams on schedule',
  'streams-forget-events': 'Forgets old events of Twitch',
  'streams-poll-live': 'Asks Twitch which streams are live',
  'streams-remove-deleted': 'Removes streams deleted long ago',
  'streams-subscribe-to-events': 'Keeps the subscriptions at Twitch',
}

/** What a job does; of one that is not known here its name, in words. */
export function jobText(name: string): string {
  const known = jobTexts[name]
  if (known !== undefined) return known
  const words = name.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const distance = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })
const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** '5 minutes ago' or 'in 20 seconds' for a moment, as seen from `now`. */
export function agoText(moment: string, now: string): string {
  const seconds = Math.round((Date.parse(moment) - Date.parse(now)) / 1000)
  if (Number.isNaN(seconds)) return ''
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1]
  return distance.format(Math.round(seconds / size), unit)
}
