// Where a player starts: what there is, what to do next, what happened last.

import type { Opening, SessionUser } from '@redpack/contract'
import { useQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import {
  ArrowRight,
  ChevronRight,
  type LucideIcon,
  PackageOpen,
  ShoppingBag,
  Sparkles,
  Trophy,
  UserRound,
} from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { CardImage, type CardImageProps } from '../features/packs/shared/card-image.tsx'
import {
  holdingsQuery,
  latestOpenings,
  openingsQuery,
  recentOpeningsMax,
  statsQuery,
} from '../features/packs/stats-queries.ts'
import { useSession, useShownBalance } from '../features/session/queries.ts'
import { cn } from '../lib/class-names.ts'
import { formatDate, formatSigned, plural } from '../lib/format.ts'
import { askAgain, DataState, Empty, LoadErrorCard, Skeleton } from '../ui/feedback/state.tsx'
import { LinkButton } from '../ui/form/button.tsx'
import { Card, CardHeader, LinkCard, PageHeading, RefreshingDot } from '../ui/layout/section.tsx'
import { Masked } from '../ui/media/masked.tsx'
import { RollingNumber } from '../ui/media/rolling-number.tsx'

const places: readonly {
  readonly to: LinkProps['to']
  readonly title: string
  readonly text: string
  readonly Icon: LucideIcon
}[] = [
  {
    to: '/inventory',
    title: 'Open Packs',
    text: 'Choose a pack and see what is inside',
    Icon: PackageOpen,
  },
  {
    to: '/store',
    title: 'Store',
    text: 'Browse the store and purchase packs with RedCoin',
    Icon: ShoppingBag,
  },
  {
    to: '/profile',
    title: 'Profile Settings',
    text: 'Your details, wallet and connections',
    Icon: UserRound,
  },
]

function PlaceCards() {
  return (
    <div className="enter-stagger grid gap-4 md:grid-cols-3">
      {places.map(({ to, title, text, Icon }) => (
        <LinkCard key={title} to={to} className="group flex h-full items-start gap-4">
          <Icon className="mt-0.5 size-6 flex-none text-muted" />
          <span className="block min-w-0 flex-1">
            <span className="block font-display text-lg font-semibold">{title}</span>
            <span className="block text-muted">{text}</span>
          </span>
          <ChevronRight className="mt-0.5 size-5 flex-none text-muted transition-transform group-hover:translate-x-1" />
        </LinkCard>
      ))}
    </div>
  )
}

interface FanCard extends CardImageProps {
  readonly id: number
}

/** What can be won, for somebody without packs. */
const fan: readonly FanCard[] = ['nebula', 'crown', 'vault'].map((name, id) => ({
  id,
  imageUrl: `/art/pack-${name}.svg`,
}))

/** The packs that are owned, nothing while they are not known. */
function useFan(): readonly FanCard[] {
  const { data } = useQuery(holdingsQuery)
  const owned = data?.filter(({ quantity }) => quantity > 0)
  if (owned?.length === 0) return fan
  return owned?.slice(0, fan.length).map(({ packType }) => packType) ?? []
}

/** Undefined while it is not known how many packs there are; the room is kept. */
function NextStep({ totalPacks }: { readonly totalPacks: number | undefined }) {
  const hasPacks = totalPacks !== undefined && totalPacks > 0
  const packs = useFan()
  return (
    <section
      aria-label="What to do next"
      className="next-step card on-card relative flex min-h-52 overflow-hidden rounded-stage"
    >
      <div className="relative z-1 flex min-w-0 flex-1 flex-col items-start justify-center gap-4 p-5 lg:px-8 lg:py-6">
        {totalPacks === undefined ? (
          <>
            <Skeleton className="h-8 w-48" />
            <Skeleton className="h-14 w-40" />
          </>
        ) : (
          <>
            <p className="font-display text-xl font-bold sm:text-2xl">
              {hasPacks
                ? `${plural(totalPacks, 'pack', 'packs')} to open`
                : 'Watch a stream to earn your next pack'}
            </p>
            <div className="flex flex-wrap gap-2">
              <LinkButton
                size="large"
                className="whitespace-nowrap max-sm:px-4 max-[22.5rem]:px-3"
                to={hasPacks ? '/inventory' : '/twitch-streams'}
              >
                {hasPacks ? 'Open now' : 'See rewards'}
                <ArrowRight />
              </LinkButton>
              {hasPacks && (
                <LinkButton
                  tone="ghost"
                  className="self-center whitespace-nowrap max-[22.5rem]:px-3"
                  to="/twitch-streams"
                >
                  Earn more
                </LinkButton>
              )}
            </div>
          </>
        )}
      </div>
      <div
        aria-hidden="true"
        className="next-step-fan relative w-[34%] flex-none max-sm:me-2 max-sm:w-[36%]"
      >
        {packs.map(({ id, imageUrl, icon, color }) => (
          <CardImage key={id} isFirst {...{ imageUrl, icon, color }} />
        ))}
      </div>
    </section>
  )
}

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
        <div
          aria-busy={stats.isPending}
          className="enter-stagger grid grid-cols-2 gap-4 sm:grid-cols-3"
        >
          <StatCard
            to="/inventory"
            label="Available Packs"
            value={stats.data?.totalPacks ?? unknown}
            icon={<PackageOpen className="size-7 text-primary-text" />}
          />
          <StatCard
            to="/history"
            search={{ view: 'openings' }}
            label="Total Opened"
            value={stats.data?.packsOpened ?? unknown}
            icon={<Sparkles className="size-7 text-secondary-text" />}
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
        <PlaceCards />
        <RecentActivity />
      </div>
    </>
  )
}

function RecentActivity() {
  const openings = useQuery(openingsQuery)
  const { data, isFetching } = openings
  return (
    <Card>
      <CardHeader
        title="Recent Activity"
        action={
          <span className="-mx-4 -my-2 flex items-center gap-2">
            <RefreshingDot isShown={isFetching && data !== undefined} />
            <LinkButton tone="ghost" to="/history" search={{ view: 'openings' }}>
              View all
            </LinkButton>
          </span>
        }
      />
      {/* Room for the rows to come; a short list needs none. */}
      <div className={data && data.length > 0 ? undefined : 'min-h-90'}>
        <DataState
          query={openings}
          what="your recent activity"
          skeleton={Array(recentOpeningsMax).fill(<RowShape />)}
          className=""
          isBrief
        >
          {(data) =>
            data.length === 0 ? (
              <Empty
                picture={
                  <img
                    src="/art/empty-inventory.svg"
                    alt=""
                    width={200}
                    height={150}
                    className="h-auto"
                  />
                }
                title="No recent activity. Start opening packs!"
                action={<LinkButton to="/inventory">Open Your First Pack</LinkButton>}
              />
            ) : (
              <ul className="divide-y divide-line">
                {latestOpenings(data).map((opening) => (
                  <Row key={opening.id} opening={opening} />
                ))}
              </ul>
            )
          }
        </DataState>
      </div>
    </Card>
  )
}

function Row({ opening }: { readonly opening: Opening }) {
  const { prize, packType, createdAt, redCoinEarned } = opening
  return (
    <li className="relative flex min-h-18 flex-wrap items-center gap-x-4 gap-y-1 py-3">
      <span className="grid size-11 flex-none place-items-center rounded-control bg-raised">
        {prize ? (
          <Trophy className="size-6 text-accent-text" />
        ) : (
          <img src="/art/redcoin.svg" alt="" width={24} height={24} className="size-6" />
        )}
      </span>
      <span className="min-w-0 flex-1 basis-40 wrap-anywhere">
        <span className="block font-semibold">
          {prize ? (
            <Link to="/my-prizes" className="after:absolute after:inset-0 hover:underline">
              Won: {prize.name}
            </Link>
          ) : (
            'No prize this time'
          )}
        </span>
        <span className="block text-muted">
          From {packType.name}{' '}
          <span className="sm:whitespace-nowrap">- {formatDate(createdAt)}</span>
        </span>
      </span>
      {redCoinEarned > 0 && (
        <span className="ms-auto flex-none text-end font-display font-semibold tabular-nums">
          {formatSigned(redCoinEarned)}{' '}
          <span className="text-sm text-muted max-sm:sr-only">RedCoin</span>
        </span>
      )}
    </li>
  )
}

function RowShape() {
  return (
    <div className="flex min-h-18 items-center gap-4 py-3">
      <Skeleton className="size-11" />
      <div className="grid flex-1 gap-2">
        <Skeleton className="h-4 w-2/5" />
        <Skeleton className="h-4 w-3/5" />
      </div>
    </div>
  )
}

interface StatCardProps extends Pick<LinkProps, 'to' | 'search'> {
  readonly label: string
  /** Undefined while it is loading, null when it could not be loaded. */
  readonly value: number | undefined | null
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
      <ChevronRight className="absolute end-4 top-4 size-5 text-muted" />
    </LinkCard>
  )
}
