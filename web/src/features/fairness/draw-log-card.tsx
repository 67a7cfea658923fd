// The public log of all draws: its newest checkpoint, its entries, and how to check all of it.

import { base64Of } from '@redpack/fair/bytes'
import { LogFault } from '@redpack/fair/tree'
import { CircleX } from 'lucide-react'
import { formatDateTime, formatNumber } from '../../lib/format.ts'
import { Button, buttonLook } from '../../ui/button.tsx'
import { Card, CardHeader } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { DataState } from '../../ui/data-state.tsx'
import { Disclosure } from '../../ui/disclosure.tsx'
import { Empty } from '../../ui/empty.tsx'
import { RefreshingDot } from '../../ui/refreshing-dot.tsx'
import { FindInLog } from './find-in-log.tsx'
import { checkpointAddress, keyAddress } from './log-files.ts'
import { LogPage } from './log-page.tsx'
import { useLogHead, useStartAnew } from './log-queries.ts'
import type { OpenLog } from './log-reader.ts'
import { WholeLogCheck } from './whole-log-check.tsx'

export interface DrawLogCardProps {
  /** How many entries stand up to the last one shown; all of them when absent. */
  readonly upTo: number | undefined
  readonly onTurn: (upTo: number | undefined) => void
}

export function DrawLogCard({ upTo, onTurn }: DrawLogCardProps) {
  const head = useLogHead()
  const { data, dataUpdatedAt, isFetching, error } = head
  return (
    <Card>
      <CardHeader
        title={
          <span className="flex items-center gap-2">
            The public draw log
            <RefreshingDot isShown={isFetching && data !== undefined} />
          </span>
        }
        description="Every opening, odds table and stock change, without names. A chain holds the openings of one player on one day. The log only grows, and anyone can check that."
      />
      {error instanceof LogFault ? (
        <BrokenLog fault={error} />
      ) : (
        <DataState query={head} what="the draw log" skeleton="h-48">
          {(log) =>
            log === null || log.checkpoint.size === 0 ? (
              <Empty title="No entries yet" description="The first opening begins the log." />
            ) : (
              <>
                <Head log={log} readAt={dataUpdatedAt} />
                <LogPage log={log} upTo={upTo} onTurn={onTurn} />
                <FindInLog log={log} onShow={onTurn} />
                <WholeLogCheck />
              </>
            )
          }
        </DataState>
      )}
      {(data !== undefined || error) && <ForOthers />}
    </Card>
  )
}

function BrokenLog({ fault }: { readonly fault: LogFault }) {
  const startAnew = useStartAnew()
  return (
    <div role="alert" className="rounded-control border border-danger p-4">
      <p className="flex items-start gap-2 font-display text-lg font-semibold text-danger">
        <CircleX aria-hidden="true" className="size-6 flex-none" />
        This log cannot be trusted
      </p>
      <p className="mt-2">{fault.message}</p>
      <p className="mt-2 text-muted">
        Save the evidence from the warning at the top of this page. Has the site announced a new log
        or a new key, and do you believe it? Then you can start again with what is shown now.
      </p>
      <Button
        tone="secondary"
        className="mt-3"
        isPending={startAnew.isPending}
        onClick={() => startAnew.mutate()}
      >
        Start anew with this log
      </Button>
    </div>
  )
}

interface HeadProps {
  readonly log: OpenLog
  /** Epoch milliseconds. */
  readonly readAt: number
}

const timeText = (time: number) => formatDateTime(new Date(time).toISOString())

function Head({ log: { key, checkpoint, before }, readAt }: HeadProps) {
  const { cosigners } = checkpoint
  const root = base64Of(checkpoint.root)
  return (
    <dl className="mb-4 grid gap-x-6 gap-y-3 sm:grid-cols-2 lg:grid-cols-4">
      <Fact name="Entries">{`${formatNumber(checkpoint.size)} on ${timeText(readAt)}`}</Fact>
      <Fact name="Signed by">{key.name}</Fact>
      <Fact name="Witnesses">
        {cosigners.length === 0 ? 'None yet' : `${cosigners.length}: ${cosigners.join(', ')}`}
      </Fact>
      <Fact name="This browser has seen">
        {before
          ? `${formatNumber(before.size)} entries on ${timeText(before.seenAt)}; this log goes on from them`
          : 'Nothing before; from now on it remembers'}
      </Fact>
      <div className="sm:col-span-2 lg:col-span-4">
        <dt className="text-sm text-muted">Fingerprint of all entries</dt>
        <dd className="flex items-center gap-2">
          <code className="min-w-0 text-sm break-all">{root}</code>
          <CopyButton text={root} label="Copy the fingerprint of all entries" />
        </dd>
      </div>
    </dl>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: string }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="break-words">{children}</dd>
    </div>
  )
}

/** The raw files, and how to keep watch without this site. */
function ForOthers() {
  const site = window.location.origin
  return (
    <Disclosure summary="Watch the log yourself" className="mt-4 border-t border-line pt-2">
      <p className="text-muted">
        This script needs nothing but Node. It draws every opening again and raises an alarm when
        history changes. The log has the open formats <code>tlog-tiles</code>,{' '}
        <code>tlog-checkpoint</code> and <code>signed-note</code> of c2sp.org, so other tools can
        read it too.
      </p>
      <p className="my-3 flex items-center gap-2 rounded-control bg-raised px-3 py-2">
        <code className="min-w-0 flex-1 text-sm break-all">node watch-log.mjs {site}</code>
        <CopyButton text={`node watch-log.mjs ${site}`} label="Copy the command" />
      </p>
      <div className="flex flex-wrap gap-3 pb-2">
        <a href={checkpointAddress} className={buttonLook({ tone: 'ghost' })}>
          Checkpoint
        </a>
        <a href={keyAddress} className={buttonLook({ tone: 'ghost' })}>
          Key
        </a>
        <a href="/watch-log.mjs" download className={buttonLook({ tone: 'ghost' })}>
          The script
        </a>
      </div>
    </Disclosure>
  )
}
