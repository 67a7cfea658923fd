// Rows that were deleted on this page: each keeps its place for a while, so that nothing moves
// under the pointer, as a line that offers to take the deletion back.

import { Trash2 } from 'lucide-react'
import {
  type CSSProperties,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { cn } from '../../lib/class-names.ts'
import { type OutcomeWords, toastDone, toastFailed, undoMs } from '../feedback/outcome.ts'
import { Button, IconButton, type IconButtonProps } from '../form/button.tsx'
import type { RowId } from './frozen-rows.ts'

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
  readonly rows: readonly Row[]
  /** What stands in place of a row that was deleted; undefined for every other. */
  readonly lineOf: (row: Row) => ReactNode
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
  /** All of it for one row, and says how it ended; a press on what is just going does nothing. */
  readonly deleteRow: (row: Row, order: DeletionOrder) => Promise<void>
}

export interface DeletionOrder extends Omit<OutcomeWords, 'action'> {
  readonly name: string
  readonly send: () => Promise<unknown>
  /** Takes it back and says whether it could; absent for what is final. */
  readonly restore?: () => Promise<boolean>
  /** Says that it failed, where that takes more than the server's sentence. */
  readonly onError?: ((error: unknown) => void) | undefined
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
    const steps = {
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
    const deleteRow = async (row: Row, order: DeletionOrder) => {
      const { name, send, restore, onError, done, failureTitle = 'Error', fallback } = order
      if (!steps.begin(row, name)) return
      try {
        await send()
      } catch (error) {
        steps.giveUp(row)
        if (onError) onError(error)
        else toastFailed(failureTitle, error, fallback)
        return
      }
      const onSelect = steps.settle(row, restore)
      toastDone(done, restore && { label: 'Undo', onSelect })
    }
    return { drop, deleteRow, ...steps }
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

/** Hides what was deleted, which keeps its room; a line within it is seen all the same. */
export const hidden: CSSProperties = { visibility: 'hidden' }
export const seen: CSSProperties = { visibility: 'visible' }

export interface DeletedLineProps {
  readonly name: string
  /** Absent for what is gone for good. */
  readonly onUndo: (() => void) | undefined
  /** Where the focus goes with the line. */
  readonly headingId: string
  /** True when the focus was on what was deleted. */
  readonly takesFocus: boolean
}

function DeletedLine({ name, onUndo, headingId, takesFocus }: DeletedLineProps) {
  const line = useRef<HTMLParagraphElement>(null)
  useLayoutEffect(() => {
    const { current } = line
    if (takesFocus) current?.focus({ preventScroll: true })
    return () => {
      if (!current?.contains(document.activeElement)) return
      document.getElementById(headingId)?.focus({ preventScroll: true })
    }
  }, [takesFocus, headingId])
  return (
    <p
      ref={line}
      tabIndex={-1}
      className="flex flex-wrap items-center justify-center gap-x-3 gap-y-1 text-base"
    >
      <span className="min-w-0 wrap-anywhere">Deleted {name}.</span>
      {onUndo && (
        <Button tone="secondary" onClick={onUndo}>
          <span>
            Undo <span className="sr-only">the deletion of {name}</span>
          </span>
        </Button>
      )}
    </p>
  )
}

export interface KeptCardsProps<Row> {
  readonly label: string
  readonly deleted: DeletedRows<Row>
  /** How wide each is. */
  readonly className: string
  readonly labelOf?: (row: Row) => string
  readonly children: (row: Row) => ReactNode
}

/** A list of cards, each in its place until its deletion can no longer be taken back here. */
export function KeptCards<Row extends { readonly id: RowId }>(props: KeptCardsProps<Row>) {
  const { label, deleted, className, labelOf, children } = props
  return (
    <ul aria-label={label} className={className}>
      {deleted.rows.map((row) => (
        <li key={row.id} aria-label={labelOf?.(row)}>
          <KeptPlace line={deleted.lineOf(row)}>{children(row)}</KeptPlace>
        </li>
      ))}
    </ul>
  )
}

export interface KeptPlaceProps {
  /** What stands there instead once there is any. */
  readonly line: ReactNode
  readonly children: ReactNode
}

/** A card or an entry of a list, which keeps its room when it is deleted. */
export function KeptPlace({ line, children }: KeptPlaceProps) {
  return (
    <div className="relative h-full" style={line ? hidden : undefined}>
      {children}
      {line && (
        <div
          style={seen}
          className="absolute inset-0 grid place-items-center rounded-card border border-dashed border-line px-3"
        >
          {line}
        </div>
      )}
    </div>
  )
}

/** Deletes one row, or asks about it first. */
export function DeleteButton(props: Pick<IconButtonProps, 'label' | 'onClick' | 'className'>) {
  return <IconButton {...props} icon={Trash2} className={cn('text-danger', props.className)} />
}
