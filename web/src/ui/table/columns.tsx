// The columns of a table: what they show, which of them are shown, and the choice of it.

import { Columns3 } from 'lucide-react'
import { Popover } from 'radix-ui'
import { type ReactNode, useCallback, useState } from 'react'
import { keepInBrowser, keptInBrowser } from '../../lib/browser-switch.ts'
import { buttonLook } from '../form/button.tsx'

export interface DataColumn<Row> {
  readonly id: string
  /** Words of the header, and of the label on a card. */
  readonly header: string
  readonly cell: (row: Row) => ReactNode
  /** What a cell is sorted by, found by and exported as; absent for cells that only act. */
  readonly value?: (row: Row) => string | number
  readonly isSortable?: boolean
  /** Numbers stand at the end of their column. */
  readonly isNumber?: boolean
  /** Takes the room that the others leave; its text is cut there rather than the table widened. */
  readonly takesRest?: boolean
  /** True for columns that cannot be hidden; the first never can. */
  readonly isFixed?: boolean
  /** True for columns that are hidden until they are chosen. */
  readonly isExtra?: boolean
}

function itemOf(name: string): string {
  return `redpack:columns:${name}`
}

function readHidden(name: string): string[] | null {
  try {
    const stored: unknown = JSON.parse(keptInBrowser(itemOf(name)) ?? 'null')
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : null
  } catch {
    return null
  }
}

export interface ColumnChoice {
  readonly isShown: (id: string) => boolean
  readonly toggle: (id: string) => void
}

/** Which columns are shown, kept in this browser under the table's name. */
export function useColumnChoice<Row>(
  name: string,
  columns: readonly DataColumn<Row>[],
): ColumnChoice {
  const [chosen, setChosen] = useState(() => readHidden(name))
  const hidden = chosen ?? columns.filter(({ isExtra }) => isExtra).map(({ id }) => id)
  const isShown = useCallback((id: string) => !hidden.includes(id), [hidden])
  const toggle = (id: string) => {
    const next = hidden.includes(id) ? hidden.filter((other) => other !== id) : [...hidden, id]
    keepInBrowser(itemOf(name), JSON.stringify(next))
    setChosen(next)
  }
  return { isShown, toggle }
}

export interface ColumnChooserProps<Row> {
  readonly columns: readonly DataColumn<Row>[]
  readonly choice: ColumnChoice
}

/** Opens the list of columns that can be shown or hidden. */
export function ColumnChooser<Row>({ columns, choice }: ColumnChooserProps<Row>) {
  const choosable = columns.filter((column, index) => index > 0 && !column.isFixed)
  if (choosable.length === 0) return null
  return (
    <Popover.Root>
      <Popover.Trigger className={buttonLook({ tone: 'secondary' })}>
        <Columns3 />
        Columns
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={8}
          collisionPadding={8}
          aria-label="Columns"
          className="card on-card panel-center z-toast max-h-80 max-w-[calc(100vw-1rem)] min-w-52 overflow-y-auto bg-surface p-3 shadow-[0_12px_32px_-8px_rgb(0_0_0/60%)]"
        >
          <fieldset className="grid min-w-0 grid-cols-1">
            <legend className="px-2 font-display font-semibold">Shown columns</legend>
            {choosable.map(({ id, header }) => (
              <label key={id} className="flex min-h-11 items-center gap-3 px-2">
                <input
                  type="checkbox"
                  className="tick"
                  checked={choice.isShown(id)}
                  onChange={() => choice.toggle(id)}
                />
                <span className="min-w-0 break-words">{header}</span>
              </label>
            ))}
          </fieldset>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
