// The Jobs tab: what the server does by the clock, and whether it went well.

import { adminJobsContract, type JobState } from '@redpack/contract'
import { CalendarClock } from 'lucide-react'
import { useEndpoint } from '../../lib/endpoint-query.ts'
import { formatDuration, formatNumber, plural } from '../../lib/format.ts'
import { Badge, Empty } from '../../ui/feedback/state.tsx'
import { PanelHeader } from '../../ui/layout/section.tsx'
import type { DataColumn } from '../../ui/table/columns.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { useTableView } from '../../ui/table/table-view.ts'
import { agoText, jobText } from './job-words.ts'

const jobsMs = 5_000

const defaults = {}

export function JobsPanel() {
  const { data, error, refetch } = useEndpoint(adminJobsContract.list, {
    shows: [],
    empty: { now: '', jobs: [] },
    refetchInterval: jobsMs,
  })
  const [view, changeView] = useTableView(defaults)
  const failing = data?.jobs.filter(({ failuresInRow }) => failuresInRow > 0).length ?? 0
  return (
    <section aria-labelledby="jobs-title" className="min-w-0">
      <PanelHeader id="jobs-title" title="Jobs" />
      <p className="mb-4 text-muted">
        What the server does on a schedule. {/* What is not known yet takes its room. */}
        {!data?.jobs.length && <span className="invisible">All jobs are OK.</span>}
        {!!data?.jobs.length &&
          (failing === 0 ? 'All jobs are OK.' : `${plural(failing, 'job fails', 'jobs fail')}.`)}
      </p>
      <DataTable
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
        empty={<Empty picture={<CalendarClock />} title="No jobs have run yet" />}
        search={{ label: 'Search jobs', placeholder: 'Job or state' }}
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
      takesRest: true,
      value: ({ name }) => `${jobText(name)} ${name}`,
      cell: ({ name }) => (
        <span title={name} className="block truncate max-md:whitespace-normal">
          <span className="font-medium">{jobText(name)}</span>{' '}
          <code className="text-sm text-muted">{name}</code>
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
      cell: ({ everySeconds }) => onOneLine(formatDuration(everySeconds)),
    },
    {
      id: 'last',
      header: 'Last run',
      isSortable: true,
      value: ({ lastStartedAt }) => lastStartedAt ?? '',
      cell: ({ lastStartedAt, lastDurationMillis }) =>
        onOneLine(
          lastStartedAt
            ? `${agoText(lastStartedAt, now)}${
                lastDurationMillis === null ? '' : `, took ${formatNumber(lastDurationMillis)} ms`
              }`
            : 'Never',
        ),
    },
    {
      id: 'next',
      header: 'Next run',
      isSortable: true,
      value: ({ nextRunAt }) => nextRunAt,
      cell: ({ nextRunAt }) => onOneLine(agoText(nextRunAt, now)),
    },
  ]
}

/** The name takes the rest of the width, which leaves the others that of their longest word. */
const onOneLine = (text: string) => <span className="md:whitespace-nowrap">{text}</span>

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
