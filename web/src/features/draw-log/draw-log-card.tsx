// The public log of all draws, page by page, checked here and now.

import type { DrawLogEntry } from '@redpack/contract'
import { ChevronLeft, ChevronRight, Link2, Link2Off } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { cn } from '../../lib/class-names.ts'
import { formatDateTime, formatNumber, plural } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardHeader } from '../../ui/card.tsx'
import { Disclosure } from '../../ui/disclosure.tsx'
import { Empty } from '../../ui/empty.tsx'
import { announce } from '../../ui/live-region.tsx'
import { LoadError } from '../../ui/load-error.tsx'
import { RefreshingDot } from '../../ui/refreshing-dot.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import type { LinkFault } from './hash-chain.ts'
import { type DrawLogPage, drawLogRows, useDrawLog, useObserved } from './queries.ts'
import { WholeLogCheck } from './whole-log-check.tsx'

export interface DrawLogCardProps {
  /** Position of the newest entry on the page; the newest of all when absent. */
  readonly upTo: number | undefined
  readonly onTurn: (upTo: number | undefined) => void
}

export function DrawLogCard({ upTo, onTurn }: DrawLogCardProps) {
  const { data, isPending, isPlaceholderData, isFetching, error, refetch } = useDrawLog(upTo)
  const heading = useRef<HTMLSpanElement>(null)
  const isTurning = useRef(false)
  const shown = isPlaceholderData ? undefined : data
  useEffect(() => {
    if (!isTurning.current || !shown) return
    isTurning.current = false
    heading.current?.scrollIntoView({ block: 'start' })
    heading.current?.focus({ preventScroll: true })
    announce(rangeText(shown))
  }, [shown])
  const turn = (next: number | undefined) => {
    isTurning.current = true
    onTurn(next)
  }
  return (
    <Card>
      <CardHeader
        title={
          <span ref={heading} tabIndex={-1} className="flex items-center gap-2 focus:outline-none">
            The public draw log
            <RefreshingDot isShown={isFetching && data !== undefined} />
          </span>
        }
        description="Every opening of everyone, without names. Each entry holds the fingerprint of the one before, so nothing can be changed or left out later."
      />
      {isPending && (
        <Loading label="Loading the draw log" className="grid gap-3">
          <Skeleton className="h-14" />
          <Skeleton className="h-14" />
          <Skeleton className="h-14" />
        </Loading>
      )}
      {error && !data && (
        <LoadError
          title="The draw log could not be loaded"
          error={error}
          onRetry={() => void refetch()}
          isRetrying={isFetching}
        />
      )}
      {data && data.latest === 0 && (
        <Empty title="No draws yet" description="The first opening begins the log." />
      )}
      {data && data.latest > 0 && <LogPage page={data} onTurn={turn} />}
    </Card>
  )
}

function rangeText({ entries, latest }: DrawLogPage): string {
  const [newest, oldest] = [entries[0]?.position ?? 0, entries.at(-1)?.position ?? 0]
  return `Entries ${formatNumber(newest)} to ${formatNumber(oldest)} of ${formatNumber(latest)}`
}

interface LogPageProps {
  readonly page: DrawLogPage
  readonly onTurn: (upTo: number | undefined) => void
}

function LogPage({ page, onTurn }: LogPageProps) {
  const { entries, latest, fault } = page
  const newest = entries[0]?.position ?? latest
  const oldest = entries.at(-1)?.position ?? 1
  const newer = newest + drawLogRows
  return (
    <>
      <PageVerdict fault={fault} />
      <ol className="list-none divide-y divide-line border-y border-line p-0">
        {entries.map((entry) => (
          <LogRow
            key={entry.position}
            entry={entry}
            isBroken={fault?.position === entry.position}
          />
        ))}
      </ol>
      <nav
        aria-label="Draw log pages"
        className="mt-4 flex flex-wrap items-center justify-between gap-3"
      >
        <Button
          tone="secondary"
          disabled={newest >= latest}
          onClick={() => onTurn(newer >= latest ? undefined : newer)}
        >
          <ChevronLeft aria-hidden="true" />
          Newer
        </Button>
        <span className="text-sm text-muted tabular-nums">{rangeText(page)}</span>
        <Button tone="secondary" disabled={oldest <= 1} onClick={() => onTurn(oldest - 1)}>
          Older
          <ChevronRight aria-hidden="true" />
        </Button>
      </nav>
      <WholeLogCheck />
    </>
  )
}

function PageVerdict({ fault }: { readonly fault: LinkFault | undefined }) {
  return (
    <p
      className={cn(
        'mb-4 flex items-start gap-2 font-medium',
        fault ? 'text-danger' : 'text-success',
      )}
    >
      {fault ? (
        <Link2Off aria-hidden="true" className="size-6 flex-none" />
      ) : (
        <Link2 aria-hidden="true" className="size-6 flex-none" />
      )}
      {fault
        ? faultText(fault)
        : 'Your browser checked this page: every entry fits its neighbours.'}
    </p>
  )
}

/** What is wrong with an entry, in a sentence. */
export function faultText({ position, reason }: LinkFault): string {
  return reason === 'hash'
    ? `Entry ${formatNumber(position)} does not say what its fingerprint says.`
    : `Entry ${formatNumber(position)} does not go on from the entry before it.`
}

function LogRow({ entry, isBroken }: { readonly entry: DrawLogEntry; readonly isBroken: boolean }) {
  const wins = entry.prizeIds.filter((id) => id !== null).length
  const { data } = useObserved()
  const packType = data?.packTypes.find(({ packTypeId }) => packTypeId === entry.packTypeId)
  return (
    <li className={cn('py-2', isBroken && 'shadow-[inset_3px_0_0_var(--danger)] ps-3')}>
      <Disclosure
        summary={
          <span className="min-w-0 text-ink">
            <span className="font-semibold tabular-nums">#{formatNumber(entry.position)}</span>{' '}
            {plural(entry.quantity, 'pack', 'packs')} of{' '}
            {packType?.name ?? `type ${entry.packTypeId}`}, {plural(wins, 'prize', 'prizes')}
            <span className="block text-sm text-muted">
              <time dateTime={entry.openingRequestAt}>
                {formatDateTime(entry.openingRequestAt)}
              </time>
            </span>
          </span>
        }
      >
        <dl className="grid gap-2 pb-2 text-sm">
          <Detail name="Prizes in the order of the packs">
            {entry.prizeIds.map((id) => (id === null ? 'none' : `prize ${id}`)).join(', ')}
          </Detail>
          <Detail name="Nonces">
            {entry.firstNonce} to {entry.firstNonce + entry.quantity - 1}
          </Detail>
          <Detail name="Odds table">{entry.tableHash}</Detail>
          <Detail name="Commitment to the server seed">{entry.serverSeedHash}</Detail>
          <Detail name="Fingerprint of the entry before">{entry.previousHash}</Detail>
          <Detail name="Fingerprint">{entry.hash}</Detail>
        </dl>
      </Disclosure>
    </li>
  )
}

function Detail({ name, children }: { readonly name: string; readonly children: React.ReactNode }) {
  return (
    <div>
      <dt className="text-muted">{name}</dt>
      <dd className="font-mono break-all">{children}</dd>
    </div>
  )
}
