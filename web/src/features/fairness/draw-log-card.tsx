// The public log of all draws: its newest checkpoint, its entries, and how to check all of it.

import { drawLogContract } from '@redpack/contract'
import { base64Of } from '@redpack/fair/bytes'
import { LogFault } from '@redpack/fair/tree'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleX, ShieldCheck } from 'lucide-react'
import { type ReactNode, useState } from 'react'
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
import { FindInLog, LogPage, type LogPageProps, StopButton, useStoppable } from './log-page.tsx'
import type { LogCheck, OpenLog } from './log-reader.ts'
import { logHeadQuery, useStartAnew } from './queries.ts'

export function DrawLogCard(paging: Omit<LogPageProps, 'log'>) {
  const head = useQuery(logHeadQuery)
  const { data, dataUpdatedAt, isFetching, error } = head
  const title = (
    <span className="flex items-center gap-2">
      The public draw log
      <RefreshingDot isShown={isFetching && data !== undefined} />
    </span>
  )
  return (
    <Card>
      <CardHeader
        title={title}
        description="Every opening, odds table, stock change and step of a delivery, without names. A chain holds the openings of one player on one day. The log only grows, and anyone can check that."
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
                <LogPage log={log} {...paging} />
                <FindInLog log={log} onPageChange={paging.onPageChange} />
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

function Alert({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div role="alert" className="mt-4 rounded-control border border-danger p-4">
      <p className="flex items-start gap-2 font-display text-lg font-semibold text-danger">
        <CircleX className="size-6 flex-none" />
        {title}
      </p>
      {children}
    </div>
  )
}

function BrokenLog({ fault }: { readonly fault: LogFault }) {
  const { isPending, mutate } = useStartAnew()
  return (
    <Alert title="This log cannot be trusted">
      <p className="mt-2">{fault.message}</p>
      <p className="mt-2 text-muted">
        Save the evidence from the warning at the top of this page. Has the site announced a new log
        or a new key, and do you believe it? Then you can start again with what is shown now.
      </p>
      <Button tone="secondary" className="mt-3" isPending={isPending} onClick={() => mutate()}>
        Start over with this log
      </Button>
    </Alert>
  )
}

const timeText = (time: number) => formatDateTime(new Date(time).toISOString())

/** `readAt` in epoch milliseconds. */
function Head({ log, readAt }: { readonly log: OpenLog; readonly readAt: number }) {
  const { key, checkpoint, before } = log
  const { size, cosigners } = checkpoint
  const root = base64Of(checkpoint.root)
  const facts = {
    Entries: `${formatNumber(size)} on ${timeText(readAt)}`,
    'Signed by': key.name,
    Witnesses: cosigners.length === 0 ? 'None yet' : `${cosigners.length}: ${cosigners.join(', ')}`,
    'This browser has seen': before
      ? `${formatNumber(before.size)} entries on ${timeText(before.seenAt)}; this log goes on from them`
      : 'Nothing yet; it remembers from now on',
  }
  return (
    <dl className="mb-4 grid gap-x-6 gap-y-3 sm:grid-cols-2 lg:grid-cols-4">
      {Object.entries(facts).map(([name, value]) => (
        <div key={name} className="min-w-0">
          <dt className="text-sm text-muted">{name}</dt>
          <dd className="break-words">{value}</dd>
        </div>
      ))}
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

/** The raw files, and how to keep watch without this site. */
function ForOthers() {
  const command = `node watch-log.mjs ${window.location.origin}`
  const files = [
    { name: 'Checkpoint', href: drawLogContract.checkpoint.path },
    { name: 'Key', href: drawLogContract.key.path },
    { name: 'The script', href: '/watch-log.mjs', download: true },
  ]
  return (
    <Disclosure summary="Watch the log yourself" className="mt-4 border-t border-line pt-2">
      <p className="text-muted">
        This script needs nothing but Node. It draws every opening again and raises an alarm when
        history changes. The log has the open formats <code>tlog-tiles</code>,{' '}
        <code>tlog-checkpoint</code> and <code>signed-note</code> of c2sp.org, so other tools can
        read it too.
      </p>
      <p className="my-3 flex items-center gap-2 rounded-control bg-raised px-3 py-2">
        <code className="min-w-0 flex-1 text-sm break-all">{command}</code>
        <CopyButton text={command} label="Copy the command" />
      </p>
      <div className="flex flex-wrap gap-3 pb-2">
        {files.map(({ name, ...link }) => (
          <a key={name} {...link} className={buttonLook({ tone: 'ghost' })}>
            {name}
          </a>
        ))}
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
      if (done)
        announce(isSound(done) ? 'The whole log passed the check' : 'The log failed the check')
    })
  }
  return (
    <section className="mt-6 border-t border-line pt-4">
      <h3 className="text-lg">Check everything</h3>
      <p className="mt-1 mb-3 text-muted">
        Your browser reads every entry, compares all of them with the signature and with what it
        remembers, and draws every opening again.
      </p>
      {isRunning ? (
        <>
          <StopButton onClick={stop} />
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
      ) : (
        <Button tone="secondary" onClick={start} icon={ShieldCheck}>
          Check the whole log
        </Button>
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
    <Alert title="This log failed the check">
      <ul className="mt-2 list-disc ps-6">
        {treeFault && <li>{treeFault}</li>}
        {faults.map(({ index, text }) => (
          <li key={`${index} ${text}`}>
            Entry {formatNumber(index)} {text}.
          </li>
        ))}
        {more > 0 && <li>And {plural(more, 'fault', 'faults')} more.</li>}
      </ul>
    </Alert>
  )
}

function Summary({ check }: { readonly check: LogCheck }) {
  const { counts, checked, rememberedSize: seen, cutStocks } = check
  const drawn = `${plural(counts.openings, 'opening', 'openings')} with ${plural(counts.packs, 'pack', 'packs')} drawn again, from ${plural(counts.chains, 'chain', 'chains')} of seeds`
  const byServer = `; ${formatNumber(counts.byServer)} with random bytes from the server`
  const stock =
    '; every win of a limited prize took one unit, and prizes were sold out only when none was left'
  const lines = [
    `${drawn}${counts.byServer > 0 ? byServer : ''}.`,
    counts.givenUp > 0 &&
      `${plural(counts.givenUp, 'chain', 'chains')} ended without their last seed, whose key was lost: a withheld win could hide there.`,
    ...cutStocks.map(
      ({ index, prizeId }) =>
        `Entry ${formatNumber(index)}: prize ${prizeId} was sold out within ten minutes after staff had taken from its stock.`,
    ),
    `${plural(counts.tables, 'odds table', 'odds tables')} and ${plural(counts.stockChanges, 'stock change', 'stock changes')}${isSound(check) ? stock : ''}.`,
    `Deliveries: ${check.deliveries}.`,
    seen === undefined
      ? 'This browser had not seen this log before.'
      : `The ${plural(seen, 'entry', 'entries')} that this browser had seen before are still the same.`,
  ].filter((line) => line !== false)
  return (
    <div className="mt-4">
      {isSound(check) && (
        <p className="flex items-start gap-2 font-medium text-success">
          <CircleCheck className="size-6 flex-none" />
          {checked === 1
            ? 'The one entry passed the check and matches'
            : `All ${formatNumber(checked)} entries passed the check and match`}{' '}
          the signed checkpoint.
        </p>
      )}
      <ul className="mt-2 list-disc ps-6 text-muted">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  )
}
