// The three numbers of the dashboard; each card is one link.

import type { LinkProps } from '@tanstack/react-router'
import { PackageOpen, Sparkles } from 'lucide-react'
import type { ReactNode } from 'react'
import { LinkCard } from '../../ui/card.tsx'
import { RollingNumber } from '../../ui/rolling-number.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

export interface StatCardsProps {
  /** Undefined while loading. */
  readonly totalPacks: number | undefined
  readonly packsOpened: number | undefined
  readonly redCoinBalance: number
}

export function StatCards({ totalPacks, packsOpened, redCoinBalance }: StatCardsProps) {
  return (
    <div className="enter-stagger grid gap-4 sm:grid-cols-3">
      <StatCard
        to="/inventory"
        label="Available Packs"
        value={totalPacks}
        icon={<PackageOpen aria-hidden="true" className="size-7 text-primary-text" />}
      />
      <StatCard
        to="/inventory"
        label="Total Opened"
        value={packsOpened}
        icon={<Sparkles aria-hidden="true" className="size-7 text-secondary-text" />}
      />
      <StatCard
        to="/store"
        label="RedCoin Balance"
        value={redCoinBalance}
        icon={<img src="/art/redcoin.svg" alt="" width={32} height={32} className="size-8" />}
      />
    </div>
  )
}

interface StatCardProps {
  readonly to: LinkProps['to']
  readonly label: string
  readonly value: number | undefined
  readonly icon: ReactNode
}

function StatCard({ to, label, value, icon }: StatCardProps) {
  return (
    <LinkCard to={to} className="flex items-center gap-4 sm:block lg:flex">
      <span className="grid size-12 flex-none place-items-center rounded-card bg-raised sm:mb-3 lg:mb-0">
        {icon}
      </span>
      <span className="block min-w-0">
        <span className="block text-muted">{label}</span>
        <span className="block font-display text-3xl leading-10 font-bold">
          {value === undefined ? (
            <Skeleton className="my-1.5 h-7 w-20" />
          ) : (
            <RollingNumber value={value} />
          )}
        </span>
      </span>
    </LinkCard>
  )
}
