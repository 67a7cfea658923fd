// The entries of the log page by page, newest first, each shown to lead to the checkpoint and told
// in one line; and the search for one.

import { type Entry, entryOfText } from '@redpack/fair/entries'
import { LogFault } from '@redpack/fair/tree'
import { Link2, Search, Square } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { messageOf } from '../../lib/api-error.ts'
import { formatNumber, formatRedCoin, plural } from '../../lib/format.ts'
import { DataState } from '../../ui/feedback/data-state.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { Button } from '../../ui/form/button.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { Disclosure } from '../../ui/layout/disclosure.tsx'
import { Pagination, usePageTurning } from '../../ui/table/pagination.tsx'
import { shipmentWords } from './delivery-record.tsx'
import { type FoundEntry, findEntry, type OpenLog } from './log-reader.ts'
import type { OpeningsListProps } from './openings-list.tsx'
import { drawLogRows, useLogPage } from './queries.ts'

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

  const find = (event: FormEvent) => {
    event.preventDefault()
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
      <form noValidate onSubmit={find} className="mt-2 grid max-w-xl gap-3">
        <TextField
          label="Id of an opening, a seed or a commitment"
          hint="The details of your openings show all three."
          error={error}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setError(undefined)
          }}
          autoComplete="off"
          spellCheck={false}
          className="font-mono text-sm"
        />
        {isRunning ? (
          <StopButton onClick={stop} />
        ) : (
          <Button type="submit" tone="secondary" className="justify-self-start" icon={Search}>
            Find
          </Button>
        )}
      </form>
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
