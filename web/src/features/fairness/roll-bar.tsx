// The ranges of the prizes side by side, with the roll among them.

import { cn } from '../../lib/class-names.ts'
import { type RollRange, rollCount, type TableEntry } from './draw-table.ts'
import { rollPercent } from './verification-steps.ts'

export interface RollBarProps {
  readonly ranges: readonly RollRange[]
  readonly roll: bigint | null
  /** The entry that was drawn, null for none, undefined while it is unknown. */
  readonly drawn: TableEntry | null | undefined
}

/** Share of the whole range, 0 to 100, for drawing. */
function percentOf(rolls: bigint): number {
  return Number((rolls * 100_000n) / rollCount) / 1000
}

export function RollBar({ ranges, roll, drawn }: RollBarProps) {
  const end = ranges.at(-1)?.to ?? 0n
  return (
    <figure>
      <div aria-hidden="true" className="relative h-6 pt-2">
        <div className="flex h-4 overflow-hidden rounded-full border border-control bg-page">
          {ranges.map(({ entry, from, to }, index) => (
            <span
              key={entry.prizeId}
              className={cn(
                'block h-full border-e border-page',
                index % 2 === 0 ? 'bg-secondary-graphic' : 'bg-accent-graphic',
              )}
              style={{ width: `${percentOf(to - from)}%` }}
            />
          ))}
        </div>
        {roll !== null && (
          <span
            className="absolute top-0 h-8 w-1 -translate-x-1/2 rounded-full border border-page bg-ink"
            style={{ insetInlineStart: `${percentOf(roll)}%` }}
          />
        )}
      </div>
      <figcaption className="sr-only">Ranges of the prizes and the roll</figcaption>
      <ol className="mt-4 list-none divide-y divide-line p-0">
        {ranges.map(({ entry, from, to }) => (
          <RangeRow
            key={entry.prizeId}
            name={entry.name}
            from={from}
            to={to}
            isDrawn={drawn?.prizeId === entry.prizeId}
          />
        ))}
        <RangeRow name="No prize" from={end} to={rollCount} isDrawn={drawn === null} />
      </ol>
    </figure>
  )
}

interface RangeRowProps {
  readonly name: string
  readonly from: bigint
  readonly to: bigint
  readonly isDrawn: boolean
}

function RangeRow({ name, from, to, isDrawn }: RangeRowProps) {
  if (from === to) return null
  return (
    <li
      className={cn(
        'flex flex-wrap justify-between gap-x-4 py-2 text-sm',
        isDrawn ? 'font-semibold' : 'text-muted',
      )}
    >
      <span className="min-w-0 break-words">
        {name}
        {isDrawn && <span className="text-accent-text"> · the roll is here</span>}
      </span>
      <span className="tabular-nums">
        {rollPercent(from)} to {rollPercent(to)}
      </span>
    </li>
  )
}
