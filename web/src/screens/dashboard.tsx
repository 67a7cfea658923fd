// Where a player starts: what there is, what to do next, what happened last.

import type { SessionUser } from '@redpack/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { NextStep } from '../features/packs/next-step.tsx'
import { PlaceCards } from '../features/packs/place-cards.tsx'
import { RecentActivity } from '../features/packs/recent-activity.tsx'
import { StatCards } from '../features/packs/stat-cards.tsx'
import { statsQuery } from '../features/packs/stats-queries.ts'
import { useSession, useShownBalance } from '../features/session/queries.ts'
import { askAgain, LoadErrorCard } from '../ui/feedback/data-state.tsx'
import { PageHeading } from '../ui/layout/headings.tsx'

/** Nothing unless signed in. */
export function DashboardScreen() {
  const { user } = useSession()
  return user && <Dashboard user={user} />
}

/** Who has come within this time has never been here before, in milliseconds. */
const firstVisitMs = 3_600_000

function Dashboard({ user }: { readonly user: SessionUser }) {
  const stats = useQuery(statsQuery)
  const redCoinBalance = useShownBalance()
  const [isNew] = useState(() => Date.now() - Date.parse(user.createdAt) < firstVisitMs)
  const unknown = stats.isError ? null : undefined
  return (
    <>
      <PageHeading
        title={`${isNew ? 'Welcome' : 'Welcome back'}, ${user.displayName}!`}
        description="Your packs, prizes and RedCoin at a glance"
      />
      <div className="grid gap-6">
        {stats.isError && !stats.data ? (
          <LoadErrorCard title="Error loading your statistics" {...askAgain(stats)} />
        ) : (
          <NextStep totalPacks={stats.data?.totalPacks} />
        )}
        <div aria-busy={stats.isPending}>
          <StatCards
            totalPacks={stats.data?.totalPacks ?? unknown}
            packsOpened={stats.data?.packsOpened ?? unknown}
            redCoinBalance={redCoinBalance}
          />
        </div>
        <PlaceCards />
        <RecentActivity />
      </div>
    </>
  )
}
