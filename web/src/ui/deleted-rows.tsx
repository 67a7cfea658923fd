// Rows that were deleted on this page: each keeps its place for a while, so that nothing moves
// under the pointer, as a line that offers to take the deletion back.

import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import type { RowId } from './data-table-calm.ts'
import { DeletedLine } from './deleted-line.tsx'
import { undoMs } from './outcome-toast.ts'

interface KeptRow<Row> {
  readonly row: Row
  readonly name: string
  /** The rows before it as they stood when it was deleted. */
  readonly before: ReadonlySet<RowId>
  readonly scope: string
  /** One that was taken back keeps its place until the list has it again. */
  readonly stage: 'going' | 'deleted' | 'restored'
  readonly untilMs: number
  /** What had the focus when the deletion was asked for. */
  readonly pressed: Element | null
  readonly takesFocus?: boolean
  readonly undo?: () => void
}

type Kept<Row> = ReadonlyMap<RowId, KeptRow<Row>>

/** The rows of a list, with those that keep their places between them. */
function withKept<Row extends { readonly id: RowId }>(
  rows: readonly Row[],
  kept: Kept<Row>,
  scope: string,
): readonly Row[] {
  const shown = [...rows]
  for (const one of kept.values()) {
    if (one.scope !== scope || rows.some(({ id }) => id === one.row.id)) continue
    shown.splice(shown.findLastIndex(({ id }) => one.before.has(id)) + 1, 0, one.row)
  }
  return shown
}

export interface DeletedRows<Row> {
  /** The rows to show. */
  readonly rows: readonly Row[]
  /** What stands in place of a row that was deleted; undefined for every other. */
  readonly lineOf: (row: Row) => ReactNode
  /** How many such lines there are. */
  readonly lines: number
  /** The deletion of a row is asked for; false when it was before. */
  readonly begin: (row: Row, name: string) => boolean
  /** It was refused. */
  readonly giveUp: (row: Row) => void
  /**
   * It is done; `restore` takes it back and says whether it could, and is absent for what is final.
   * @returns takes it back, once, from anywhere
   */
  readonly settle: (row: Row, restore?: () => Promise<boolean>) => () => void
}

export interface DeletedRowsOptions {
  /** Heading of the list, where the focus goes with a line that has it. */
  readonly headingId?: string
  /** What the list shows, for example its filters; rows keep their places only there. */
  readonly scope?: string
}

function useSteps<Row extends { readonly id: RowId }>(
  latest: { readonly shown: readonly Row[]; readonly scope: string; kept: Kept<Row> },
  setKept: (kept: Kept<Row>) => void,
) {
  return useMemo(() => {
    const set = (kept: Kept<Row>) => {
      latest.kept = kept
      setKept(kept)
    }
    const put = (id: RowId, one: KeptRow<Row>) => set(new Map(latest.kept).set(id, one))
    const drop = (isOver: (one: KeptRow<Row>) => boolean) =>
      set(new Map([...latest.kept].filter(([, one]) => !isOver(one))))
    const later = () => performance.now() + undoMs
    return {
      drop,
      begin(row: Row, name: string): boolean {
        const { shown, scope, kept } = latest
        const { id } = row
        const old = kept.get(id)
        if (old && old.stage !== 'restored') return false
        const before = new Set(
          shown
            .slice(
              0,
              shown.findIndex((one) => one.id === id),
            )
            .map(idOf),
        )
        const pressed = document.activeElement
        const untilMs = Number.POSITIVE_INFINITY
        put(id, { row, name, before, scope, stage: 'going', untilMs, pressed })
        return true
      },
      giveUp: ({ id }: Row) => drop(({ row }) => row.id === id),
      settle({ id }: Row, restore?: () => Promise<boolean>): () => void {
        const going = latest.kept.get(id)
        let isTaken = restore === undefined
        const undo = async () => {
          if (isTaken || !restore) return
          isTaken = true
          isTaken = await restore()
          const one = latest.kept.get(id)
          if (isTaken && one) put(id, { ...one, stage: 'restored', untilMs: later() })
        }
        const { activeElement, body } = document
        const takesFocus = activeElement === going?.pressed || activeElement === body
        const end = { stage: 'deleted', untilMs: later(), takesFocus } as const
        if (going) put(id, { ...going, ...end, ...(restore && { undo: () => void undo() }) })
        return () => void undo()
      },
    }
  }, [latest, setKept])
}

function idOf({ id }: { readonly id: RowId }): RowId {
  return id
}

/** Keeps the places of what is deleted from `rows`, each for as long as it can be taken back. */
export function useDeletedRows<Row extends { readonly id: RowId }>(
  rows: readonly Row[],
  { headingId = '', scope = '' }: DeletedRowsOptions,
): DeletedRows<Row> {
  const [kept, setKept] = useState<Kept<Row>>(new Map())
  const shown = useMemo(() => withKept(rows, kept, scope), [rows, kept, scope])
  const { current: latest } = useRef({ shown, scope, kept })
  useEffect(() => {
    Object.assign(latest, { shown, scope })
  })
  const { drop, ...steps } = useSteps(latest, setKept)
  useEffect(() => {
    const next = Math.min(...[...kept.values()].map(({ untilMs }) => untilMs))
    if (next === Number.POSITIVE_INFINITY) return
    const end = () => drop(({ untilMs }) => untilMs <= performance.now())
    const timer = window.setTimeout(end, next - performance.now())
    return () => window.clearTimeout(timer)
  }, [kept, drop])
  const deleted = [...kept.values()].filter((one) => one.stage === 'deleted' && one.scope === scope)
  const lineOf = ({ id }: Row) => {
    const one = deleted.find(({ row }) => row.id === id)
    if (!one) return undefined
    const { name, undo, takesFocus = false } = one
    return <DeletedLine name={name} onUndo={undo} {...{ headingId, takesFocus }} />
  }
  return { rows: shown, lineOf, lines: deleted.length, ...steps }
}
