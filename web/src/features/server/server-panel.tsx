// The Server tab: whether the server is well, line by line, and what to do when it is not.

import {
  adminServerContract,
  type ServerLine,
  type ServerLineState,
  type ServerState,
} from '@redpack/contract'
import { CircleCheck, CircleX, ServerOff, TriangleAlert } from 'lucide-react'
import { cn } from '../../lib/class-names.ts'
import { useEndpoint } from '../../lib/endpoint-query.ts'
import { formatDateTime, plural } from '../../lib/format.ts'
import { Badge, DataState, Empty, Notice } from '../../ui/feedback/state.tsx'
import { PanelHeader } from '../../ui/layout/section.tsx'

export const serverStateMs = 5_000

const looks = {
  fine: { word: 'OK', tone: 'success', Icon: CircleCheck, edge: 'border-s-success' },
  look: { word: 'Needs attention', tone: 'warning', Icon: TriangleAlert, edge: 'border-s-warning' },
  broken: { word: 'Broken', tone: 'danger', Icon: CircleX, edge: 'border-s-danger' },
} as const satisfies Record<ServerLineState, object>

/** What is broken stands first, what is fine last; else the server's order is kept. */
const ranks: Readonly<Record<ServerLineState, number>> = { broken: 0, look: 1, fine: 2 }

export function ServerPanel() {
  const query = useEndpoint(adminServerContract.state, {
    shows: [],
    refetchInterval: serverStateMs,
  })
  const { data, error } = query
  return (
    <section aria-labelledby="server-title" className="grid min-w-0 gap-4">
      <div>
        <PanelHeader id="server-title" title="Server" />
        <p className="text-muted">Updates automatically.</p>
      </div>
      {data && error && (
        <Notice tone="warning" role="status">
          The last update failed. This is the state at {formatDateTime(data.now)}. If this lasts,
          the server or its database does not answer: check the server's log.
        </Notice>
      )}
      <DataState query={query} what="the state of the server" skeleton="h-96 w-full">
        {(state) => <Lines state={state} />}
      </DataState>
    </section>
  )
}

function Lines({ state }: { readonly state: ServerState }) {
  const { lines, process } = state
  if (lines.length === 0) {
    return <Empty picture={<ServerOff />} title="Nothing to report" />
  }
  const sorted = lines.toSorted((left, right) => ranks[left.state] - ranks[right.state])
  return (
    <>
      <p role="status" className="font-display text-lg font-semibold">
        {verdict(lines)}
      </p>
      <ul aria-label="State of the server" className="grid min-w-0 gap-3">
        {sorted.map((line) => (
          <Line key={line.id} line={line} />
        ))}
      </ul>
      <p className="text-sm break-words text-muted">
        Answered by {process.name}, version {process.version}, running since{' '}
        {formatDateTime(process.startedAt)}. Process, open pages and connections are those of this
        process alone.
      </p>
    </>
  )
}

function verdict(lines: readonly ServerLine[]): string {
  const broken = lines.filter(({ state }) => state === 'broken').length
  const look = lines.filter(({ state }) => state === 'look').length
  if (broken + look === 0) return 'Everything is OK.'
  const parts = [
    broken > 0 ? plural(broken, 'thing is broken', 'things are broken') : undefined,
    look > 0 ? plural(look, 'thing needs attention', 'things need attention') : undefined,
  ]
  return `${parts.filter((part) => part !== undefined).join(', ')}.`
}

function Line({ line }: { readonly line: ServerLine }) {
  const { word, tone, Icon, edge } = looks[line.state]
  return (
    <li
      className={cn(
        'card on-card grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-6 gap-y-2',
        'border-s-4 px-4 py-3 sm:grid-cols-[13rem_minmax(0,1fr)_auto]',
        edge,
      )}
    >
      <h3 className="text-base break-words">{line.title}</h3>
      <Badge tone={tone} icon={<Icon />} className="sm:order-last">
        {word}
      </Badge>
      <div className="col-span-2 grid min-w-0 gap-1 break-words sm:col-span-1">
        <p className="font-display font-semibold tabular-nums">{line.figure}</p>
        <p className="text-muted">{line.sentence}</p>
        {line.action && (
          <p>
            <strong>What to do:</strong> {line.action}
          </p>
        )}
      </div>
    </li>
  )
}
