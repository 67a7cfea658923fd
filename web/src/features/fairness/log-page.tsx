// The entries of the log page by page, newest first, each shown to lead to the checkpoint and told
// in one line; and the search for one.

import { type Entry, entryOfText } from '@redpack/fair/entries'
import { LogFault } from '@redpack/fair/tree'
import { ChevronLeft, ChevronRight, Link2, Search, Square } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { messageOf } from '../../lib/api-error.ts'
import { formatNumber, formatRedCoin, plural } from '../../lib/format.ts'
import { DataState } from '../../ui/feedback/data-state.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { Button } from '../../ui/form/button.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { Disclosure } from '../../ui/layout/disclosure.tsx'
import { usePageTurning } from '../../ui/table/pagination.tsx'
import { type FoundEntry, findEntry, type OpenLog } from './log-reader.ts'
import { drawLogRows, useLogPage } from './queries.ts'

export interface LogPageProps {
  readonly log: OpenLog
  readonly upTo: number | undefined
  readonly onTurn: (upTo: number | undefined) => void
}

export function LogPage({ log, upTo, onTurn }: LogPageProps) {
  const { size } = log.checkpoint
  const page = useLogPage(log, Math.min(size, upTo ?? size))
  const { data, error, isPlaceholderData } = page
  const { heading, turnTo } = usePageTurning(
    data && !isPlaceholderData ? rangeText(data, size) : undefined,
    onTurn,
  )
  return (
    <section className="border-t border-line pt-4">
      <h3 ref={heading} tabIndex={-1} className="mb-1 text-lg focus:outline-none">
        Entries
      </h3>
      {error instanceof LogFault ? (
        <Notice tone="danger">{error.message}</Notice>
      ) : (
        <DataState query={page} what="the entries" skeleton="h-24">
          {(entries) => <Rows entries={entries} size={size} onTurn={turnTo} />}
        </DataState>
      )}
    </section>
  )
}

function rangeText(entries: readonly FoundEntry[], size: number): string {
  const [newest, oldest] = [entries[0]?.index ?? 0, entries.at(-1)?.index ?? 0]
  return `Entries ${formatNumber(newest)} to ${formatNumber(oldest)} of ${formatNumber(size)}`
}

interface RowsProps extends Pick<LogPageProps, 'onTurn'> {
  readonly entries: readonly FoundEntry[]
  readonly size: number
}

function Rows({ entries, size, onTurn }: RowsProps) {
  const end = (entries[0]?.index ?? size - 1) + 1
  const oldest = entries.at(-1)?.index ?? 0
  const newer = end + drawLogRows
  return (
    <>
      <p className="mb-3 flex items-start gap-2 font-medium text-success">
        <Link2 aria-hidden="true" className="size-6 flex-none" />
        Your browser checked this page: every entry leads to the signed checkpoint.
      </p>
      <ol
        aria-label="Entries of the log"
        className="list-none divide-y divide-line border-y border-line p-0"
      >
        {entries.map(({ index, text }) => {
          const number = <span className="font-semibold tabular-nums">#{formatNumber(index)}</span>
          const summary = (
            <span className="min-w-0 break-words text-ink">
              {number} {entryWords(text)}
            </span>
          )
          return (
            <li key={index} className="py-1">
              <Disclosure summary={summary}>
                <code className="block pb-2 text-sm break-all text-muted">{text}</code>
              </Disclosure>
            </li>
          )
        })}
      </ol>
      <nav
        aria-label="Draw log pages"
        className="mt-4 flex flex-wrap items-center justify-between gap-3"
      >
        <Button
          tone="secondary"
          disabled={end >= size}
          onClick={() => onTurn(newer >= size ? undefined : newer)}
        >
          <ChevronLeft aria-hidden="true" />
          Newer
        </Button>
        <span className="text-center text-sm text-muted tabular-nums max-sm:order-1 max-sm:w-full">
          {rangeText(entries, size)}
        </span>
        <Button tone="secondary" disabled={oldest <= 0} onClick={() => onTurn(oldest)}>
          Older
          <ChevronRight aria-hidden="true" />
        </Button>
      </nav>
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
    <Button tone="secondary" className="justify-self-start" onClick={onClick}>
      <Square aria-hidden="true" />
      Stop
    </Button>
  )
}

/** Looks for part of an id, seed or commitment. */
export function FindInLog({ log, onTurn }: Omit<LogPageProps, 'upTo'>) {
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
          <Button type="submit" tone="secondary" className="justify-self-start">
            <Search aria-hidden="true" />
            Find
          </Button>
        )}
      </form>
      <div role="status" className="mt-3">
        {isRunning && <p className="text-muted">{formatNumber(seen ?? 0)} entries looked at…</p>}
        {found === null && <p>It is not in the log.</p>}
        {found && (
          <p className="break-words">
            Entry {formatNumber(found.index)}, shown to stand in the signed log:{' '}
            {entryWords(found.text)}.{' '}
            <Button tone="faint" size="compact" onClick={() => onTurn(found.index + 1)}>
              Show it among the others
            </Button>
          </p>
        )}
      </div>
    </section>
  )
}

/** One line about the entry in a text. */
export function entryWords(text: string): string {
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
      const left = after === null ? 'without an end now' : `${formatNumber(after)} left`
      return `Stock of prize ${prizeId}: ${delta > 0 ? '+' : ''}${formatNumber(delta)}, ${left}`
    }
    case 'opening':
      return openingWords(entry)
    case 'table':
      return 'part' in entry
        ? `Odds table, part ${entry.part} of ${entry.parts}`
        : `Odds table of pack type ${entry.table.packTypeId}, ${plural(entry.table.entries.length, 'prize', 'prizes')}`
    default:
      return 'Not one of the five kinds of entries'
  }
}

function openingWords({
  packTypeId,
  chainId,
  index,
  entropyFrom,
  results,
}: Entry<'opening'>): string {
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
