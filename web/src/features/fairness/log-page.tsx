// The entries of the log page by page, newest first; each is shown to lead to the checkpoint.

import { LogFault } from '@redpack/fair/tree'
import { ChevronLeft, ChevronRight, Link2, Link2Off } from 'lucide-react'
import { formatNumber } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { Disclosure } from '../../ui/disclosure.tsx'
import { askAgain, LoadError } from '../../ui/load-error.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { usePageTurning } from '../../ui/use-page-turning.ts'
import { entryWords } from './entry-words.ts'
import { drawLogRows, useLogPage } from './log-queries.ts'
import type { FoundEntry, OpenLog } from './log-reader.ts'

export interface LogPageProps {
  readonly log: OpenLog
  readonly upTo: number | undefined
  readonly onTurn: (upTo: number | undefined) => void
}

export function LogPage({ log, upTo, onTurn }: LogPageProps) {
  const { size } = log.checkpoint
  const end = Math.min(size, upTo ?? size)
  const entries = useLogPage(log, end)
  const { data, error, isPlaceholderData } = entries
  const shown = isPlaceholderData ? undefined : data
  const { heading, turnTo } = usePageTurning(shown && rangeText(shown, size), onTurn)
  return (
    <section className="border-t border-line pt-4">
      <h3 ref={heading} tabIndex={-1} className="text-lg focus:outline-none">
        Entries
      </h3>
      {error instanceof LogFault ? (
        <p className="mt-2 flex items-start gap-2 font-medium text-danger">
          <Link2Off aria-hidden="true" className="size-6 flex-none" />
          {error.message}
        </p>
      ) : (
        error && <LoadError title="The entries could not be loaded" {...askAgain(entries)} />
      )}
      {!data && !error && (
        <Loading label="Loading the entries" className="mt-3 grid gap-3">
          <Skeleton className="h-12" />
          <Skeleton className="h-12" />
        </Loading>
      )}
      {data && !error && <Rows entries={data} size={size} onTurn={turnTo} />}
    </section>
  )
}

function rangeText(entries: readonly FoundEntry[], size: number): string {
  const [newest, oldest] = [entries[0]?.index ?? 0, entries.at(-1)?.index ?? 0]
  return `Entries ${formatNumber(newest)} to ${formatNumber(oldest)} of ${formatNumber(size)}`
}

interface RowsProps {
  readonly entries: readonly FoundEntry[]
  readonly size: number
  readonly onTurn: (upTo: number | undefined) => void
}

function Rows({ entries, size, onTurn }: RowsProps) {
  const end = (entries[0]?.index ?? size - 1) + 1
  const oldest = entries.at(-1)?.index ?? 0
  const newer = end + drawLogRows
  return (
    <>
      <p className="mt-1 mb-3 flex items-start gap-2 font-medium text-success">
        <Link2 aria-hidden="true" className="size-6 flex-none" />
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
      <nav
        aria-label="Draw log pages"
        className="mt-4 grid grid-cols-2 items-center gap-3 sm:grid-cols-[1fr_auto_1fr]"
      >
        <Button
          tone="secondary"
          className="justify-self-start"
          disabled={end >= size}
          onClick={() => onTurn(newer >= size ? undefined : newer)}
        >
          <ChevronLeft aria-hidden="true" />
          Newer
        </Button>
        <span className="col-span-2 row-start-2 text-center text-sm text-muted tabular-nums sm:col-span-1 sm:col-start-2 sm:row-start-1">
          {rangeText(entries, size)}
        </span>
        <Button
          tone="secondary"
          className="justify-self-end sm:col-start-3"
          disabled={oldest <= 0}
          onClick={() => onTurn(oldest)}
        >
          Older
          <ChevronRight aria-hidden="true" />
        </Button>
      </nav>
    </>
  )
}
