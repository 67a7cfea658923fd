// The eight figures at the top of the overview, in two groups.

import type { AdminStats } from '@redpack/contract'
import { type ReactNode, useId } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { Skeleton } from '../../ui/feedback/data-state.tsx'

interface Figure {
  readonly term: string
  readonly field: keyof AdminStats & string
}

interface Group {
  readonly title: string
  readonly figures: readonly Figure[]
}

const groups: readonly Group[] = [
  {
    title: 'People and packs',
    figures: [
      { term: 'Total Users', field: 'totalUsers' },
      { term: 'New Users (7d)', field: 'activeUsers' },
      { term: 'Packs Today', field: 'packsOpenedToday' },
      { term: 'Total Packs', field: 'totalPackOpenings' },
    ],
  },
  {
    title: 'Economy',
    figures: [
      { term: 'Total RedCoins', field: 'totalRedCoins' },
      { term: 'Active Prizes', field: 'totalPrizes' },
      { term: 'Claims Today', field: 'prizesClaimedToday' },
      { term: 'Purchases Today', field: 'storePurchasesToday' },
    ],
  },
]

/** Shapes of the same size stand in while the statistics load. */
export function StatCards({ stats }: { readonly stats: AdminStats | undefined }) {
  return (
    <div className="grid grid-cols-1 gap-6 xl:grid-cols-2">
      {groups.map((group) => (
        <StatGroup key={group.title} title={group.title}>
          {group.figures.map(({ term, field }) => (
            <div
              key={field}
              className="card on-card flex min-w-0 flex-col-reverse justify-end p-4 2xl:px-3"
            >
              <dt className="text-sm text-muted">{term}</dt>
              <dd className="min-h-9 break-words font-display text-2xl font-semibold tabular-nums">
                {stats ? (
                  <FigureText text={formatNumber(Number(stats[field]))} />
                ) : (
                  <Skeleton className="h-8 w-20" />
                )}
              </dd>
            </div>
          ))}
        </StatGroup>
      ))}
    </div>
  )
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
