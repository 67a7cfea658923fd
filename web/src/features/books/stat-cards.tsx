// The eight figures at the top of the overview, in two groups; each leads to its tab.

import type { AdminStats, EconomyFlow } from '@redpack/contract'
import { Link } from '@tanstack/react-router'
import { ArrowRight } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { formatNumber, formatSigned } from '../../lib/format.ts'
import { Skeleton } from '../../ui/feedback/data-state.tsx'

interface Figure {
  readonly term: string
  readonly field: keyof AdminStats & string
  /** The word of its tab in the address. */
  readonly tab: string
  /** What a day adds to it, where the flow of RedCoin says so, and how a week of it reads. */
  readonly trend?: {
    readonly of: (day: EconomyFlow['days'][number]) => number
    readonly say: (now: number, before: number) => string
  }
}

interface Group {
  readonly title: string
  readonly figures: readonly Figure[]
}

const groups: readonly Group[] = [
  {
    title: 'People and packs',
    figures: [
      { term: 'Total Users', field: 'totalUsers', tab: 'users' },
      { term: 'New Users (7d)', field: 'activeUsers', tab: 'users' },
      { term: 'Packs Today', field: 'packsOpenedToday', tab: 'pack-types' },
      { term: 'Total Packs', field: 'totalPackOpenings', tab: 'pack-types' },
    ],
  },
  {
    title: 'Economy',
    figures: [
      {
        term: 'Total RedCoins',
        field: 'totalRedCoins',
        tab: 'economy',
        trend: {
          of: ({ created, removed }) => created - removed,
          say: (now, before) => `${formatSigned(now)} in 7 days (${formatSigned(before)} before)`,
        },
      },
      { term: 'Active Prizes', field: 'totalPrizes', tab: 'prizes' },
      { term: 'Claims Today', field: 'prizesClaimedToday', tab: 'claims' },
      {
        term: 'Purchases Today',
        field: 'storePurchasesToday',
        tab: 'store',
        trend: {
          of: ({ sinks }) => sinks.find(({ type }) => type === 'store_purchase')?.amount ?? 0,
          say: (now, before) =>
            `${formatNumber(now)} RedCoin in 7 days (${formatNumber(before)} before)`,
        },
      },
    ],
  },
]

export interface StatCardsProps {
  /** Shapes of the same size stand in while it loads. */
  readonly stats: AdminStats | undefined
  /** The figures stand without a trend while it is not known. */
  readonly flow: EconomyFlow | undefined
}

export function StatCards({ stats, flow }: StatCardsProps) {
  return (
    <div className="grid grid-cols-1 gap-6 xl:grid-cols-2">
      {groups.map((group) => (
        <StatGroup key={group.title} title={group.title}>
          {group.figures.map(({ term, field, tab, trend }) => (
            <div
              key={field}
              className="card card-active on-card relative flex min-w-0 flex-col-reverse justify-end p-4 2xl:px-3"
            >
              <dt className="text-sm text-muted">
                <Link
                  to="."
                  search={{ tab }}
                  className="text-inherit no-underline after:absolute after:inset-0"
                >
                  {term}
                  <ArrowRight aria-hidden="true" className="ms-1 inline size-3.5 align-[-0.1em]" />
                </Link>
              </dt>
              <dd className="min-h-9 break-words font-display text-2xl font-semibold tabular-nums">
                {stats ? (
                  <FigureText text={formatNumber(Number(stats[field]))} />
                ) : (
                  <Skeleton className="h-8 w-20" />
                )}
              </dd>
              {stats && flow && trend && (
                <dd className="-order-1 mt-1 text-sm text-muted tabular-nums">
                  {trend.say(
                    sumOf(flow.days.slice(-7), trend.of),
                    sumOf(flow.days.slice(-14, -7), trend.of),
                  )}
                </dd>
              )}
            </div>
          ))}
        </StatGroup>
      ))}
    </div>
  )
}

function sumOf<T>(rows: readonly T[], of: (row: T) => number): number {
  return rows.reduce((sum, row) => sum + of(row), 0)
}

/** A number that would break on a card of a phone is smaller, so that it is read as one. */
function FigureText({ text }: { readonly text: string }) {
  return text.length > 9 ? <span className="text-lg leading-8">{text}</span> : text
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
