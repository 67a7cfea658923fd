// The eight figures at the top of the overview, in two groups, with how they came about in the last
// days; each leads to its tab.

import type { AdminStats, EconomyFlow } from '@redpack/contract'
import { Link } from '@tanstack/react-router'
import { ArrowRight } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { formatNumber, formatRedCoin, formatSigned } from '../../lib/format.ts'
import { Skeleton } from '../../ui/feedback/state.tsx'
import { NumberText } from '../../ui/media/number-text.tsx'

/** What each of the last days brought; undefined while it is not known. */
type Days = (stats: AdminStats, flow: EconomyFlow | undefined) => readonly number[] | undefined

const newUsers: Days = ({ lastDays }) => lastDays.map((day) => day.newUsers)
const packsOpened: Days = ({ lastDays }) => lastDays.map((day) => day.packsOpened)
const prizesClaimed: Days = ({ lastDays }) => lastDays.map((day) => day.prizesClaimed)
const redCoinGained: Days = (_, flow) => flow?.days.map(({ created, removed }) => created - removed)
const redCoinSpent: Days = (_, flow) =>
  flow?.days.map(({ sinks }) => sinks.find(({ type }) => type === 'store_purchase')?.amount ?? 0)

const added = (sum: number, days: number) => `${formatSigned(sum)} in ${days} days`
const perDay = (sum: number, days: number) =>
  `${formatNumber(Math.round((sum / days) * 10) / 10)} a day in ${days} days`
const spent = (sum: number, days: number) => `${formatRedCoin(sum)} in ${days} days`

interface Figure {
  readonly term: string
  readonly field: keyof AdminStats & string
  /** The word of its tab in the address. */
  readonly tab: string
  /** The order of the tab's rows in which those of the figure come first. */
  readonly sort?: string
  /** How the figure came about, and how that reads; what holds only now has none. */
  readonly trend?: readonly [Days, (sum: number, days: number) => string]
}

interface Group {
  readonly title: string
  readonly figures: readonly Figure[]
}

const groups: readonly Group[] = [
  {
    title: 'People and packs',
    figures: [
      { term: 'Total Users', field: 'totalUsers', tab: 'users', trend: [newUsers, added] },
      {
        ...{ term: 'New Users (7d)', field: 'activeUsers', tab: 'users', sort: '-createdAt' },
        trend: [newUsers, perDay],
      },
      {
        ...{ term: 'Packs Today', field: 'packsOpenedToday', tab: 'pack-types' },
        trend: [packsOpened, perDay],
      },
      {
        ...{ term: 'Total Packs', field: 'totalPackOpenings', tab: 'pack-types' },
        trend: [packsOpened, added],
      },
    ],
  },
  {
    title: 'Economy',
    figures: [
      {
        ...{ term: 'Total RedCoins', field: 'totalRedCoins', tab: 'economy' },
        trend: [redCoinGained, added],
      },
      { term: 'Active Prizes', field: 'totalPrizes', tab: 'prizes' },
      {
        ...{ term: 'Claims Today', field: 'prizesClaimedToday', tab: 'claims' },
        trend: [prizesClaimed, perDay],
      },
      {
        ...{ term: 'Purchases Today', field: 'storePurchasesToday', tab: 'store' },
        trend: [redCoinSpent, spent],
      },
    ],
  },
]

export interface StatCardsProps {
  /** Shapes of the same size stand in while it loads. */
  readonly stats: AdminStats | undefined
  /** What it tells stands empty while it is not known. */
  readonly flow: EconomyFlow | undefined
}

export function StatCards({ stats, flow }: StatCardsProps) {
  return (
    <div className="grid grid-cols-1 gap-6 xl:grid-cols-2">
      {groups.map((group) => (
        <StatGroup key={group.title} title={group.title}>
          {group.figures.map(({ term, field, tab, sort, trend }) => (
            <div
              key={field}
              className="card card-active on-card relative flex min-w-0 flex-col-reverse justify-end p-4 2xl:px-3"
            >
              <dt className="text-sm text-muted">
                <Link
                  to="."
                  search={{ tab, sort }}
                  className="text-inherit no-underline after:absolute after:inset-0"
                >
                  {term}
                  <ArrowRight className="ms-1 inline size-3.5 align-[-0.1em]" />
                </Link>
              </dt>
              <dd className="min-h-9 break-words font-display text-2xl font-semibold tabular-nums">
                {stats ? (
                  <FigureText text={formatNumber(Number(stats[field]))} />
                ) : (
                  <Skeleton className="h-8 w-20" />
                )}
              </dd>
              {trend && (
                <dd className="-order-1 mt-2 text-sm text-muted tabular-nums">
                  <Trend days={stats && trend[0](stats, flow)} say={trend[1]} />
                </dd>
              )}
            </div>
          ))}
        </StatGroup>
      ))}
    </div>
  )
}

interface TrendProps {
  readonly days: readonly number[] | undefined
  readonly say: (sum: number, days: number) => string
}

/** A bar a day, those below 0 downwards, and a few words; of the same size while it loads. */
function Trend({ days = [], say }: TrendProps) {
  const most = Math.max(0, ...days)
  const span = Math.max(1, most - Math.min(0, ...days))
  return (
    <>
      <svg
        aria-hidden="true"
        viewBox={`0 0 ${Math.max(1, days.length)} ${span}`}
        preserveAspectRatio="none"
        className="h-6 w-full"
      >
        {days.map((value, day) => (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a day is its place
            key={day}
            x={day}
            y={most - Math.max(0, value)}
            width={0.7}
            height={Math.abs(value)}
            className={value < 0 ? 'fill-chart-down' : 'fill-chart-up'}
          />
        ))}
      </svg>
      <span className="mt-1 block min-h-[2lh] sm:max-2xl:min-h-[1lh]">
        {days.length > 0 && (
          <NumberText
            value={say(
              days.reduce((sum, value) => sum + value, 0),
              days.length,
            )}
          />
        )}
      </span>
    </>
  )
}

/** A number that would break on a card of a phone is smaller, so that it is read as one. */
function FigureText({ text }: { readonly text: string }) {
  const number = <NumberText value={text} />
  return text.length > 9 ? <span className="text-lg leading-8">{number}</span> : number
}

function StatGroup({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex flex-col">
      <h3 id={id} className="mb-2 text-lg text-muted">
        {title}
      </h3>
      <dl className="grid flex-1 grid-cols-2 gap-3 sm:grid-cols-4 xl:grid-cols-2 2xl:grid-cols-4">
        {children}
      </dl>
    </section>
  )
}
