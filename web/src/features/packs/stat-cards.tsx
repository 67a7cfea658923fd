// The three numbers of the dashboard; each card is one link.

import type { LinkProps } from '@tanstack/react-router'
import { ChevronRight, PackageOpen, Sparkles } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '../../lib/class-names.ts'
import { Skeleton } from '../../ui/feedback/data-state.tsx'
import { LinkCard } from '../../ui/layout/card.tsx'
import { Masked } from '../../ui/media/masked.tsx'
import { RollingNumber } from '../../ui/media/rolling-number.tsx'

/** A number, or undefined while it is loading, or null when it could not be loaded. */
type Count = number | undefined | null

export interface StatCardsProps {
  readonly totalPacks: Count
  readonly packsOpened: Count
  readonly redCoinBalance: number
}

export function StatCards({ totalPacks, packsOpened, redCoinBalance }: StatCardsProps) {
  return (
    <div className="enter-stagger grid grid-cols-2 gap-4 sm:grid-cols-3">
      <StatCard
        to="/inventory"
        label="Available Packs"
        value={totalPacks}
        icon={<PackageOpen aria-hidden="true" className="size-7 text-primary-text" />}
      />
      <StatCard
        to="/history"
        search={{ view: 'openings' }}
        label="Total Opened"
        value={packsOpened}
        icon={<Sparkles aria-hidden="true" className="size-7 text-secondary-text" />}
      />
      <StatCard
        to="/store"
        label="RedCoin Balance"
        value={redCoinBalance}
        isPrivate
        className="max-sm:col-span-2"
        icon={<img src="/art/redcoin.svg" alt="" width={32} height={32} className="size-8" />}
      />
    </div>
  )
}

interface StatCardProps {
  readonly to: LinkProps['to']
  readonly search?: LinkProps['search']
  readonly label: string
  readonly value: Count
  readonly className?: string
  readonly icon: ReactNode
  /** True for what streamer mode hides. */
  readonly isPrivate?: boolean
}

function StatCard({ to, search, label, value, icon, className, isPrivate = false }: StatCardProps) {
  const number = typeof value === 'number' && <RollingNumber value={value} />
  return (
    <LinkCard
      to={to}
      search={search}
      className={cn(
        'relative flex flex-wrap content-between items-center gap-x-4 gap-y-2',
        className,
      )}
    >
      <span className="grid size-12 flex-none place-items-center rounded-card bg-raised">
        {icon}
      </span>
      <span className="block min-w-0">
        <span className="block text-muted">{label}</span>
        <span className="block font-display text-3xl leading-10 font-bold">
          {value === undefined && <Skeleton className="my-1.5 h-7 w-20" />}
          {value === null && <span className="text-muted">–</span>}
          {isPrivate ? (
            <Masked what={label} canReveal={false}>
              {number}
            </Masked>
          ) : (
            number
          )}
        </span>
      </span>
      <ChevronRight aria-hidden="true" className="absolute end-4 top-4 size-5 text-muted" />
    </LinkCard>
  )
}
