// The public log of all draws: its newest checkpoint, its entries, and how to check all of it.

import { drawLogContract } from '@redpack/contract'
import { base64Of } from '@redpack/fair/bytes'
import { type Entry, entryOfText } from '@redpack/fair/entries'
import { LogFault } from '@redpack/fair/tree'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleX, Link2, Search, ShieldCheck, Square } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { messageOf } from '../../lib/api-error.ts'
import { formatDateTime, formatNumber, formatRedCoin, plural } from '../../lib/format.ts'
import { announce } from '../../ui/feedback/live-region.tsx'
import { Progress } from '../../ui/feedback/progress.tsx'
import { DataState, Empty, Notice } from '../../ui/feedback/state.tsx'
import { Button, buttonLook } from '../../ui/form/button.tsx'
import { CopyButton } from '../../ui/form/copy-button.tsx'
import { Form, TextField, verbatim } from '../../ui/form/text-field.tsx'
import { Card, CardHeader, Disclosure, RefreshingDot } from '../../ui/layout/section.tsx'
import { Pagination, usePageTurning } from '../../ui/table/pagination.tsx'
import { shipmentWords } from './delivery-record.tsx'
import { type FoundEntry, findEntry, type LogCheck, type OpenLog } from './log-reader.ts'
import type { OpeningsListProps } from './openings-list.tsx'
import { drawLogRows, logHeadQuery, useLogPage, useStartAnew } from './queries.ts'

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

export interface LogPageProps extends OpeningsListProps {
  readonly log: OpenLog
}

const pageOf = (index: number, size: number) => Math.floor((size - 1 - index) / drawLogRows) + 1

export function LogPage({ log, page: wanted, onPageChange }: LogPageProps) {
  const { size } = log.checkpoint
  const totalPages = pageOf(0, size)
  const page = Math.min(wanted, totalPages)
  const entries = useLogPage(log, page)
  const { data, error, isPlaceholderData } = entries
  const { heading, turnTo } = usePageTurning(
    data && !isPlaceholderData ? `Page ${page} of the entries` : undefined,
    onPageChange,
  )
  return (
    <section className="border-t border-line pt-4">
      <h3 ref={heading} tabIndex={-1} className="mb-1 text-lg focus:outline-none">
        Entries
      </h3>
      {error instanceof LogFault ? (
        <Notice tone="danger">{error.message}</Notice>
      ) : (
        <DataState query={entries} what="the entries" skeleton="h-24">
          {(shown) => <Rows entries={shown} />}
        </DataState>
      )}
      <Pagination
        label="Draw log pages"
        page={page}
        totalPages={totalPages}
        onPageChange={turnTo}
      />
    </section>
  )
}

function Rows({ entries }: { readonly entries: readonly FoundEntry[] }) {
  return (
    <>
      <p className="mb-3 flex items-start gap-2 font-medium text-success">
        <Link2 className="size-6 flex-none" />
        Your browser checked this page: every entry leads to the signed checkpoint.
      </p>
      <ol
        aria-label="Entries of the log"
        className="list-none divide-y divide-line border-y border-line p-0"
      >
        {entries.map(({ index, text }) => (
          <li key={index} className="py-1">
            <Disclosure
              summary={
                <span className="min-w-0 break-words text-ink">
                  <span className="font-semibold tabular-nums">#{formatNumber(index)}</span>{' '}
                  {entryWords(text)}
                </span>
              }
            >
              <code className="block pb-2 text-sm break-all text-muted">{text}</code>
            </Disclosure>
          </li>
        ))}
      </ol>
    </>
  )
}

/** Work on the log that can be stopped, one at a time; what fails is told in a sentence. */
export function useStoppable(onFailure: (text: string) => void) {
  const [isRunning, setRunning] = useState(false)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  const run = async (work: (signal: AbortSignal) => Promise<void>) => {
    const control = new AbortController()
    running.current = control
    setRunning(true)
    try {
      await work(control.signal)
    } catch (cause) {
      if (!control.signal.aborted) onFailure(messageOf(cause, 'The log could not be read.'))
    } finally {
      setRunning(false)
    }
  }
  return { run, stop: () => running.current?.abort(), isRunning }
}

export function StopButton({ onClick }: { readonly onClick: () => void }) {
  return (
    <Button tone="secondary" className="justify-self-start" onClick={onClick} icon={Square}>
      Stop
    </Button>
  )
}

/** Looks for part of an id, seed or commitment. */
export function FindInLog({ log, onPageChange }: Omit<LogPageProps, 'page'>) {
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string>()
  const [seen, setSeen] = useState<number>()
  const [found, setFound] = useState<FoundEntry | null>()
  const { run, stop, isRunning } = useStoppable(setError)

  const find = () => {
    const wanted = typed.trim().toLowerCase()
    const isWanted = /^[0-9a-f-]{8,64}$/.test(wanted)
    setFound(undefined)
    setError(isWanted ? undefined : 'Enter the id of an opening, a seed or a commitment.')
    if (!isWanted || isRunning) return
    setSeen(0)
    const holds = (text: string) => text.includes(wanted)
    void run(async (signal) => setFound(await findEntry(log, holds, setSeen, signal)))
  }
  return (
    <section className="mt-6 border-t border-line pt-4">
      <h3 className="text-lg">Find an entry</h3>
      <Form noValidate onSubmit={find} className="mt-2 grid max-w-xl gap-3">
        <TextField
          label="Id of an opening, a seed or a commitment"
          hint="The details of your openings show all three."
          error={error}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setError(undefined)
          }}
          {...verbatim}
          className="font-mono text-sm"
        />
        {isRunning ? (
          <StopButton onClick={stop} />
        ) : (
          <Button type="submit" tone="secondary" className="justify-self-start" icon={Search}>
            Find
          </Button>
        )}
      </Form>
      {isRunning && <p className="mt-3 text-muted">{formatNumber(seen ?? 0)} entries checked…</p>}
      <div role="status" className="mt-3">
        {found === null && <p>It is not in the log.</p>}
        {found && (
          <p className="break-words">
            Entry {formatNumber(found.index)}, proven to be in the signed log:{' '}
            {entryWords(found.text)}.{' '}
            <Button
              tone="faint"
              size="compact"
              onClick={() => onPageChange(pageOf(found.index, log.checkpoint.size))}
            >
              Show it among the others
            </Button>
          </p>
        )}
      </div>
    </section>
  )
}

function entryWords(text: string): string {
  const entry = entryOfText(text)
  switch (entry?.type) {
    case 'chain':
      return `Chain ${entry.chainId} begins`
    case 'end':
      return entry.serverSeed === null
        ? `Chain ${entry.chainId} ends; its last seed was given up`
        : `Chain ${entry.chainId} ends, its unused seed is revealed`
    case 'stock': {
      const { prizeId, delta, after } = entry
      const left = after === null ? 'now unlimited' : `${formatNumber(after)} left`
      return `Stock of prize ${prizeId}: ${delta > 0 ? '+' : ''}${formatNumber(delta)}, ${left}`
    }
    case 'opening':
      return openingWords(entry)
    case 'shipment':
      return shipmentWords(entry)
    case 'table':
      return 'part' in entry
        ? `Odds table, part ${entry.part} of ${entry.parts}`
        : `Odds table of pack type ${entry.table.packTypeId}, ${plural(entry.table.entries.length, 'prize', 'prizes')}`
    default:
      return 'Unknown kind of entry'
  }
}

function openingWords(entry: Entry<'opening'>): string {
  const { packTypeId, chainId, index, entropyFrom, results } = entry
  const wins = results.filter(([prizeId]) => prizeId !== null).length
  const soldOut = results.filter(([, prizeId]) => prizeId !== null).length
  const paid = results.reduce((sum, [, , , redCoin]) => sum + redCoin, 0)
  return [
    `${plural(results.length, 'pack', 'packs')} of type ${packTypeId}, chain ${chainId}, index ${index}`,
    plural(wins, 'win', 'wins'),
    ...(soldOut > 0 ? [`${formatNumber(soldOut)} sold out`] : []),
    formatRedCoin(paid),
    ...(entropyFrom === 'server' ? ['random bytes from the server'] : []),
  ].join(', ')
}
