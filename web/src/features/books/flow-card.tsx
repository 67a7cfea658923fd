// Where RedCoin comes from and where it goes, day by day and by kind.

import type { EconomyFlow } from '@redpack/contract'
import type { ReactNode } from 'react'
import { formatNumber, formatRedCoin } from '../../lib/format.ts'
import { useSearchValue } from '../../lib/search-value.ts'
import { DataState } from '../../ui/feedback/data-state.tsx'
import { Button } from '../../ui/form/button.tsx'
import { Card, CardHeader } from '../../ui/layout/card.tsx'
import { RefreshingDot } from '../../ui/layout/headings.tsx'
import { FlowChart } from '../../ui/table/flow-chart.tsx'
import { type FlowDays, useEconomyFlow } from './economy-queries.ts'

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
const dayFormat = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
})

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

/** What came into being and what went, in bars. */
export function RedCoinPerDay({ days }: Pick<EconomyFlow, 'days'>) {
  return (
    <FlowChart
      label="RedCoin per day"
      upLabel="Created"
      downLabel="Removed"
      pointLabel="Day"
      points={days.map(({ day, created, removed }) => ({
        id: day,
        label: dayFormat.format(new Date(`${day}T00:00:00Z`)),
        up: created,
        down: removed,
      }))}
    />
  )
}

export function Figure({
  term,
  children,
}: {
  readonly term: string
  readonly children: ReactNode
}) {
  return (
    <div className="flex min-w-0 flex-col-reverse rounded-control border border-line p-3">
      <dt className="text-sm text-muted">{term}</dt>
      <dd className="break-words font-display text-lg font-semibold tabular-nums">{children}</dd>
    </div>
  )
}

export interface ShareBarProps {
  /** From 0 to 1. */
  readonly share: number
  /** Its height. */
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
      className={`mt-1 w-full overflow-hidden rounded-full ${className}`}
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
              <ShareBar share={amount / Math.max(1, whole)} className="h-2" fill={fill} />
            </li>
          ))}
      </ul>
    </section>
  )
}
