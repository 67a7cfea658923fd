// Where RedCoin comes from and where it goes, day by day and by kind.

import type { EconomyFlow } from '@redpack/contract'
import { formatNumber, formatRedCoin } from '../../lib/format.ts'
import { useSearchValue } from '../../lib/search-value.ts'
import { DataState } from '../../ui/feedback/state.tsx'
import { Button } from '../../ui/form/button.tsx'
import { Card, CardHeader, Disclosure, Figure, RefreshingDot } from '../../ui/layout/section.tsx'
import { PlainTable } from '../../ui/table/plain-table.tsx'
import { type FlowDays, useEconomyFlow } from './economy-queries.ts'

type Day = EconomyFlow['days'][number]

const dayFormat = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
})
/** Short, for the ends of the line: 'Nov 21'. */
const dayText = ({ day }: Day) => dayFormat.format(new Date(`${day}T00:00:00Z`))

/** Units of the drawing: a bar with its gap is `step` wide, both sides are `height` high. */
const step = 10
const barWidth = 7
const height = 200
/** A side is at least such a part of the other, so that the three values beside them have room. */
const sideMin = 0.2

const sumsText = (created: number, removed: number) =>
  `${formatNumber(created)} created, ${formatNumber(removed)} removed`

/** What came into being and what went, in bars, oldest first. */
export function RedCoinPerDay({ days }: Pick<EconomyFlow, 'days'>) {
  const created = Math.max(1, ...days.map((day) => day.created))
  const removed = Math.max(1, ...days.map((day) => day.removed))
  const above = Math.max(created, Math.ceil(removed * sideMin))
  const below = Math.max(removed, Math.ceil(created * sideMin))
  const unit = height / (above + below)
  const sum = (side: 'created' | 'removed') => days.reduce((total, day) => total + day[side], 0)
  const ends = [days[0], days[Math.floor(days.length / 2)], days.at(-1)]
  return (
    <figure className="min-w-0">
      <figcaption className="mb-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
        <span className="font-display font-semibold">RedCoin per day</span>
        <span className="flex flex-wrap gap-x-4 text-sm">
          <LegendEntry label="Created" className="bg-chart-up" />
          <LegendEntry label="Removed" className="bg-chart-down" />
        </span>
      </figcaption>
      <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 text-sm text-muted tabular-nums">
        <div aria-hidden="true" className="relative flex flex-col justify-between text-end">
          <span>+{formatNumber(above)}</span>
          <span
            className="absolute end-0 -translate-y-1/2"
            style={{ top: `${(above * unit * 100) / height}%` }}
          >
            0
          </span>
          <span>−{formatNumber(below)}</span>
        </div>
        <svg
          role="img"
          aria-label={`RedCoin per day: ${sumsText(sum('created'), sum('removed'))}. The table below has every number.`}
          viewBox={`0 ${-above * unit} ${Math.max(1, days.length) * step} ${height}`}
          preserveAspectRatio="none"
          className="h-56 w-full"
        >
          {days.map((day, index) => (
            <Bars key={day.day} day={day} left={index * step} top={-above * unit} unit={unit} />
          ))}
          <line
            x1={0}
            x2={days.length * step}
            y1={0}
            y2={0}
            vectorEffect="non-scaling-stroke"
            className="stroke-control"
          />
        </svg>
        <span />
        <div aria-hidden="true" className="flex justify-between">
          {ends.map((day, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: three places, of one day or three
            <span key={place}>{day && dayText(day)}</span>
          ))}
        </div>
      </div>
      <Disclosure summary="View as table" className="mt-2">
        <FlowTable days={days} />
      </Disclosure>
    </figure>
  )
}

function LegendEntry({ label, className }: { readonly label: string; readonly className: string }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <span aria-hidden="true" className={`size-3 rounded-sm ${className}`} />
      {label}
    </span>
  )
}

interface BarsProps {
  readonly day: Day
  readonly left: number
  /** Where the drawing begins. */
  readonly top: number
  /** How high one RedCoin is. */
  readonly unit: number
}

/** The two bars of a day under one area, which shows its numbers to the mouse. */
function Bars({ day, left, top, unit }: BarsProps) {
  const { created, removed } = day
  const x = left + (step - barWidth) / 2
  return (
    <g className="group">
      <title>{`${dayText(day)}: ${sumsText(created, removed)}`}</title>
      <rect
        x={left}
        y={top}
        width={step}
        height={height}
        className="fill-transparent group-hover:fill-raised"
      />
      <rect
        x={x}
        y={-created * unit}
        width={barWidth}
        height={created * unit}
        className="fill-chart-up"
      />
      <rect x={x} y={0} width={barWidth} height={removed * unit} className="fill-chart-down" />
    </g>
  )
}

function FlowTable({ days }: Pick<EconomyFlow, 'days'>) {
  return (
    <div className="max-h-80 overflow-y-auto">
      <PlainTable
        label="RedCoin per day"
        heads={['Day', 'Created', 'Removed']}
        className="tabular-nums [&_:is(th,td):not(:first-child)]:text-end"
      >
        {days.toReversed().map((day) => (
          <tr key={day.day}>
            <th scope="row" className="font-normal">
              {dayText(day)}
            </th>
            <td>{formatNumber(day.created)}</td>
            <td>{formatNumber(day.removed)}</td>
          </tr>
        ))}
      </PlainTable>
    </div>
  )
}

/** What the kinds of ledger entries are called. */
const words: Readonly<Record<string, string>> = {
  prize_win: 'Prizes won',
  pack_consolation: 'Consolations',
  store_purchase: 'Store purchases',
  watch_reward: 'Watch rewards',
  discord_reward: 'Reward messages',
  admin_grant: 'Grants by staff',
  admin_removal: 'Removals by staff',
  opening_balance: 'Opening balances',
}

/** A kind that this page does not know reads as it is written, with spaces. */
function flowWord(type: string): string {
  return words[type] ?? type.replaceAll('_', ' ')
}

const ranges: readonly FlowDays[] = [30, 90]
/** Days that are shown while the address names none, and on the overview. */
export const usualDays: FlowDays = 30

export function FlowCard() {
  const [wanted, setDays] = useSearchValue('days')
  const days = ranges.find((range) => String(range) === wanted) ?? usualDays
  const flow = useEconomyFlow(days)
  return (
    <Card>
      <CardHeader
        level={3}
        title={
          <span className="flex items-center gap-2">
            Sources and sinks
            <RefreshingDot isShown={flow.isPlaceholderData} />
          </span>
        }
        description="RedCoin created and removed each day."
        action={
          <fieldset className="flex gap-2">
            <legend className="sr-only">Range</legend>
            {ranges.map((range) => (
              <Button
                key={range}
                tone="secondary"
                aria-pressed={range === days}
                onClick={() => setDays(range === usualDays ? '' : String(range))}
              >
                {range} days
              </Button>
            ))}
          </fieldset>
        }
      />
      <DataState query={flow} what="sources and sinks" skeleton="h-72">
        {(data) => <Flow flow={data} />}
      </DataState>
    </Card>
  )
}

function Flow({ flow }: { readonly flow: EconomyFlow }) {
  const { days, totals, inCirculation } = flow
  return (
    <div className="grid grid-cols-1 gap-6">
      <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <Figure term="In circulation">{formatRedCoin(inCirculation)}</Figure>
        <Figure term="Created">{formatRedCoin(totals.created)}</Figure>
        <Figure term="Removed">{formatRedCoin(totals.removed)}</Figure>
        <Figure term="Net">
          {totals.created >= totals.removed ? '+' : '−'}
          {formatRedCoin(Math.abs(totals.created - totals.removed))}
        </Figure>
      </dl>
      <RedCoinPerDay days={days} />
      <div className="grid grid-cols-1 gap-6 lg:grid-cols-2">
        <Kinds title="Sources" kinds={totals.sources} whole={totals.created} />
        <Kinds title="Sinks" kinds={totals.sinks} whole={totals.removed} />
      </div>
    </div>
  )
}

export interface ShareBarProps {
  /** From 0 to 1. */
  readonly share: number
  /** Its size. */
  readonly className: string
  readonly fill: string
}

/** A part of a whole, for the eye. */
export function ShareBar({ share, className, fill }: ShareBarProps) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 100 4"
      preserveAspectRatio="none"
      className={`overflow-hidden rounded-full ${className}`}
    >
      <rect width={100} height={4} className="fill-line" />
      <rect width={share * 100} height={4} className={fill} />
    </svg>
  )
}

interface KindsProps {
  readonly title: 'Sources' | 'Sinks'
  readonly kinds: EconomyFlow['totals']['sources']
  readonly whole: number
}

/** A part of the whole in full percent; what is there but too small reads '<1%'. */
function partText(amount: number, whole: number): string {
  const percent = Math.round((amount / Math.max(1, whole)) * 100)
  return percent === 0 && amount > 0 ? '<1%' : `${percent}%`
}

/** The kinds of entries, largest first, each with its part of the whole. */
function Kinds({ title, kinds, whole }: KindsProps) {
  const fill = title === 'Sources' ? 'fill-chart-up' : 'fill-chart-down'
  return (
    <section aria-label={title} className="min-w-0">
      <h4 className="mb-2 font-display font-semibold">{title}</h4>
      {kinds.length === 0 && <p className="text-muted">None in this period.</p>}
      <ul className="grid gap-3">
        {kinds
          .toSorted((one, other) => other.amount - one.amount)
          .map(({ type, amount }) => (
            <li key={type}>
              <div className="flex flex-wrap justify-between gap-x-4">
                <span>{flowWord(type)}</span>
                <span className="text-muted tabular-nums">
                  {formatNumber(amount)} · {partText(amount, whole)}
                </span>
              </div>
              <ShareBar
                share={amount / Math.max(1, whole)}
                className="mt-1 h-2 w-full"
                fill={fill}
              />
            </li>
          ))}
      </ul>
    </section>
  )
}
