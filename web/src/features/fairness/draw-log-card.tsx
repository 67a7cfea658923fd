// The public log of all draws: its newest checkpoint, its entries, and how to check all of it.

import { drawLogContract } from '@redpack/contract'
import { base64Of } from '@redpack/fair/bytes'
import { LogFault } from '@redpack/fair/tree'
import { CircleCheck, CircleX, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { formatDateTime, formatNumber, plural } from '../../lib/format.ts'
import { DataState } from '../../ui/feedback/data-state.tsx'
import { Empty } from '../../ui/feedback/empty.tsx'
import { announce } from '../../ui/feedback/live-region.tsx'
import { Progress } from '../../ui/feedback/progress.tsx'
import { Button, buttonLook } from '../../ui/form/button.tsx'
import { CopyButton } from '../../ui/form/copy-button.tsx'
import { Card, CardHeader } from '../../ui/layout/card.tsx'
import { Disclosure } from '../../ui/layout/disclosure.tsx'
import { RefreshingDot } from '../../ui/layout/headings.tsx'
import { FindInLog, LogPage, StopButton, useStoppable } from './log-page.tsx'
import type { LogCheck, OpenLog } from './log-reader.ts'
import { useLogHead, useStartAnew } from './queries.ts'

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

const timeText = (time: number) => formatDateTime(new Date(time).toISOString())

/** `readAt` in epoch milliseconds. */
function Head({ log, readAt }: { readonly log: OpenLog; readonly readAt: number }) {
  const { key, checkpoint, before } = log
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
        <a href={drawLogContract.checkpoint.path} className={buttonLook({ tone: 'ghost' })}>
          Checkpoint
        </a>
        <a href={drawLogContract.key.path} className={buttonLook({ tone: 'ghost' })}>
          Key
        </a>
        <a href="/watch-log.mjs" download className={buttonLook({ tone: 'ghost' })}>
          The script
        </a>
      </div>
    </Disclosure>
  )
}

function WholeLogCheck() {
  const [check, setCheck] = useState<LogCheck>()
  const [failure, setFailure] = useState<string>()
  const { run, stop, isRunning } = useStoppable(setFailure)

  const start = () => {
    setFailure(undefined)
    setCheck(undefined)
    void run(async (signal) => {
      const { checkLog } = await import('./log-reader.ts')
      const done = await checkLog(setCheck, signal)
      setCheck(done)
      if (done) announce(isSound(done) ? 'The whole log holds' : 'The log does not hold')
    })
  }
  return (
    <section className="mt-6 border-t border-line pt-4">
      <h3 className="text-lg">Check all of it</h3>
      <p className="mt-1 mb-3 text-muted">
        Your browser reads every entry, compares all of them with the signature and with what it
        remembers, and draws every opening again.
      </p>
      {isRunning ? (
        <StopButton onClick={stop} />
      ) : (
        <Button tone="secondary" onClick={start}>
          <ShieldCheck aria-hidden="true" />
          Check the whole log
        </Button>
      )}
      {isRunning && (
        <>
          <Progress
            label="Entries checked"
            value={(100 * (check?.checked ?? 0)) / Math.max(1, check?.total ?? 1)}
            valueText={progressText(check)}
            className="mt-4"
          />
          <p aria-hidden="true" className="mt-1 text-sm text-muted tabular-nums">
            {progressText(check)}
          </p>
        </>
      )}
      {failure && <p className="mt-4 text-danger">{failure}</p>}
      {check && <Faults check={check} />}
      {check?.isDone && <Summary check={check} />}
    </section>
  )
}

function progressText(check: LogCheck | undefined): string {
  return `${formatNumber(check?.checked ?? 0)} of ${formatNumber(check?.total ?? 0)}`
}

function isSound({ faultCount, treeFault }: LogCheck): boolean {
  return faultCount === 0 && treeFault === undefined
}

function Faults({ check }: { readonly check: LogCheck }) {
  const { faults, faultCount, treeFault } = check
  if (isSound(check)) return null
  const more = faultCount - faults.length
  return (
    <div role="alert" className="mt-4 rounded-control border border-danger p-4">
      <p className="flex items-start gap-2 font-display text-lg font-semibold text-danger">
        <CircleX aria-hidden="true" className="size-6 flex-none" />
        This log does not hold
      </p>
      <ul className="mt-2 list-disc ps-6">
        {treeFault && <li>{treeFault}</li>}
        {faults.map(({ index, text }) => (
          <li key={`${index} ${text}`}>
            Entry {formatNumber(index)} {text}.
          </li>
        ))}
        {more > 0 && <li>And {plural(more, 'fault', 'faults')} more.</li>}
      </ul>
    </div>
  )
}

function Summary({ check }: { readonly check: LogCheck }) {
  const { counts, checked, rememberedSize, cutStocks } = check
  return (
    <div className="mt-4">
      {isSound(check) && (
        <p className="flex items-start gap-2 font-medium text-success">
          <CircleCheck aria-hidden="true" className="size-6 flex-none" />
          All {plural(checked, 'entry', 'entries')} hold, and the signed checkpoint says so.
        </p>
      )}
      <ul className="mt-2 list-disc ps-6 text-muted">
        <li>
          {plural(counts.openings, 'opening', 'openings')} with{' '}
          {plural(counts.packs, 'pack', 'packs')} drawn again, from{' '}
          {plural(counts.chains, 'chain', 'chains')} of seeds
          {counts.byServer > 0 &&
            `; ${formatNumber(counts.byServer)} with random bytes from the server`}
          .
        </li>
        {counts.givenUp > 0 && (
          <li>
            {plural(counts.givenUp, 'chain', 'chains')} ended without their last seed, whose key was
            lost: a withheld win could hide there.
          </li>
        )}
        {cutStocks.map(({ index, prizeId }) => (
          <li key={index}>
            Entry {formatNumber(index)}: prize {prizeId} was sold out within ten minutes after staff
            had taken from its stock.
          </li>
        ))}
        <li>
          {plural(counts.tables, 'odds table', 'odds tables')} and{' '}
          {plural(counts.stockChanges, 'stock change', 'stock changes')}
          {isSound(check) &&
            '; every win of a limited prize took one unit, and sold out was said only where none was left'}
          .
        </li>
        <li>
          {rememberedSize === undefined
            ? 'This browser had seen nothing of this log before.'
            : `The ${plural(rememberedSize, 'entry', 'entries')} that this browser had seen before are still the same.`}
        </li>
      </ul>
    </div>
  )
}
