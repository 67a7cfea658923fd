// What the draw log asks the server: entries by position, and how draws and odds compare.

import { type DrawLogEntry, drawLogContract, drawLogPageMax } from '@redpack/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { type ChainEnd, checkLinks, type LinkFault, startOfChain } from './hash-chain.ts'

/** Entries on one page of the log. */
export const drawLogRows = 20

export interface DrawLogPage {
  /** Newest first. */
  readonly entries: readonly DrawLogEntry[]
  /** Position of the newest entry of all, 0 while there is none. */
  readonly latest: number
  /** The first break in the chain on this page, if there is one. */
  readonly fault: LinkFault | undefined
}

async function loadPage(upTo: number | undefined, signal: AbortSignal): Promise<DrawLogPage> {
  const end = upTo ?? (await loadEntries(0, 1, signal)).latest?.position ?? 0
  const after = Math.max(0, end - drawLogRows)
  // The entry before the page tells whether its first one goes on from it.
  const before = after > 0 ? 1 : 0
  const { entries, latest } = await loadEntries(after - before, drawLogRows + before, signal)
  const start = before === 0 ? startOfChain : endOf(entries[0])
  const shown = entries.slice(before).filter(({ position }) => position <= end)
  const { fault } = await checkLinks(start, shown)
  return { entries: shown.toReversed(), latest: latest?.position ?? 0, fault }
}

function endOf(entry: DrawLogEntry | undefined): ChainEnd {
  return entry ? { position: entry.position, hash: entry.hash } : startOfChain
}

function loadEntries(after: number, limit: number, signal?: AbortSignal) {
  return call(drawLogContract.list, { query: { after, limit }, signal })
}

/** The entries up to a position, or the newest ones; checked as they come. */
export function useDrawLog(upTo: number | undefined) {
  return useQuery({
    queryKey: [drawLogContract.list.path, upTo ?? 'newest'],
    queryFn: ({ signal }) => loadPage(upTo, signal),
    placeholderData: keepPreviousData,
  })
}

export interface WholeCheck {
  readonly checked: number
  readonly total: number
  /** What the chain ends in, once all of it has been checked. */
  readonly end: ChainEnd | undefined
  readonly fault: LinkFault | undefined
}

/**
 * Checks the log from its first entry to its newest, telling how far it has come.
 * @throws whatever a call that fails throws, also when the signal ends it
 */
export async function checkWholeLog(
  onProgress: (progress: WholeCheck) => void,
  signal: AbortSignal,
): Promise<void> {
  let end = startOfChain
  for (;;) {
    const { entries, latest } = await loadEntries(end.position, drawLogPageMax, signal)
    const { end: next, fault } = await checkLinks(end, entries)
    end = next
    const total = latest?.position ?? 0
    const isDone = fault !== undefined || entries.length === 0 || end.position >= total
    const isWhole = isDone && fault === undefined
    const isRight = isWhole && (latest === null || latest.hash === end.hash)
    onProgress({
      checked: end.position,
      total,
      end: isWhole ? end : undefined,
      fault:
        fault ?? (isWhole && !isRight ? { position: end.position, reason: 'hash' } : undefined),
    })
    if (isDone) return
  }
}

/** Per pack type what was published and what the draws gave. */
export function useObserved() {
  return useQuery({
    queryKey: [drawLogContract.observed.path],
    queryFn: ({ signal }) => call(drawLogContract.observed, { signal }),
    staleTime: 30_000,
  })
}
