// Rows that are ticked, on this page and on others, and the bar with what can be done to them.

import { X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { IconButton } from '../form/button.tsx'
import type { RowId } from './frozen-rows.ts'

export interface Selection<Row> {
  readonly rows: readonly Row[]
  readonly has: (row: Row) => boolean
  readonly canSelect: (row: Row) => boolean
  readonly toggle: (row: Row) => void
  /** Ticks or unticks all of these. */
  readonly setAll: (rows: readonly Row[], isTicked: boolean) => void
  readonly clear: () => void
}

/** Unticks rows, also such as can no longer be ticked. */
export type Untick<Row> = (rows: readonly Row[]) => void

/**
 * Remembers ticked rows by id; they survive paging and sorting, not a reload, and not another
 * search or filter, which is what `found` tells: nothing may be done to rows that nobody sees.
 * It is absent while the rows are still those of the view before.
 */
export function useSelection<Row>(
  shown: readonly Row[],
  idOf: (row: Row) => RowId,
  canSelect: (row: Row) => boolean,
  found: string | undefined,
): Selection<Row> {
  const [ticked, setTicked] = useState<ReadonlyMap<RowId, Row>>(new Map())
  const [foundBefore, setFound] = useState(found)
  if (found !== undefined && found !== foundBefore) {
    setFound(found)
    setTicked(new Map())
  }
  const newest = new Map(shown.map((row) => [idOf(row), row]))
  const rows = [...ticked].map(([id, row]) => newest.get(id) ?? row).filter(canSelect)
  const setAll = (changed: readonly Row[], isTicked: boolean) =>
    setTicked((before) => {
      const next = new Map(before)
      for (const row of changed) {
        if (!isTicked) next.delete(idOf(row))
        else if (canSelect(row)) next.set(idOf(row), row)
      }
      return next
    })
  const has = (row: Row) => ticked.has(idOf(row)) && canSelect(row)
  return {
    rows,
    has,
    canSelect,
    toggle: (row) => setAll([row], !has(row)),
    setAll,
    clear: () => setTicked(new Map()),
  }
}

export interface SelectionBoxProps {
  readonly label: string
  readonly isTicked: boolean
  /** Some of what the box stands for is ticked, not all. */
  readonly isMixed?: boolean
  readonly disabled?: boolean
  readonly onChange: () => void
}

export function SelectionBox({
  label,
  isTicked,
  isMixed = false,
  disabled,
  onChange,
}: SelectionBoxProps) {
  return (
    <label className="inline-grid size-11 place-items-center">
      <span className="sr-only">{label}</span>
      <input
        type="checkbox"
        ref={(box) => {
          if (box) box.indeterminate = isMixed && !isTicked
        }}
        className="tick"
        checked={isTicked}
        disabled={disabled}
        onChange={onChange}
      />
    </label>
  )
}

export interface BulkBarProps {
  readonly count: number
  /** How many of them are not on the page that is shown. */
  readonly elsewhere: number
  readonly onClear: () => void
  readonly children: ReactNode
}

/** Stays at the foot of the window as long as rows are ticked. */
export function BulkBar({ count, elsewhere, onClear, children }: BulkBarProps) {
  if (count === 0) return null
  return (
    <section
      aria-label="Selected rows"
      data-bar
      className="card on-card sticky bottom-4 z-10 mt-4 flex flex-wrap items-center gap-2 sm:flex-nowrap border-accent-graphic bg-raised px-4 py-2 shadow-[0_12px_32px_-8px_rgb(0_0_0/60%)]"
    >
      <p role="status" className="min-w-0 flex-1 font-semibold sm:max-w-40 sm:flex-none">
        {formatNumber(count)} selected
        {elsewhere > 0 && ` (${formatNumber(elsewhere)} not on this page)`}
      </p>
      <IconButton label="Clear selection" onClick={onClear} className="sm:order-last" icon={X} />
      {/* On a phone one row that scrolls: seven acts below each other covered the rows. */}
      <div className="flex gap-2 *:flex-none max-sm:-mx-4 max-sm:w-[calc(100%+2rem)] max-sm:overflow-x-auto max-sm:px-4 max-sm:py-1 sm:flex-1 sm:flex-wrap sm:justify-end">
        {children}
      </div>
    </section>
  )
}
