// The ranges of the prizes side by side, with the roll among them.

import { entryAt, rollRange } from '@redpack/fair/draw'
import { type DrawnRoll, rollPercent } from '@redpack/fair/verify'
import { cn } from '../../lib/class-names.ts'

/** Share of the whole range, 0 to 100, for drawing. */
const percentOf = (rolls: number) => (100 * rolls) / rollRange

export function RollBar({ table, thresholds, roll }: DrawnRoll) {
  const ranges = table.entries.map((entry, index) => ({
    entry,
    from: thresholds[index - 1] ?? 0,
    to: thresholds[index] ?? 0,
  }))
  const drawn = entryAt(thresholds, roll)
  const end = thresholds.at(-1) ?? 0
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
        <span
          className="absolute top-0 h-8 w-1 -translate-x-1/2 rounded-full border border-page bg-ink"
          style={{ insetInlineStart: `${percentOf(roll)}%` }}
        />
      </div>
      <figcaption className="sr-only">Ranges of the prizes and the roll</figcaption>
      <ol className="mt-4 list-none divide-y divide-line p-0">
        {ranges.map(({ entry, from, to }, index) => (
          <RangeRow
            key={entry.prizeId}
            name={entry.name}
            from={from}
            to={to}
            isDrawn={drawn === index}
          />
        ))}
        <RangeRow name="No prize" from={end} to={rollRange} isDrawn={drawn === undefined} />
      </ol>
    </figure>
  )
}

interface RangeRowProps {
  readonly name: string
  readonly from: number
  readonly to: number
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
